"""`python -m bench.slow_phones PORT COUNT`: phones on a poor connection, each sending one photo over eight seconds.

All begin within the first second. The form's token is an old one, so that the portal takes the whole file in and then
refuses the form: this is about receiving, and not about opening pictures, which `bench.pictures` measures. In the end
prints how many phones there were that got an answer, and how many of them another one than the form.
"""

import asyncio
import os
import sys

PHOTO_BYTES = 600_000
SECONDS = 8
PIECES = 80
BOUNDARY = "----slowphone"
HEAD = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\nold\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\n'
    "Content-Type: image/jpeg\r\n\r\n"
)
TAIL = f"\r\n--{BOUNDARY}--\r\n"


def request(port: int, path: str, cookie: str) -> bytes:
    body = HEAD.encode() + bytes(PHOTO_BYTES) + TAIL.encode()
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: localhost:{port}",
        f"Cookie: {cookie}",
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*lines, "", ""]).encode() + body


async def phone(port: int, content: bytes, start_after: float, answers: list[bytes]) -> None:
    await asyncio.sleep(start_after)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    size = len(content) // PIECES + 1
    for at in range(0, len(content), size):
        writer.write(content[at : at + size])
        await writer.drain()
        await asyncio.sleep(SECONDS / PIECES)
    head = await reader.readuntil(b"\r\n\r\n")
    answers.append(head[9:12])
    writer.close()


async def send(port: int, count: int, path: str, cookie: str) -> None:
    content, answers = request(port, path, cookie), list[bytes]()
    await asyncio.gather(*(phone(port, content, n / count, answers) for n in range(count)))
    print(len(answers), sum(answer != b"422" for answer in answers))


if __name__ == "__main__":
    asyncio.run(send(int(sys.argv[1]), int(sys.argv[2]), os.environ["BENCH_PATH"], os.environ["BENCH_COOKIE"]))

"""`python -m bench.many_photos PORT COUNT`: so many people send a 12-megapixel photo at the same moment.

Every other one is the HEIC of an iPhone, the others are JPEG. Each phone sends as fast as its network lets it, which is
5 to 25 megabits a second: nobody's arrives at the speed of memory, and no two are alike. Whoever is asked to wait does
so and sends it again.
In the end prints how many photos were taken, and how often somebody had to wait.
"""

import asyncio
import os
import sys

from bench.pictures import CASES

BOUNDARY = "----photo"
KINDS = ("HEIC 12 MP, the sample", "JPEG 12 MP")
MOST_TRIES = 20
PIECE_BYTES = 1 << 16
SLOWEST, FASTEST = 600_000, 3_000_000  # bytes a second


def request(port: int, path: str, cookie: str, token: str, photo: bytes) -> bytes:
    body = b"".join(
        (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{token}\r\n'.encode(),
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="photo"\r\n'.encode(),
            b"Content-Type: application/octet-stream\r\n\r\n",
            photo,
            f"\r\n--{BOUNDARY}--\r\n".encode(),
        )
    )
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: localhost:{port}",
        f"Cookie: {cookie}",
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join([*lines, "", ""]).encode() + body


async def trickle(writer: asyncio.StreamWriter, content: bytes, speed: float) -> None:
    begun = asyncio.get_running_loop().time()
    for at in range(0, len(content), PIECE_BYTES):
        await asyncio.sleep(begun + at / speed - asyncio.get_running_loop().time())
        writer.write(content[at : at + PIECE_BYTES])
        await writer.drain()


async def send_one(port: int, content: bytes, speed: float, waits: list[int]) -> bool:
    """Until it is taken; any other answer than that or to wait is a failure."""
    for _ in range(MOST_TRIES):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await trickle(writer, content, speed)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        writer.close()
        if head[9:12] != "503":
            return head[9:12] == "303"
        seconds = int(head.lower().partition("retry-after:")[2].split()[0])
        waits.append(seconds)
        await asyncio.sleep(seconds)
    return False


async def send(port: int, count: int, path: str, cookie: str, token: str) -> None:
    contents = [request(port, path, cookie, token, CASES[kind]()) for kind in KINDS]
    print("ready", flush=True)
    sys.stdin.readline()
    waits: list[int] = []
    faster = (FASTEST / SLOWEST) ** (1 / count)
    phones = [(contents[n % len(contents)], SLOWEST * faster**n) for n in range(count)]
    taken = await asyncio.gather(*(send_one(port, content, speed, waits) for content, speed in phones))
    print(sum(taken), len(waits))


if __name__ == "__main__":
    names = ("BENCH_PATH", "BENCH_COOKIE", "BENCH_TOKEN")
    asyncio.run(send(int(sys.argv[1]), int(sys.argv[2]), *(os.environ[name] for name in names)))

"""What no test client would send: broken and slow conversations with the real server, which goes on serving others."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
import requests

MEGABYTE = 1_000_000
HOST = b"Host: localhost\r\n"
POST = b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
HORRORS = {
    "a header of 10 MB": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 10 * MEGABYTE + b"\r\n\r\n",
    "50,000 headers": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 50_000 + b"\r\n",
    "an address of 1 MB": b"GET /" + b"a" * MEGABYTE + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a NUL in the address": b"GET /tags/\x00 HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes that are no UTF-8": b"GET /tags/\xff\xfe\xed\xa0\x80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "dots and slashes": b"GET /static/../../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "hidden dots and slashes": b"GET /static/%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "another host in the address": b"GET http://evil.example/sign-in HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "a length below nothing": POST + b"Content-Length: -5\r\n\r\nhello",
    "a length in words": POST + b"Content-Length: many\r\n\r\nhello",
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 50\r\n\r\nhello",
    "a length and pieces": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces of no length": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
    "a piece without end": POST + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nhello",
    "a length beyond all": POST + b"Content-Length: 99999999999999999999\r\n\r\nhello",
    "a header folded over lines": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\n" + HOST + b": a\r\n\r\n",
    "a line end alone": b"GET / HTTP/1.1\nHost: localhost\n\n",
    "a version there is not": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "no request at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
    "5,000 fields": POST + b"Content-Length: 25000\r\n\r\n" + b"a=bc&" * 5000,
}
# Old or odd, and not to be misread: the server takes them for what they mean.
READ_AS_MEANT = {"a header folded over lines", "a version there is not"}
# The server's own words for what it was not made to do, such as pieces of another kind.
NOT_IMPLEMENTED = 501
ANSWERED_SECONDS = 60.0
SLOW_CONNECTIONS, TIMES = 60, 10  # the test server takes a hundred at once, `portal web` two thousand


@pytest.fixture
def place(server: str) -> tuple[str, int]:
    parts = urlsplit(server)
    return "127.0.0.1", parts.port or 0


@pytest.mark.parametrize("kind", HORRORS)
def test_a_broken_request_is_refused_and_the_next_one_served(server, place, kind, database):
    before = database.content()
    answer = exchange(place, HORRORS[kind])
    status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else None
    if kind in READ_AS_MEANT:
        assert status == 200, answer[:300]
    else:  # refused in words, or hung up on
        assert status is None or 400 <= status < 500 or status == NOT_IMPLEMENTED, answer[:300]
    for inside in (b"Traceback", b"root:", b"evil.example"):
        assert inside not in answer
    assert requests.get(f"{server}/health/live", timeout=60).status_code == 200
    assert database.content() == before


def test_many_who_send_a_byte_at_a_time_hold_up_nobody(server, place):
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(place, timeout=60)) for _ in range(SLOW_CONNECTIONS)]
        for number, one in enumerate(slow):
            one.sendall(POST[:40] if number % 2 else POST + b"Content-Length: 1000\r\n\r\n")
        for _ in range(TIMES):
            for one in slow:
                one.sendall(b"a")
            assert requests.get(f"{server}/health/live", timeout=60).status_code == 200  # while all of them are there
            time.sleep(0.1)


def exchange(place: tuple[str, int], sent: bytes) -> bytes:
    """All that comes back; the server may hang up before it has heard everything."""
    return b"".join(pieces(place, sent))


def pieces(place: tuple[str, int], sent: bytes) -> Iterator[bytes]:
    with socket.create_connection(place, timeout=60) as line:
        line.settimeout(ANSWERED_SECONDS)
        try:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65536):
                yield piece
        except OSError:
            return

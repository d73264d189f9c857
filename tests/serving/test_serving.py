"""Serving: a taken port is told, nobody is cut off by a stop, and the next process takes over the sockets."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from portal.serving.first_answer import FirstAnswer
from portal.serving.large_bodies import LARGEST_BODY_BYTES, LARGEST_READ_AWAY_BYTES
from portal.serving.listening import PortTaken, handing_over, open_sockets, take_sockets

WAIT_SECONDS = 60

# A server as `portal web` makes one; /slow answers after its body and half a second, /pieces with 40 MB in pieces,
# /nothing without a body.
SERVER = """
import os, sys, time
from portal.serving.listening import listen
from portal.serving.server import serve

def app(environ, start_response):
    if environ["PATH_INFO"] == "/slow":
        print("working", flush=True)
        time.sleep(0.5)
    kept = str(len(environ["wsgi.input"].read()))
    told = environ.get("HTTP_X_FORWARDED_FOR", "") + " " + kept
    if environ["PATH_INFO"] == "/length":
        told = environ["CONTENT_LENGTH"] + ", " + kept + " kept"
    if environ["PATH_INFO"] == "/pieces":
        start_response("200 OK", [("Content-Length", str(40 << 20))])
        return (b"x" * (1 << 20) for _ in range(40))
    if environ["PATH_INFO"] == "/nothing":
        start_response("304 Not Modified", [])
        return []
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(told)))])
    return [told.encode()]

sockets = listen(os.environ, 0, is_local=True)
print("ready", flush=True)
serve(app, sockets, threads=2)
"""


@pytest.fixture
def sockets() -> Iterator[list[socket.socket]]:
    """Sockets on a free port, as the supervisor opens them."""
    opened = [socket.create_server(("127.0.0.1", 0))]
    yield opened
    for each in opened:
        each.close()


@pytest.fixture
def start(sockets: list[socket.socket]) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            env={**os.environ, **handing_over(sockets)},
            pass_fds=[each.fileno() for each in sockets],
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def connection_to(sockets: list[socket.socket]) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", sockets[0].getsockname()[1], timeout=WAIT_SECONDS)


def answer(connection: http.client.HTTPConnection) -> tuple[int, bytes]:
    response = connection.getresponse()
    try:
        return response.status, response.read()
    finally:
        connection.close()


def test_a_stop_lets_the_request_that_is_being_worked_on_finish(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    server = start()
    assert line_of(server) == "ready"
    connection = connection_to(sockets)
    connection.request("POST", "/slow", body=b"dog")
    assert line_of(server) == "working"
    server.send_signal(signal.SIGTERM)
    assert answer(connection) == (200, b" 3")
    assert server.wait(WAIT_SECONDS) == 0


def test_a_stop_waits_for_a_body_that_has_begun_to_arrive(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    server = start()
    assert line_of(server) == "ready"
    connection = connection_to(sockets)
    connection.putrequest("POST", "/")
    connection.putheader("Content-Length", "6")
    connection.endheaders(b"dog")
    wait_for_arrival(connection)
    server.send_signal(signal.SIGTERM)
    time.sleep(1.5)  # longer than the server's own waiting, so that it has seen the signal
    connection.send(b"dog")
    assert answer(connection) == (200, b" 6")
    assert server.wait(WAIT_SECONDS) == 0


def wait_for_arrival(connection: http.client.HTTPConnection) -> None:
    """Until a second request on the same server was answered: the first one's bytes came before."""
    other = http.client.HTTPConnection(connection.host, connection.port, timeout=WAIT_SECONDS)
    other.request("GET", "/")
    assert answer(other)[0] == 200


def test_who_asks_while_the_server_is_replaced_is_answered_by_the_next_one(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    first = start()
    assert line_of(first) == "ready"
    first.kill()
    first.wait()
    connection = connection_to(sockets)
    connection.request("GET", "/")
    second = threading.Thread(target=start)
    second.start()
    assert answer(connection) == (200, b" 0")
    second.join()


def test_the_server_does_not_tell_its_name_and_leaves_forwarded_headers_to_the_application(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.request("GET", "/", headers={"X-Forwarded-For": "203.0.113.7"})
    response = connection.getresponse()
    assert response.headers["Server"] is None
    assert response.read() == b"203.0.113.7 0"
    connection.close()


def test_a_body_beyond_64_megabytes_is_read_away_so_that_the_portal_can_answer_it(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.request("POST", "/length", body=bytes(LARGEST_BODY_BYTES + 1))
    assert answer(connection) == (200, f"{LARGEST_BODY_BYTES + 1}, 0 kept".encode())
    connection.request("POST", "/", body=b"four")
    assert answer(connection)[1] == b" 4", "the connection goes on"


def test_nobody_is_read_away_for_ever(sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.putrequest("POST", "/")
    connection.putheader("Content-Length", str(LARGEST_READ_AWAY_BYTES))
    connection.endheaders()
    assert answer(connection)[0] == 413


def test_chunks_of_untold_length_end_at_64_megabytes(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.putrequest("POST", "/")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    megabyte = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    for _ in range(64):
        connection.send(megabyte)
    connection.send(b"1\r\n0\r\n")
    assert answer(connection)[0] == 413


def test_the_head_of_an_answer_comes_together_with_its_body(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    """Whoever is woken by the head alone waits once more, and on a busy core that is a turn of the scheduler."""
    if sys.platform != "linux":
        pytest.skip("only Linux counts the segments that came")
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.connect()
    kept = connection.sock.dup()
    connection.request("GET", "/")
    assert answer(connection) == (200, b" 0")
    assert segments_with_data(kept) == 1
    kept.close()


def segments_with_data(connection: socket.socket) -> int:
    """`tcpi_data_segs_in` of the kernel's `struct tcp_info`."""
    return int.from_bytes(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)[152:156], sys.byteorder)


def test_an_answer_larger_than_what_may_wait_comes_whole_to_whoever_reads_late(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.request("GET", "/pieces")
    time.sleep(1)  # until what may wait does, and the thread with it
    begun = time.monotonic()
    assert answer(connection) == (200, b"x" * (40 << 20))
    assert time.monotonic() - begun < 35  # forty pieces that each waited for the loop's own second would take longer


def test_an_answer_without_a_body_comes(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    assert line_of(start()) == "ready"
    connection = connection_to(sockets)
    connection.request("GET", "/nothing")
    assert answer(connection) == (304, b"")


def test_a_taken_port_is_told_and_none_other_chosen(sockets: list[socket.socket]) -> None:
    port = sockets[0].getsockname()[1]
    with pytest.raises(PortTaken, match=rf"^Port {port} is taken by another program: .* set PORT"):
        open_sockets(port, is_local=True)


def test_a_local_portal_is_reached_from_this_machine_alone() -> None:
    opened = open_sockets(0, is_local=True)
    assert {each.getsockname()[0] for each in opened} <= {"127.0.0.1", "::1"}
    for each in opened:
        each.close()


def test_without_a_supervisor_there_are_no_sockets_to_take() -> None:
    assert take_sockets({}) == []


def test_the_first_answer_is_noticed_by_one_question_that_waits_in_the_socket(
    sockets: list[socket.socket], start: Callable[[], subprocess.Popen[str]]
) -> None:
    pages = FirstAnswer(sockets[0].getsockname()[1])
    assert not pages.has_come()
    start()
    deadline = time.monotonic() + WAIT_SECONDS
    while not pages.has_come():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_where_nobody_listens_there_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert not FirstAnswer(port).has_come()

"""Large forms are received by a process of their own, and nobody notices but by the pages, which stay quick."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from portal.serving.listening import handing_over
from portal.serving.uploads import LARGE_BODY_BYTES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands connections over as it is done here")

WAIT_SECONDS = 120
LARGE = bytes(1 << 20)  # more than arrives at once
SMALL = bytes(LARGE_BODY_BYTES - 1)

# Tells which process answers. /slow does after half a second; /refuse counts a refused file and /counts tells how many.
APP = """
import os, socket, sys, time
from portal.gateways import measures
from portal.serving import server, uploads
from portal.serving.listening import listen

def app(environ, start_response):
    length = len(environ["wsgi.input"].read())
    if environ["PATH_INFO"] == "/slow":
        print("working", flush=True)
        time.sleep(0.5)
    if environ["PATH_INFO"] == "/refuse":
        measures.count_refused_upload("empty")
    told = f"{os.getpid()} {length} {environ['SERVER_PORT']} {environ['REMOTE_ADDR']}"
    if environ["PATH_INFO"] == "/counts":
        told = str(measures.UPLOADS_REFUSED.labels("empty")._value.get())
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(told)))])
    return [told.encode()]
"""
RECEIVER = f"""{APP}
from portal.cli.receiving import telling
line = socket.socket(fileno=int(os.environ[uploads.HANDED_OVER]))
measures.tell_counts(telling(line))
server.serve_handed_over(app, line, threads=2)
"""
SERVER = f"""{APP}
RECEIVER = {RECEIVER!r}
beside = lambda channels: uploads.Uploads([sys.executable, "-c", RECEIVER], dict(os.environ), channels)
server.serve(app, listen(os.environ, 0, is_local=True), threads=2, beside=beside)
"""


class Portal:
    """A server with its receiver, as `portal web` makes them."""

    def __init__(self, listener: socket.socket) -> None:
        self.port: int = listener.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            env={**os.environ, **handing_over([listener])},
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            text=True,
        )

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_SECONDS)

    def answered_by(self, body: bytes) -> int:
        with closing(self.connect()) as connection:
            return process_that_answers(connection, body)

    def begin_to_receive(self) -> psutil.Process:
        """Send large forms until one is answered by the other process, which starts with the first."""
        deadline = time.monotonic() + WAIT_SECONDS
        while (answering := self.answered_by(LARGE)) == self.process.pid:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return psutil.Process(answering)


def process_that_answers(connection: http.client.HTTPConnection, body: bytes) -> int:
    connection.request("POST", "/", body=body)
    process, length, *_ = connection.getresponse().read().split()
    assert int(length) == len(body)
    return int(process)


@pytest.fixture
def portal() -> Iterator[Portal]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Portal(listener)
        yield server
        others = psutil.Process(server.process.pid).children() if server.process.poll() is None else []
        for process in (server.process, *others):
            process.kill()
        server.process.communicate()


def test_a_large_form_is_received_by_another_process_and_a_small_one_by_that_of_the_pages(portal: Portal) -> None:
    assert portal.answered_by(LARGE) == portal.process.pid, "the first is not kept waiting until the other has started"
    receiver = portal.begin_to_receive()
    assert receiver.ppid() == portal.process.pid
    assert portal.answered_by(SMALL) == portal.process.pid
    assert portal.answered_by(LARGE) == receiver.pid


def test_the_receiver_stands_behind_the_pages_with_every_thread(portal: Portal) -> None:
    threads = portal.begin_to_receive().threads()
    assert len(threads) > 2
    assert {os.getpriority(os.PRIO_PROCESS, thread.id) for thread in threads} == {19}


def test_who_is_answered_by_the_receiver_comes_to_the_pages_with_the_next_request(portal: Portal) -> None:
    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        assert process_that_answers(connection, b"small") == portal.process.pid
        connection.request("POST", "/", body=LARGE)
        answer = connection.getresponse()
        assert answer.headers["Connection"] == "close"
        answer.read()
        assert process_that_answers(connection, b"small") == portal.process.pid


def test_the_receiver_knows_who_sent_it_and_to_which_port(portal: Portal) -> None:
    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.request("POST", "/", body=LARGE)
        assert connection.getresponse().read().split()[2:] == [str(portal.port).encode(), b"127.0.0.1"]


def test_a_head_in_pieces_and_a_body_that_waits_to_be_told_arrive_whole(portal: Portal) -> None:
    receiver = portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.connect()
        connection.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-")
        time.sleep(0.2)
        connection.send(f"Length: {len(LARGE)}\r\nExpect: 100-continue\r\n\r\n".encode())
        assert connection.sock.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.send(LARGE[:10])
        time.sleep(0.2)
        connection.send(LARGE[10:])
        head, _, body = connection.sock.makefile("rb").read().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n"), "told to go on once"
        assert body.split()[:2] == [str(receiver.pid).encode(), str(len(LARGE)).encode()]


def test_who_sends_two_requests_at_once_has_both_answered_in_order(portal: Portal) -> None:
    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.connect()
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(LARGE)}\r\n\r\n"
        connection.sock.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n" + head.encode() + LARGE)
        both = connection.sock.makefile("rb").read()
        bodies = [answer.partition(b"\r\n\r\n")[2].split() for answer in both.split(b"HTTP/1.1 200 OK")[1:]]
        assert [length for _, length, *_ in bodies] == [b"0", str(len(LARGE)).encode()]


def test_who_speaks_the_older_protocol_is_told_once_that_the_connection_ends(portal: Portal) -> None:
    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.connect()
        head = f"POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: {len(LARGE)}\r\n\r\n"
        connection.sock.sendall(head.encode() + LARGE)
        lines = connection.sock.makefile("rb").read().splitlines()
        assert [line for line in lines if line.startswith(b"Connection")] == [b"Connection: close"]


def test_a_stop_lets_the_receiver_finish_what_it_has_begun(portal: Portal) -> None:
    receiver = portal.begin_to_receive()
    with closing(portal.connect()) as working, closing(portal.connect()) as arriving:
        working.request("POST", "/slow", body=LARGE)
        assert portal.process.stdout is not None
        assert portal.process.stdout.readline() == "working\n"
        arriving.putrequest("POST", "/")
        arriving.putheader("Content-Length", str(len(LARGE)))
        arriving.endheaders(LARGE[:100])
        assert portal.answered_by(LARGE) == receiver.pid  # what came before has been handed over
        for process in (receiver, portal.process):  # systemd asks both at once
            process.send_signal(signal.SIGTERM)
        assert working.getresponse().read().split()[0] == str(receiver.pid).encode()
        arriving.send(LARGE[100:])
        assert arriving.getresponse().read().split()[0] == str(receiver.pid).encode()
    assert portal.process.wait(WAIT_SECONDS) == 0
    assert not receiver.is_running()


def test_what_waited_for_a_receiver_that_had_no_time_is_answered_after_a_stop_all_the_same(portal: Portal) -> None:
    receiver = portal.begin_to_receive()
    receiver.suspend()
    wait_until(lambda: receiver.status() == psutil.STATUS_STOPPED)
    connections = [portal.connect() for _ in range(5)]
    for connection in connections:
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(len(LARGE)))
        connection.endheaders(LARGE[:100])
    for _ in range(2):  # by then the loop has seen what came before
        portal.answered_by(b"small")
    portal.process.send_signal(signal.SIGTERM)
    time.sleep(1.5)  # longer than the server's own waiting, so that it has hung up
    receiver.resume()
    for connection in connections:
        connection.send(LARGE[100:])
        assert connection.getresponse().read().split()[0] == str(receiver.pid).encode()
        connection.close()
    assert portal.process.wait(WAIT_SECONDS) == 0


def test_a_large_form_whose_head_ends_during_a_stop_is_received_by_the_pages_process(portal: Portal) -> None:
    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.connect()
        connection.send(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(2):
            portal.answered_by(b"small")
        portal.process.send_signal(signal.SIGTERM)
        time.sleep(1.5)
        connection.sock.sendall(f"Content-Length: {len(LARGE)}\r\n\r\n".encode() + LARGE)
        answer = http.client.HTTPResponse(connection.sock, method="POST")
        answer.begin()
        assert answer.read().split()[0] == str(portal.process.pid).encode()


def test_a_stop_does_not_wait_for_a_receiver_that_still_starts(portal: Portal) -> None:
    portal.answered_by(LARGE)
    (starting,) = psutil.Process(portal.process.pid).children()
    starting.suspend()
    wait_until(lambda: starting.status() == psutil.STATUS_STOPPED)  # one that has yet to stop ends by what comes next
    portal.process.send_signal(signal.SIGTERM)
    time.sleep(1.5)
    starting.resume()
    assert portal.process.wait(WAIT_SECONDS) == 0
    assert not starting.is_running()


def test_when_the_receiver_was_killed_large_forms_are_received_by_the_pages_process(portal: Portal) -> None:
    """As long as one of the receiver's threads has yet to end, the line is open."""
    receiver = portal.begin_to_receive()
    receiver.kill()
    threads = Path(f"/proc/{receiver.pid}/task")
    wait_until(lambda: receiver.status() == psutil.STATUS_ZOMBIE and len(list(threads.iterdir())) == 1)
    answering = {portal.answered_by(LARGE) for _ in range(3)}
    assert answering == {portal.process.pid}


def test_where_no_more_files_may_be_open_one_request_is_lost_and_the_receiver_goes_on(portal: Portal) -> None:
    receiver = portal.begin_to_receive()
    wait_until(lambda: not receiver.net_connections())  # else what the last one held could be had again
    allowed, most = receiver.rlimit(psutil.RLIMIT_NOFILE)
    receiver.rlimit(psutil.RLIMIT_NOFILE, (first_free(receiver), most))
    with pytest.raises(ConnectionError):
        portal.answered_by(LARGE)
    receiver.rlimit(psutil.RLIMIT_NOFILE, (allowed, most))
    assert portal.answered_by(LARGE) == receiver.pid


def first_free(process: psutil.Process) -> int:
    """The number that the next file of a process would have."""
    taken = {int(file.name) for file in Path(f"/proc/{process.pid}/fd").iterdir()}
    return next(number for number in range(len(taken) + 1) if number not in taken)


def test_the_receiver_ends_with_the_pages_process_however_that_ended(portal: Portal) -> None:
    receiver = portal.begin_to_receive()
    portal.process.kill()
    receiver.wait(WAIT_SECONDS)


def test_what_the_receiver_counts_is_asked_for_at_the_pages(portal: Portal) -> None:
    def refused() -> float:
        with closing(portal.connect()) as connection:
            connection.request("GET", "/counts")
            return float(connection.getresponse().read())

    portal.begin_to_receive()
    with closing(portal.connect()) as connection:
        connection.request("POST", "/refuse", body=LARGE)
        connection.getresponse().read()
    wait_until(lambda: refused() == 1)


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)

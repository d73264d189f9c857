"""Serving a WSGI application with waitress, which buffers slow uploads, and ending without cutting anybody off."""

import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from socket import socket
from typing import Any
from wsgiref.types import WSGIApplication

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

from portal.gateways.child_processes.running import stand_back
from portal.serving import memory
from portal.serving.connections import Connection, Receiver
from portal.serving.large_bodies import LARGEST_READ_AWAY_BYTES
from portal.serving.uploads import BEGINNING_BYTES, READY, Uploads

OPEN_CONNECTIONS = 2000
OPEN_FILES = 3 * OPEN_CONNECTIONS
# A photo in a few dozen turns of the loop instead of hundreds: every turn holds up whoever makes a page.
RECEIVED_AT_ONCE_BYTES = 128 * 1024
# Fewer than a process has connections (`CONNECTIONS`). A request that writes holds two for a moment, what it looks with
# and its transaction: when all of them come to their second at once, one has it, and the others after that.
THREADS = 16
# A page waits for PostgreSQL some five times, and each time gets Python back only when whoever computes has had it for
# this long: with Python's own 5 ms, taking a photo's form apart for one person cost another twenty.
LONGEST_TURN_SECONDS = 0.0005
GIVING_BACK_SECONDS = 60.0
# What receives uploads goes as far back as nice(1) goes. A photo costs 25 ms there, which even a machine full of pages
# has for it within two seconds.
BEHIND_PAGES = 19
SESSION_TRIES = 5
POLL_SECONDS = 1.0
DRAIN_SECONDS = 10.0
DRAIN_POLL_SECONDS = 0.05


def serve(
    app: WSGIApplication,
    sockets: Sequence[socket],
    *,
    threads: int = THREADS,
    beside: Callable[[dict[int, object]], Uploads | None] = lambda _channels: None,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the requests that have begun.

    Forwarded headers reach the application as they came: how many proxies to believe is its own setting. `beside`
    makes what receives large forms, given the loop's channels; without it they are received here.
    """
    channels = _begin()
    uploads = beside(channels)
    at_once = BEGINNING_BYTES if uploads else RECEIVED_AT_ONCE_BYTES
    server = create_server(app, map=channels, sockets=list(sockets), **_options(threads, at_once))
    for listening in _servers(channels):
        listening.channel_class = Connection
        listening.uploads = uploads
    stopping = _StopSignal()
    _loop(channels, until=lambda: stopping.has_come)
    if uploads:
        uploads.stop()
    _drain(channels)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(channels)
    if uploads:
        uploads.wait()


def serve_handed_over(app: WSGIApplication, line: socket, *, threads: int = THREADS) -> None:
    """Answer the requests that another process has begun to receive and hands over on the line, until it closes it.

    Only that ends it: a signal may come to both at once, and what is on its way would be lost. It stands back before
    its threads begin, for they take that over, and says then that it is ready.
    """
    channels = _begin()
    _StopSignal()
    stand_back(os.getpid(), BEHIND_PAGES, tries=SESSION_TRIES)
    server = Receiver(app, line, channels, **_options(threads, RECEIVED_AT_ONCE_BYTES))
    with suppress(OSError):  # it may have hung up meanwhile
        line.send(READY)
    _loop(channels, until=lambda: server.is_over)
    _drain(channels)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(channels)


def _begin() -> dict[int, object]:
    """Make the process one that serves; what its loop watches, nothing yet."""
    sys.setswitchinterval(LONGEST_TURN_SECONDS)
    _allow_open_files()
    memory.keep_heaps_small()
    memory.leave_alone_what_is_loaded()
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that requests wait a moment is no news, line by line
    return {}


def _options(threads: int, at_once_bytes: int) -> dict[str, Any]:
    return {
        "threads": threads,
        "ident": "",
        "max_request_body_size": LARGEST_READ_AWAY_BYTES,
        "connection_limit": OPEN_CONNECTIONS,
        "asyncore_use_poll": True,
        "recv_bytes": at_once_bytes,
        "clear_untrusted_proxy_headers": False,
    }


def _loop(channels: dict[int, object], *, until: Callable[[], bool]) -> None:
    given_back_at = time.monotonic()
    while not until():
        wasyncore.loop(timeout=POLL_SECONDS, use_poll=True, map=channels, count=1)
        if time.monotonic() - given_back_at > GIVING_BACK_SECONDS:
            memory.give_back()
            given_back_at = time.monotonic()


def _allow_open_files() -> None:
    """Many systems let a process open 1,024 files at first; each connection is one, and a large body on it another."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _StopSignal:
    """Whether we have been asked to stop. The handler only notes it: nothing is interrupted half-way."""

    def __init__(self) -> None:
        self.has_come = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)

    def _note(self, _number: int, _frame: object) -> None:
        self.has_come = True


def _drain(channels: dict[int, object]) -> None:
    for server in _servers(channels):
        server.accepting = False
    deadline = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < deadline and any(_is_busy(channel) for channel in channels.values()):
        wasyncore.loop(timeout=DRAIN_POLL_SECONDS, use_poll=True, map=channels, count=1)


def _servers(channels: dict[int, object]) -> list[BaseWSGIServer]:
    """One for each socket that we listen on."""
    return [channel for channel in channels.values() if isinstance(channel, BaseWSGIServer)]


def _is_busy(channel: object) -> bool:
    """A request is being received or worked on, or its answer is still on its way."""
    if not isinstance(channel, HTTPChannel):
        return False
    return bool(channel.requests or channel.request is not None or channel.total_outbufs_len)

"""Starts the portal's programs quickly, so that a test can kill hundreds of them.

`python -m tests.faults.nursery FD`: orders come over the descriptor.
Importing the portal takes seconds, so it is done once, here, and each program is a fork: a process of its own that runs
what `python -m portal.cli` runs, with its own environment, and that signal 9 ends as it ends any other.
"""

import ctypes
import gc
import json
import os
import signal
import socket
import sys
import threading
import traceback
import warnings
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Any, NoReturn

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from portal.city import load_city
from portal.cli import MODULES
from portal.cli import main as portal_command
from portal.cli.environment import read_settings
from portal.cli.practice import practice_settings
from portal.composition import city_file
from portal.practice import create_practice_app
from portal.serving.listening import SOCKETS, take_sockets
from portal.serving.server import serve

LARGEST_ORDER = 65_536
MOST_HANDLES = 8
PR_SET_PDEATHSIG = 1
AT_ONCE = 0.0  # a webhook that was not taken is tried again


def raise_programs(control: socket.socket) -> None:
    """Start what is ordered until the other end is closed, then end all of it."""
    assert threading.active_count() == 1, "only a process with one thread may fork"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries the dead
    started: list[int] = []
    while True:
        order, handles, _, _ = socket.recv_fds(control, LARGEST_ORDER, MOST_HANDLES)
        if not order:
            break
        if (child := os.fork()) == 0:
            control.close()
            _become(json.loads(order), handles)
        for handle in handles:
            os.close(handle)
        started.append(child)
        control.send(str(child).encode())
    for child in started:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _become(order: dict[str, Any], handles: list[int]) -> NoReturn:
    """Run one program in this process: its log is the first handle, its sockets are the others."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # never outlives the tests
        os.setsid()
        log, *sockets = handles
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.clear()
        os.environ.update(order["environment"])
        if sockets:
            os.environ[SOCKETS] = ",".join(map(str, sockets))
        code = _run(order["arguments"])
    except BaseException:
        traceback.print_exc()
    finally:
        print(f"exit code {code}", flush=True)  # noqa: T201 - into the program's log
        os._exit(code)


def _run(arguments: list[str]) -> int:
    if arguments == ["practice"]:
        return _practice()
    try:
        portal_command(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return 0


def _practice() -> int:
    """As `portal practice`, but a webhook that was not taken is tried again at once."""
    settings = read_settings()
    app = create_practice_app(replace(practice_settings(settings), retry_after_s=AT_ONCE))
    serve(app, take_sockets(os.environ))
    return 0


if __name__ == "__main__":
    (control_handle,) = sys.argv[1:]
    for module in MODULES.values():
        import_module(f"portal.cli.{module}")
    load_city(city_file("benson"))  # brings in what is only imported when a city's holidays are asked for
    Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache()}  # compiled once for all
    warnings.simplefilter("error")
    gc.freeze()
    with socket.socket(fileno=int(control_handle)) as control:
        raise_programs(control)

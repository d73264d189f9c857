"""The processes of one machine: what dies comes back, and nothing is left when the supervisor is gone."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from portal.supervisor import Program, Supervisor

WAIT_SECONDS = 60

# A child as `portal` makes one: it holds the lifeline, notes that it runs, and waits.
CHILD = """
import os, pathlib, sys, time
from portal.lifeline import hold_lifeline

hold_lifeline(os.environ)
pathlib.Path(sys.argv[1], str(os.getpid())).touch()
time.sleep(600)
"""

# A supervisor of its own process, to be killed.
SUPERVISE = """
import os, sys
from portal.supervisor import Program, Supervisor

child = Program("child", [sys.executable, "-c", sys.argv[2], sys.argv[1]], dict(os.environ))
Supervisor([child, child], say=print).run()
"""


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "It did not happen in time"
        time.sleep(0.02)


def pids(folder: Path) -> list[int]:
    """Of the children that ever ran here."""
    return [int(path.name) for path in folder.iterdir()]


def running(folder: Path) -> list[int]:
    return [pid for pid in pids(folder) if is_running(pid)]


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it may go while we look
        return False


@pytest.fixture
def supervise(tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", SUPERVISE, str(tmp_path), CHILD], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        wait_until(lambda: len(running(tmp_path)) == 2)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    for pid in running(tmp_path):
        os.kill(pid, signal.SIGKILL)


def test_a_child_that_was_killed_comes_back_and_the_console_tells(
    supervise: Callable[[], subprocess.Popen[str]], tmp_path: Path
) -> None:
    supervisor = supervise()
    os.kill(pids(tmp_path)[0], signal.SIGKILL)
    wait_until(lambda: len(pids(tmp_path)) == 3 and len(running(tmp_path)) == 2)
    supervisor.terminate()
    told, _ = supervisor.communicate()
    # At once if it took long to come up, as it does on a machine with other things to do.
    assert re.fullmatch(r"child ended \(killed by SIGKILL\); it starts again in (1|0\.5) s\.\n", told)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_when_it_is_asked_to_stop_all_children_have_ended_before_it_does(
    supervise: Callable[[], subprocess.Popen[str]], tmp_path: Path, number: signal.Signals
) -> None:
    supervisor = supervise()
    supervisor.send_signal(number)
    supervisor.communicate()
    assert supervisor.returncode == 0
    assert running(tmp_path) == []


def test_when_it_is_killed_with_9_its_children_end_too(
    supervise: Callable[[], subprocess.Popen[str]], tmp_path: Path
) -> None:
    supervisor = supervise()
    supervisor.kill()
    wait_until(lambda: running(tmp_path) == [])


def test_a_child_that_dies_at_once_is_given_longer_and_longer_pauses() -> None:
    told: list[str] = []

    def note(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            supervisor.stop()

    failing = Program("web", [sys.executable, "-c", "raise SystemExit(3)"], dict(os.environ))
    supervisor = Supervisor([failing], say=note)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    try:
        supervisor.run()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert told == [
        "web ended (exit code 3); it starts again in 1 s.",
        "web ended (exit code 3); it starts again in 2 s.",
    ]


ALONE = """
import threading
from portal.lifeline import hold_lifeline

hold_lifeline({})
print(threading.active_count())
"""


def test_a_command_on_its_own_has_no_lifeline() -> None:
    ended = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert ended.stdout == "1\n"

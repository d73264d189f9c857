"""The child process that opens files is kept short, poor and few."""

import ctypes
import io
import os
import platform
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psutil
import pytest

from portal.gateways.child_processes import long_turns
from portal.gateways.child_processes.running import ENVIRONMENT, AllTurnsTaken, Turns, run_child, stand_back
from portal.gateways.pictures.making import USUAL_LIMITS, PicturesBroken, prepare
from portal.gateways.pictures.refusal import UnreadableFile
from tests.support.documents import corners, saved

HEIC = (Path(__file__).parents[2] / "samples" / "certificate-photo-iphone.heic").read_bytes()
SMALL = saved(corners(64, 48), "PNG")
A_MOMENT = 0.01  # between two looks: whoever looks without a pause takes the processor from what is looked at


def children() -> list[psutil.Process]:
    """The processes that read pictures for us and still run; a browser or a database of other tests is none."""
    running = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # gone while we were looking
            if child.status() != psutil.STATUS_ZOMBIE and any("pictures_child" in word for word in child.cmdline()):
                running.append(child)
    return running


def test_who_sends_a_photo_that_got_no_time_is_asked_to_send_it_again_and_nothing_runs_on():
    with pytest.raises(AllTurnsTaken):
        prepare(io.BytesIO(HEIC), limits=replace(USUAL_LIMITS, wall_seconds=0.05))
    assert children() == []


def test_the_child_knows_no_secret_and_holds_no_file_of_the_portal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("STRIPE_SECRET_KEY", "sk_live_secret")
    with (tmp_path / "private").open("w") as private, ThreadPoolExecutor(1) as pool:
        os.set_inheritable(private.fileno(), True)
        working = pool.submit(prepare, io.BytesIO(HEIC))
        seen = observed(working.running)
        assert working.result().pages
    assert seen
    environment, command, files = seen[-1]
    assert set(environment) <= {*ENVIRONMENT, "LC_CTYPE"}
    assert "secret" not in " ".join(environment.values())
    assert "secret" not in " ".join(command)
    assert not any("private" in name for name in files)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="macOS ties no process to a core")
def test_a_picture_leaves_half_of_the_cores_to_the_pages_and_stands_behind_them_on_the_others():
    cores, seen = sorted(os.sched_getaffinity(0)), set()
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(prepare, io.BytesIO(HEIC))
        while working.running():
            for child in children():
                with suppress(psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                    seen.add((child.nice(), tuple(child.cpu_affinity())))
            time.sleep(A_MOMENT)
    behind_us = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    assert (behind_us, tuple(cores[len(cores) // 2 :])) in seen


def test_a_picture_yields_at_once_to_a_page_that_wakes_and_keeps_its_share():
    """Long turns: Linux lets whoever asks for shorter ones go first (sched_getattr(2))."""
    if sys.platform != "linux" or platform.machine() not in long_turns.NUMBERS:
        pytest.skip("only Linux knows turns, and the numbers of its calls are known for two machines")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        stand_back(child.pid, 5)
        assert child.poll() is None
        attributes = attributes_of(child.pid)
        assert attributes.sched_nice == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)
        if attributes.sched_runtime:  # kernels before 6.12 tell none of an ordinary process
            assert attributes.sched_runtime == long_turns.LONGEST_NANOSECONDS
    finally:
        child.communicate(b"\n")


def attributes_of(process: int) -> Any:
    found = long_turns._Attributes()
    get = long_turns.NUMBERS[platform.machine()] + 1  # sched_getattr follows sched_setattr in both tables
    assert ctypes.CDLL(None).syscall(get, process, ctypes.byref(found), ctypes.sizeof(found), 0) == 0
    return found


WAITS_TO_BE_PUT_BACK = """
import os, time
for _ in range(9000):
    if os.nice(0) == 19:
        break
    time.sleep(0.01)
print(os.nice(0))
"""


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="macOS knows no niceness of a thread")
def test_where_all_of_the_portal_stands_back_a_picture_stands_back_further(tmp_path: Path):
    """Nice=15 for the service: ten more is as far as it goes, and nobody may take any of it back."""
    script = tmp_path / "child.py"
    script.write_text(WAITS_TO_BE_PUT_BACK)

    def of_a_portal_that_stands_back() -> str:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(own, 15))
        with TemporaryFile() as content, TemporaryFile() as answer, TemporaryFile() as errors:
            files = {"content": content, "answer": answer, "errors": errors}
            assert run_child(script, "", **files, wall_seconds=100, niceness=10) == 0
            answer.seek(0)
            return answer.read().decode().strip()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(of_a_portal_that_stands_back).result() == "19"


def test_a_picture_is_made_where_the_system_lets_nobody_stand_back(monkeypatch: pytest.MonkeyPatch):
    """Nice=15 and no CAP_SYS_NICE, or a filter of system calls."""

    def forbidden(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.setpriority", forbidden)
    assert prepare(io.BytesIO(SMALL)).pages
    assert children() == []


def observed(is_working) -> list[tuple[dict[str, str], list[str], list[str]]]:
    """What the operating system tells of the children while they work."""
    seen = []
    while is_working():
        for child in children():
            try:
                command = child.cmdline()  # first: before it is its own program it has our environment
                found = (child.environ(), command, [file.path for file in child.open_files()])
            except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                continue
            if any("pictures_child" in word for word in found[1]):
                seen.append(found)
        time.sleep(A_MOMENT)
    return seen


def test_no_file_with_a_name_is_left_or_used_while_a_photo_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    named = set()
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(prepare, io.BytesIO(HEIC))
        while working.running():
            named |= set(os.listdir(tmp_path))
            time.sleep(A_MOMENT / 10)
        assert working.result().pages
    assert named == set()


def test_twenty_uploads_at_once_all_succeed_and_only_two_are_worked_on():
    """C2"""
    turns, most = Turns(2, waiting=18, patience_seconds=600), 0
    with ThreadPoolExecutor(20) as pool:
        working = [pool.submit(prepare, io.BytesIO(SMALL), turns=turns) for _ in range(20)]
        while not all(job.done() for job in working):
            most = max(most, len(children()))
            time.sleep(A_MOMENT)
        assert all(job.result().pages for job in working)
    assert most == 2


def test_a_person_who_would_wait_too_long_is_told_when_to_come_back():
    turns = Turns(1, patience_seconds=0.05)
    with turns.taken(), pytest.raises(AllTurnsTaken) as busy:
        prepare(io.BytesIO(SMALL), turns=turns)
    assert busy.value.retry_after_seconds >= 1


def test_no_more_wait_than_leave_threads_for_everybody_else():
    """Twenty photos at once must not take all of the threads that answer pages: whoever is too many is told at once."""
    turns = Turns(1, waiting=0, patience_seconds=600)
    with turns.taken(), pytest.raises(AllTurnsTaken):
        prepare(io.BytesIO(SMALL), turns=turns)
    assert prepare(io.BytesIO(SMALL), turns=turns).pages


def test_a_refused_file_gives_its_turn_back():
    turns = Turns(1, patience_seconds=0.05)
    for _ in range(2):
        with pytest.raises(UnreadableFile):
            prepare(io.BytesIO(b"\xff\xd8\xff\xe0" + bytes(100)), turns=turns)
    assert prepare(io.BytesIO(SMALL), turns=turns).pages


def test_an_empty_file_or_one_of_another_kind_waits_for_no_turn():
    turns = Turns(1, patience_seconds=60)
    with turns.taken():
        for content in (b"", b"<svg/>"):
            with pytest.raises(UnreadableFile):
                prepare(io.BytesIO(content), turns=turns)


def test_a_fault_of_ours_is_not_blamed_on_the_file():
    """An answer that may not be written is a wrong setting, not a bad photo."""
    with pytest.raises(PicturesBroken):
        prepare(io.BytesIO(SMALL), limits=replace(USUAL_LIMITS, answer_bytes=10))


def held_still(working: Future[Any]) -> psutil.Process | None:
    """The child, stopped; none if it was quicker than we."""
    while not working.done():
        for child in children():
            with suppress(psutil.NoSuchProcess):
                child.suspend()
                return child
    return None


def test_other_threads_go_on_while_a_photo_is_opened():
    """It is held still for as long as we look: whoever waited for it would not be here."""
    with ThreadPoolExecutor(1) as pool:
        child = None
        while child is None:
            working = pool.submit(prepare, io.BytesIO(HEIC), limits=replace(USUAL_LIMITS, wall_seconds=600))
            child = held_still(working)
        for _ in range(20):
            time.sleep(A_MOMENT)
        assert child.status() == psutil.STATUS_STOPPED
        assert working.running()
        child.resume()
        assert working.result().pages

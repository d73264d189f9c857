"""How other pages answer while 20 people's photos of 12 megapixels are made into pictures, beside an idle server.

The server may use every core here, as in life: pictures are made by processes of their own. Measured is from the moment
at which all begin to send to the one at which the last has its answer.
"""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from statistics import median

from bench.cores import ALL, SERVING, children_on
from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.stage import SECRET_KEY, Server, Stage
from bench.visitor import Asked, open_form, signed_in_cookie
from portal.gateways.child_processes.running import LAST, stand_back
from portal.gateways.database.connections import CONNECTIONS

PHOTOS = 20
ROUNDS = 2  # a person may send 50 photos an hour
NOT_MOVED = 1.3
P95 = 0.95
EVERY_SECONDS = 0.05
IDLE_REQUESTS = 200
BEGINNING_SECONDS = 3
STILL_SECONDS = 1.0
BUSY_SHARE = 0.1

Taken = dict[str, list[float]]


def measure(stage: Stage, report: Report) -> None:
    with stage.serving(cores=ALL) as server:
        path = f"/register/animals/{stage.household.draft_animal_id}/photo"
        cookie = signed_in_cookie(stage.household.token, secret_key=SECRET_KEY)
        cookie, token = open_form(server.port, path, cookie=cookie)
        pages = [Asked("home", "GET", "/"), Asked("my dogs", "GET", "/dogs", cookie=cookie)]
        idle, busy = _nothing(pages), _nothing(pages)
        about, waits = {"PATH": path, "COOKIE": cookie, "TOKEN": token}, 0
        _ask_while_photos_come(_nothing(pages), server, pages, about, photos=1)  # starts what receives them
        _begin_the_day(server, pages)
        _go_first()
        for _ in range(ROUNDS):
            _ask_in_time(idle, server, pages, is_over=lambda asked: asked == IDLE_REQUESTS)
            waits += _ask_while_photos_come(busy, server, pages, about, PHOTOS)
    rows = []
    for name, before in idle.items():
        quiet, loaded = percentile(before, P95), percentile(busy[name], P95)
        halves = (f"{1000 * median(before):.1f}", f"{1000 * median(busy[name]):.1f}")
        ratio = loaded / quiet
        most = f"{1000 * max(busy[name]):.0f}"
        rows.append((name, *halves, f"{1000 * quiet:.1f}", f"{1000 * loaded:.1f}", f"{ratio:.2f}", most))
        report.add(Figure(f"{name}: p95 while {PHOTOS} photos are made, of idle", ratio, "x", at_most=NOT_MOVED))
    head = ("page", "p50 idle", "p50 meanwhile", "p95 idle", "p95 meanwhile", "ratio", "longest")
    taken = sum(map(len, busy.values())) * EVERY_SECONDS / ROUNDS
    about_photos = f"they took {taken:.0f} s, and {waits} times somebody had to wait"
    table(f"Other pages while {PHOTOS} photos of 12 MP are made, in ms; {about_photos}", head, rows)


def _begin_the_day(server: Server, pages: list[Asked]) -> None:
    """Use every connection to the database often enough that it has planned what these pages ask."""
    for page in pages:
        run(server.port, page, seconds=BEGINNING_SECONDS, connections=CONNECTIONS)
    while _is_working(server):
        pass


def _go_first() -> None:
    """Who asks is not on the city's machine: how long they wait for a core themselves is none of the portal's time.

    Only the privileged may; for others that wait is measured too. It does not pass to the phones.
    """
    if sys.platform == "linux":
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def _is_working(server: Server) -> bool:
    """Whether a process of the portal has something to do: one may still be starting."""
    before = _used_seconds(server)
    time.sleep(STILL_SECONDS)
    return _used_seconds(server) - before > BUSY_SHARE * STILL_SECONDS


def _used_seconds(server: Server) -> float:
    used = [process.cpu_times() for process in (server.process, *server.process.children())]
    return sum(each.user + each.system for each in used)


def _nothing(pages: list[Asked]) -> Taken:
    return {page.name: [] for page in pages}


def _ask_in_time(taken: Taken, server: Server, pages: list[Asked], *, is_over: Callable[[int], bool]) -> None:
    """Ask for one page after the other, each at its time; what comes late since the one before took long counts so."""
    start = time.perf_counter()
    for asked in itertools.count():
        if is_over(asked):
            return
        page, due = pages[asked % len(pages)], start + asked * EVERY_SECONDS
        time.sleep(max(0.0, due - time.perf_counter()))
        run(server.port, page, seconds=0, connections=1)
        taken[page.name].append(time.perf_counter() - due)


def _ask_while_photos_come(taken: Taken, server: Server, pages: list[Asked], about: dict[str, str], photos: int) -> int:
    """Ask in turn until every photo has its answer; how often somebody was told to wait."""
    command = [sys.executable, "-m", "bench.many_photos", str(server.port), str(photos)]
    environment = {**os.environ, **{f"BENCH_{name}": value for name, value in about.items()}}
    with children_on(SERVING):  # where pictures are made too: the phones are not on the city's machine
        senders = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
    stand_back(senders.pid, LAST)  # their phones compute for themselves
    assert senders.stdin is not None
    assert senders.stdout is not None
    try:
        senders.stdout.readline()
        senders.stdin.write("go\n")
        senders.stdin.flush()
        _ask_in_time(taken, server, pages, is_over=lambda _: senders.poll() is not None)
        done, waits = map(int, senders.stdout.read().split())
        if done != photos:
            raise SystemExit(f"Of {photos} photos {done} were taken")
    finally:
        senders.kill()
        senders.wait()
    return waits

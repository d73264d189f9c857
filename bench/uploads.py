"""How a quick page answers while 200 phones upload slowly, beside an idle server; rounds of both alternate.

Measured is the time in which all of them are under way. That each gets its answer afterwards is checked too.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from bench.load import run
from bench.report import Figure, Report, table
from bench.stage import SECRET_KEY, Server, Stage
from bench.visitor import Asked, open_form, signed_in_cookie

PHONES = 200
TWICE = 2
BEGUN_SECONDS = 2.0  # interpreter, then each phone within a second


def measure(stage: Stage, report: Report, *, rounds: int, seconds: float) -> None:
    with stage.serving() as server:
        photo = f"/register/animals/{stage.household.draft_animal_id}/photo"
        cookie = signed_in_cookie(stage.household.token, secret_key=SECRET_KEY)
        cookie, _ = open_form(server.port, photo, cookie=cookie)
        pages = [Asked("home", "GET", "/"), Asked("my dogs", "GET", "/dogs", cookie=cookie)]
        for page in pages:
            run(server.port, page, seconds=1)
        idle: dict[str, list[float]] = {page.name: [] for page in pages}
        busy: dict[str, list[float]] = {page.name: [] for page in pages}
        for _ in range(rounds):
            _ask_into(idle, server, pages, seconds)
            with _phones(server, photo, cookie):
                _ask_into(busy, server, pages, seconds)
    rows = []
    for name, before in idle.items():
        quiet, loaded = median(before), median(busy[name])
        rows.append((name, f"{1000 * quiet:.1f}", f"{1000 * loaded:.1f}", f"{loaded / quiet:.2f}"))
        report.add(Figure(f"{name}: p50 under {PHONES} slow uploads, of idle", loaded / quiet, "x", at_most=TWICE))
    table(f"A quick page while {PHONES} phones upload, p50 in ms", ("page", "idle", "meanwhile", "ratio"), rows)


def _ask_into(taken: dict[str, list[float]], server: Server, pages: list[Asked], seconds: float) -> None:
    for page in pages:
        taken[page.name] += run(server.port, page, seconds=seconds, connections=1).latencies


@contextmanager
def _phones(server: Server, path: str, cookie: str) -> Iterator[None]:
    """All of them are under way when the block begins, and have their answer when it has ended."""
    command = [sys.executable, "-m", "bench.slow_phones", str(server.port), str(PHONES)]
    environment = {**os.environ, "BENCH_PATH": path, "BENCH_COOKIE": cookie}
    phones = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        time.sleep(BEGUN_SECONDS)
        yield
        sent, refused = map(int, phones.communicate(timeout=120)[0].split())
        if sent != PHONES or refused:
            raise SystemExit(f"Of {PHONES} slow phones {sent} got an answer, {refused} of them a wrong one")
    finally:
        phones.kill()
        phones.wait()

"""Requests a second of one core, page by page, each beside its floor (`bench.floor`).

Rounds alternate between the two, so that whatever else the machine does falls on both; the median round counts.
"What one core serves" is requests by the seconds of core time the server used for them: it does not depend on how
quickly the load came, which on two cores shares one with PostgreSQL.
"""

import json
from dataclasses import asdict, dataclass
from statistics import median

from bench.floor import ASKED
from bench.load import Load, run
from bench.report import Figure, Report, percentile, table
from bench.stage import SECRET_KEY, Server, Stage
from bench.visitor import Asked, open_form, posted, signed_in_cookie

TARGET = 70
ANSWERS = {
    "animal_name": "Biscuit",
    "breed": "golden retriever",
    "color": "gold",
    "sex": "female",
    "is_altered": "yes",
    "microchip": "",
}


@dataclass(frozen=True)
class Round:
    """One round of one server."""

    load: Load
    core_seconds: float

    @property
    def per_core_second(self) -> float:
        return len(self.load.latencies) / self.core_seconds


def measured_pages(stage: Stage, server: Server) -> list[Asked]:
    """The pages; a person on them has been there a while, so that their cookie stays as it is."""
    step = f"/register/animals/{stage.household.draft_animal_id}"
    cookie = signed_in_cookie(stage.household.token, secret_key=SECRET_KEY)
    cookie, token = open_form(server.port, step, cookie=cookie)
    return [
        Asked("home", "GET", "/"),
        Asked("sign-in", "GET", "/sign-in"),
        Asked("my dogs", "GET", "/dogs", cookie=cookie),
        Asked("register step", "GET", step, cookie=cookie),
        Asked("register step, sent", "POST", step, 303, cookie, posted(csrf_token=token, **ANSWERS)),
    ]


def measure(stage: Stage, report: Report, *, rounds: int, seconds: float) -> None:
    with stage.serving() as portal:
        pages = measured_pages(stage, portal)
        noted = json.dumps([asdict(page) for page in pages])
        with stage.serving(("bench.floor",), more={ASKED: noted}) as floor:
            rows = [_compare(page, portal, floor, report, rounds, seconds) for page in pages]
    head = ("page", "req/s", "p50 ms", "p99 ms", "per core", "floor req/s", "floor per core", "of the floor", "(wall)")
    table(f"Throughput, one core, {stage.dogs} dogs", head, rows)


def _compare(
    page: Asked, portal: Server, floor: Server, report: Report, rounds: int, seconds: float
) -> tuple[str, ...]:
    for server in (portal, floor):
        run(server.port, page, seconds=seconds / 2)  # caches and connections fill
    ours, bare = [], []
    for _ in range(rounds):
        bare.append(_round(floor, page, seconds))
        ours.append(_round(portal, page, seconds))
    pairs = list(zip(ours, bare, strict=True))
    ratio = 100 * median(mine.per_core_second / its.per_core_second for mine, its in pairs)
    wall = 100 * median(mine.load.requests_per_second / its.load.requests_per_second for mine, its in pairs)
    report.add(Figure(f"{page.name}: throughput of a core, of its floor", ratio, "%", at_least=TARGET))
    return (
        page.name,
        f"{median(mine.load.requests_per_second for mine in ours):.0f}",
        *(f"{1000 * median(percentile(mine.load.latencies, share) for mine in ours):.1f}" for share in (0.5, 0.99)),
        f"{median(mine.per_core_second for mine in ours):.0f}",
        f"{median(its.load.requests_per_second for its in bare):.0f}",
        f"{median(its.per_core_second for its in bare):.0f}",
        f"{ratio:.0f} %",
        f"{wall:.0f} %",
    )


def _round(server: Server, page: Asked, seconds: float) -> Round:
    before = server.core_seconds()
    load = run(server.port, page, seconds=seconds)
    return Round(load, server.core_seconds() - before)

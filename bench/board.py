"""The board of missing pets among a hundred thousand notices, beside few: its pages, its filters, its feed, and filing.

All of the notices are shown, as if none of them had ever come home: harder than it gets.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from statistics import median

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.stage import Stage
from bench.visitor import Asked
from portal.city import City, load_city
from portal.composition import city_file
from portal.gateways.clock import SystemClock
from portal.gateways.database.connections import connect
from portal.schema.notices import Holding, NoticeKind
from portal.schema.roles import WEB
from portal.services.notices.draft import Draft
from portal.services.notices.file_notice import Filer, file_notice
from portal.services.notices.in_progress import BegunNotice, MoreAnswers, PetAnswers, WhereAnswers
from portal.services.secrets import new_token

FEW, MANY = 3_000, 100_000
MOST = 1.3
FILING, FILED_A_ROUND = "filing one", 50
# 60 days of notices, three of four of dogs, one of a hundred of a bird; half of them tell where to the yard.
FILL = """
    INSERT INTO animal_control.pet_notice
        (id, reference, kind, state, species, name, color, size, wears, place_text, latitude, longitude,
         happened_on, happened_at, holding, photo_key, thumbnail_key, photo_width, photo_height,
         renewed_at, changed_at, created_at)
    SELECT md5('notice ' || n)::uuid, 'B' || n, kind, 'shown',
        CASE WHEN n % 100 = 0 THEN 'bird' WHEN n % 4 = 0 THEN 'cat' ELSE 'dog' END,
        CASE kind WHEN 'lost' THEN 'Pepper ' || n ELSE '' END, 'gray and white',
        (ARRAY['small', 'medium', 'large', NULL])[1 + n / 7 % 4], 'a red collar', n || ' Idaho Avenue',
        CASE WHEN n % 2 = 0 THEN 45.29 + 0.05 * (n % 977) / 977 END,
        CASE WHEN n % 2 = 0 THEN -95.64 + 0.08 * (n % 983) / 983 END,
        (at - interval '12 hours')::date, at - interval '12 hours', CASE kind WHEN 'found' THEN 'sighted' END,
        'notices/ab/' || md5('photo ' || n), 'notices/ab/' || md5('small ' || n), 2048, 1536, at, at, at
    FROM generate_series(1, :many) AS n,
        LATERAL (SELECT CASE WHEN n % 5 = 0 THEN 'found' ELSE 'lost' END AS kind,
            now() - n * interval '60 days' / :many AS at) AS said
"""
SETTLE = ("VACUUM (ANALYZE)", "CHECKPOINT")
PAGES = (
    Asked("newest", "GET", "/lost"),
    Asked("one kind", "GET", "/lost?species=cat"),
    Asked("rare and large", "GET", "/lost?species=bird&size=large"),
    Asked("this week", "GET", "/lost?within=7"),
    Asked("older, far down", "GET", "/lost?after=%s~00000000-0000-0000-0000-000000000000"),
    Asked("feed", "GET", "/lost.atom"),
    Asked("software", "GET", "/lost.json"),
    Asked("a notice", "GET", "/lost/B2001"),
)


@dataclass
class Place:
    """A portal among so many notices, and what a page, or filing one more, took there in each round."""

    port: int
    pages: dict[str, Asked]
    web: Engine
    taken: dict[str, list[float]]

    def p95_ms(self, name: str) -> float:
        """Over the rounds, so that a moment in which the machine did something else counts little."""
        return 1000 * median(self.taken[name])


def measure(stage: Stage, report: Report, *, notices: int, rounds: int, seconds: float) -> None:
    city = load_city(city_file("benson"))
    with _place(stage, FEW) as few, _place(stage, notices) as many:
        for number, name in product(range(-1, rounds), few.pages):
            for place in (few, many):
                load = run(place.port, place.pages[name], seconds=seconds, connections=1)
                if number >= 0:  # caches and connections filled before
                    place.taken[name].append(percentile(load.latencies, 0.95))
        _file_in_turn(few, many, rounds=rounds, city=city)
    rows = []
    for name in few.taken:
        small, big = few.p95_ms(name), many.p95_ms(name)
        rows.append((name, f"{small:.1f}", f"{big:.1f}", f"{big / small:.2f}"))
        report.add(Figure(f"board, {name}: p95 among {notices} notices, of {FEW}", big / small, "x", at_most=MOST))
    table(f"The board, p95 in ms: {FEW} and {notices} notices", ("page", "few", "many", "ratio"), rows)


def _file_in_turn(few: Place, many: Place, *, rounds: int, city: City) -> None:
    """Turn by turn, so that whatever else the machine does falls on both."""
    for number in range(-1, rounds):
        taken: dict[int, list[float]] = {few.port: [], many.port: []}
        for _, place in product(range(FILED_A_ROUND), (few, many)):
            begun = time.perf_counter()
            _file(place.web, city)
            taken[place.port].append(time.perf_counter() - begun)
        for place in (few, many) if number >= 0 else ():
            place.taken.setdefault(FILING, []).append(percentile(taken[place.port], 0.95))


def _file(web: Engine, city: City) -> None:
    """As the portal's page does: somebody who found a dog and took it in, without an account."""
    clock = SystemClock(city.time_zone)
    where = WhereAnswers(place="Northside park", on=clock.today(), holding=Holding.HELD, confined_at=clock.now())
    begun = BegunNotice(
        kind=NoticeKind.FOUND,
        pet=PetAnswers(color="gray and white"),
        where=where,
        more=MoreAnswers(chip="985112003456781", email="finder@example.com"),
    )
    with Session(web) as session:
        file_notice(session, Draft(begun), Filer(token=new_token()), city=city, clock=clock)
        session.commit()


@contextmanager
def _place(stage: Stage, notices: int) -> Iterator[Place]:
    name = stage.copied_database(f"notices_{notices}")
    engine, web = create_engine(stage.postgres.url(name)), connect(stage.postgres.url(name), role=WEB)
    with engine.begin() as connection:
        connection.execute(text(FILL), {"many": notices})
        old = connection.scalar(text("SELECT to_char(now() - interval '50 days', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in SETTLE:
            connection.execute(text(statement))
    engine.dispose()
    pages = {page.name: Asked(page.name, "GET", page.path.replace("%s", str(old))) for page in PAGES}
    try:
        with stage.serving(database=name) as server:
            yield Place(server.port, pages, web, {page: [] for page in pages})
    finally:
        web.dispose()

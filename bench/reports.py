"""Posting a report among a million, beside few: by software over HTTP, and by somebody signed in who has some there.

The earlier reports of a sign-in are looked for before anything is added, so that way asks the most of the database.
"""

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from urllib.parse import urlencode
from uuid import uuid4

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from bench.report import Figure, Report, percentile, table
from bench.stage import Stage
from portal.city import City, load_city
from portal.composition import city_file
from portal.gateways.clock import SystemClock
from portal.gateways.database.connections import connect
from portal.ordinance.nuisances import Nuisance
from portal.schema.roles import WEB
from portal.services.reports.answers import Attestation, ReportAnswers
from portal.services.reports.file_report import Sender, file_report
from portal.services.reports.follow_report import WayIn
from portal.services.reports.open311_keys import add_key
from portal.services.secrets import new_token

FEW, MANY = 3_000, 1_000_000
MOST = 1.3
POSTS_A_ROUND = 50
OF_PAT = 5
ATTESTED = Attestation(typed_name=None, version="bench", notice_version="bench")
KINDS = ", ".join(f"'{kind}'" for kind in Nuisance)
# Three years of reports, each with its reporter, two links and something said on it. Every row is checked before: the
# foreign keys need not look again.
FILL = (
    "SET LOCAL session_replication_role = replica",
    f"""
    INSERT INTO animal_control.report
        (id, reference, kind, place_text, place_key, animal_description, whose_text, narrative, created_at, changed_at)
    SELECT md5('report ' || n)::uuid, 'R' || n, (ARRAY[{KINDS}])[1 + n % {len(Nuisance)}], n || ' Idaho Ave',
        n || ' idaho ave', 'A brown dog', 'Next door', repeat('It barks all night. ', 10),
        now() - n % 1000 * interval '1 day', now() - n % 1000 * interval '1 day'
    FROM generate_series(1, :many) AS n
    """,  # noqa: S608 - ours
    """
    INSERT INTO confidential.reporter
        (report_id, account_id, email, email_key, attested_at, attestation_version, notice_version)
    SELECT md5('report ' || n)::uuid, CASE WHEN n <= :of_pat THEN (SELECT id FROM portal.account LIMIT 1) END,
        n || '@example.com', n || '@example.com', now(), '1', '1'
    FROM generate_series(1, :many) AS n
    """,
    """
    INSERT INTO confidential.report_link (token_hash, report_id, purpose)
    SELECT encode(sha256(convert_to(purpose || n, 'UTF8')), 'hex'), md5('report ' || n)::uuid, purpose
    FROM generate_series(1, :many) AS n, unnest(ARRAY['follow', 'status']) AS purpose
    """,
    """
    INSERT INTO animal_control.report_update (report_id, by, kind, text)
    SELECT md5('report ' || n)::uuid, 'reporter', 'incident', 'Again' FROM generate_series(1, :many) AS n
    """,
)
PAT = text("SELECT id, email FROM portal.account LIMIT 1")
SETTLE = ("VACUUM (ANALYZE)", "CHECKPOINT")
# Before each round: no limit stands in the way, and Pat has as few reports as at first.
ANEW = (
    text("DELETE FROM portal.rate_limit"),
    text(
        "UPDATE confidential.reporter SET account_id = NULL, email_key = NULL "
        "WHERE account_id = (SELECT id FROM portal.account LIMIT 1) AND attestation_version = 'bench'"
    ),
)


@dataclass
class Place:
    """A database with so many reports, its portal, and what posting there took."""

    server: http.client.HTTPConnection
    key: str
    web: Engine
    owner: Engine
    taken: dict[str, list[float]] = field(default_factory=dict)

    def p95_ms(self, way: str) -> float:
        """Of all the posts."""
        return 1000 * percentile(self.taken[way], 0.95)


def measure(stage: Stage, report: Report, *, reports: int, rounds: int) -> None:
    city = load_city(city_file("benson"))
    with _place(stage, FEW) as few, _place(stage, reports) as many:
        ways: dict[str, Callable[[Place], None]] = {
            "by software": _by_software,
            "signed in": lambda place: _signed_in(place, stage.household.token, city),
        }
        for number, way in product(range(-1, rounds), ways):
            for place in (few, many):
                _begin_anew(place)
            # Turn by turn, so that whatever else the machine does falls on both.
            for _, place in product(range(POSTS_A_ROUND), (few, many)):
                begun = time.perf_counter()
                ways[way](place)
                if number >= 0:  # caches and connections filled before
                    place.taken.setdefault(way, []).append(time.perf_counter() - begun)
    rows = []
    for way in ways:
        small, big = few.p95_ms(way), many.p95_ms(way)
        rows.append((way, f"{small:.1f}", f"{big:.1f}", f"{big / small:.2f}"))
        what = f"posting a report, {way}: p95 among {reports} reports, of {FEW}"
        report.add(Figure(what, big / small, "x", at_most=MOST))
    table(f"Posting a report, p95 in ms: {FEW} and {reports} stored", ("way", "few", "many", "ratio"), rows)


@contextmanager
def _place(stage: Stage, reports: int) -> Iterator[Place]:
    name = stage.copied_database(f"reports_{reports}")
    url = stage.postgres.url(name)
    owner, web = create_engine(url), connect(url, role=WEB)
    _fill(owner, reports)
    with Session(owner) as session, session.begin():
        key = add_key(session, name="bench", officer="bench")
    try:
        with stage.serving(database=name) as server:
            yield Place(http.client.HTTPConnection("localhost", server.port, timeout=60), key, web, owner)
    finally:
        web.dispose()
        owner.dispose()


def _fill(owner: Engine, reports: int) -> None:
    with owner.begin() as connection:
        for statement in FILL:
            connection.execute(text(statement), {"many": reports, "of_pat": OF_PAT})
    with owner.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in SETTLE:
            connection.execute(text(statement))


def _begin_anew(place: Place) -> None:
    with place.owner.begin() as connection:
        for statement in ANEW:
            connection.execute(statement)


def _by_software(place: Place) -> None:
    """A report about another place each time, on a connection that stays open."""
    said = {"api_key": place.key, "service_code": "barking", "address_string": f"{uuid4()} Idaho Ave"}
    place.server.request(
        "POST",
        "/open311/v2/requests.json",
        body=urlencode(said | {"description": "It barks all night"}),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    answer = place.server.getresponse()
    told = answer.read().decode()
    if answer.status != 200:
        raise SystemExit(f"A report was answered with {answer.status}: {told}")


def _signed_in(place: Place, token: str, city: City) -> None:
    """Pat's next report, as the portal's pages file it."""
    answers = ReportAnswers(kind=Nuisance.BARKING, place=f"{uuid4()} Idaho Ave", narrative="It barks all night")
    clock = SystemClock(city.time_zone)
    with Session(place.web) as session:
        account = session.execute(PAT).one()
        sender = Sender(
            attestation=ATTESTED,
            account_id=account.id,
            account_email=account.email,
            way=WayIn(sign_in=token),
        )
        file_report(session, answers, sender, key=uuid4(), token=new_token(), city=city, clock=clock)
        session.commit()

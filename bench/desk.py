"""The desk among a million dogs: search by whatever is said, and the pages of a resident, a dog and an address."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from uuid import UUID

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.stage import SECRET_KEY, Stage
from bench.visitor import Asked
from portal.schema.staff import FactorKind, Staff, StaffRole, StaffSignIn
from portal.services.secrets import derived_token, new_token, token_hash
from portal.services.sign_in import email_key
from portal.views.desk.identity import SEEN, TOKEN

MANY = 1_000_000
A_HOME = 3
MOST_MS = 100
# Names as they are: a few hundred dogs of each thousand share a dozen names, one surname of ten is Johnson or Olson.
FILL = (
    """
    INSERT INTO animal_control.premises (id, kind, line1, city, state, postal_code, match_key)
    SELECT md5('premises ' || n)::uuid, 'street', (20000 + n / 50) || ' ' || street, 'Benson', 'MN', '56215',
        (20000 + n / 50) || ' ' || lower(street) || ' benson 56215'
    FROM generate_series(1, :homes) AS n, LATERAL (SELECT
        (ARRAY['Idaho','Atlantic','Pacific','Kansas','Utah','Nevada','Oakwood','Montana','Wisconsin','Nordic'])
            [1 + n % 10] || ' ' || (ARRAY['Ave','St','Rd','Ave N','St SW'])[1 + n / 10 % 5] AS street) AS said
    """,
    """
    INSERT INTO animal_control.person (id, kind, name, email, phone, phone_e164, home_premises_id)
    SELECT md5('person ' || n)::uuid, 'person',
        (ARRAY['Pat','Gavin','María','Zoë','Sven','Ingrid','Amina','Yer','Linh','John','Anne','Ole','Karin','Ahmed'])
            [1 + n % 14] || ' ' || CASE WHEN n % 10 > 0
            THEN initcap(substr(md5('surname ' || n % 4999), 1, 7))
            ELSE (ARRAY['Johnson','Olson','Larson','Núñez','O’Brien','Müller','Nguyễn'])[1 + n / 10 % 7] END,
        'person' || n || '@example.com', e164, '+1' || e164, md5('premises ' || n)::uuid
    FROM generate_series(1, :homes) AS n, LATERAL (SELECT (2000000000 + n * 23::bigint)::text AS e164) AS said
    """,
    """
    INSERT INTO animal_control.animal (id, species, name, breed, color, sex, microchip, premises_id, state)
    SELECT md5('animal ' || n)::uuid, 'dog',
        CASE WHEN mixed % 1000 = 0 THEN 'Écho' WHEN mixed % 3 = 0
        THEN (ARRAY['Bella','Luna','Max','Pepper','Charlie','Cooper','Lucy','Buddy','Rocky','Daisy','Sadie','Bear'])
            [1 + mixed / 3 % 12]
        ELSE initcap(substr(md5('name ' || mixed % 20011), 1, 5)) END,
        'Labrador', 'black', 'female',
        CASE WHEN n % 10 > 0 THEN (ARRAY['985112','985141','982000','956000','900164','991001'])[1 + mixed % 6]
            || lpad((mixed::bigint * 48271 % 1000000000)::text, 9, '0') END,
        md5('premises ' || (n - 1) / 3 + 1)::uuid, CASE WHEN n % 33 = 0 THEN 'died' ELSE 'kept' END
    FROM generate_series(1, :homes * 3) AS n, LATERAL (SELECT abs(hashint4(n)) AS mixed) AS said
    """,
    """
    INSERT INTO animal_control.keeper (id, animal_id, person_id, role, since)
    SELECT md5('keeper ' || n)::uuid, md5('animal ' || n)::uuid, md5('person ' || (n - 1) / 3 + 1)::uuid, 'owner', now()
    FROM generate_series(1, :homes * 3) AS n
    """,
    """
    INSERT INTO animal_control.license
        (id, animal_id, year, valid_from, valid_until, basis, number, state, delivery, proof_code, issued_at)
    SELECT md5('license ' || n)::uuid, md5('animal ' || n)::uuid, 2025, '2025-01-01', '2025-12-31', 'fee', n, 'issued',
        'mail', 'B' || n, now()
    FROM generate_series(1, :homes * 3) AS n
    """,
    "INSERT INTO animal_control.license_counter (year, last_number) VALUES (2025, :homes * 3) ON CONFLICT DO NOTHING",
    """
    INSERT INTO animal_control.event (kind, subject_table, subject_id, actor)
    SELECT 'animal.registered', 'animal', md5('animal ' || n)::uuid, 'system'
    FROM generate_series(1, :homes * 3) AS n
    """,
)
PAGES = (
    Asked("a name without its accent", "GET", "/desk/search?q=echo"),
    Asked("a name of 28,000 dogs", "GET", "/desk/search?q=bella"),
    Asked("two letters", "GET", "/desk/search?q=be"),
    Asked("dog and keeper", "GET", "/desk/search?q=pepper%20johnson"),
    Asked("a person", "GET", "/desk/search?q=zoe%20nguyen"),
    Asked("four digits", "GET", "/desk/search?q=4271"),
    Asked("a chip's beginning", "GET", "/desk/search?q=985112"),
    Asked("a chip's middle", "GET", "/desk/search?q=2000123"),
    Asked("a phone", "GET", "/desk/search?q=(200)%20230-0004"),
    Asked("a phone's end", "GET", "/desk/search?q=230-0004"),
    Asked("an address", "GET", "/desk/search?q=21310%20Idaho%20Avenue"),
    Asked("a street", "GET", "/desk/search?q=idaho%20ave"),
    Asked("a tag", "GET", "/desk/search?q=2025-4271"),
    Asked("nothing", "GET", "/desk/search?q=zzzzzz%20qqqqq"),
    Asked("the queue", "GET", "/desk"),
    Asked("a resident", "GET", "/desk/people/%person"),
    Asked("a dog", "GET", "/desk/dogs/%animal"),
    Asked("a home", "GET", "/desk/places/%premises"),
)
INDEXES_OF_WORDS = (
    "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
    "JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam WHERE amname = 'gin'"
)
SETTLE = ("VACUUM (ANALYZE)", "CHECKPOINT")


@dataclass(frozen=True)
class Filled:
    """A database with so many dogs, and a cookie of somebody at the desk."""

    name: str
    cookie: str


def measure(stage: Stage, report: Report, *, dogs: int, rounds: int, seconds: float) -> None:
    with _filled(stage, dogs) as filled, stage.serving(database=filled.name) as server:
        rows = []
        pages = [Asked(page.name, page.method, _with_keys(page.path), cookie=filled.cookie) for page in PAGES]
        for page in pages:
            run(server.port, page, seconds=0.5)
        for page in pages:
            loads = [run(server.port, page, seconds=seconds, connections=1) for _ in range(rounds)]
            p95_ms = 1000 * median(percentile(load.latencies, 0.95) for load in loads)
            rows.append((page.name, f"{p95_ms:.1f}"))
            report.add(Figure(f"desk, {page.name}: p95 at {dogs} dogs", p95_ms, "ms", at_most=MOST_MS))
        table(f"The desk at {dogs} dogs", ("page", "p95 in ms"), rows)


@contextmanager
def _filled(stage: Stage, dogs: int) -> Iterator[Filled]:
    name = stage.copied_database("desk")
    engine = create_engine(stage.postgres.url(name))
    with engine.begin() as connection:
        # As a restore does: an index of words is made at once, and not word by word.
        words = connection.execute(text(INDEXES_OF_WORDS)).all()
        for index, _ in words:
            connection.execute(text(f"DROP INDEX {index}"))
        for statement in FILL:
            connection.execute(text(statement), {"homes": dogs // A_HOME})
        for _, definition in words:
            connection.execute(text(definition))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in SETTLE:
            connection.execute(text(statement))
    token, now = new_token(), datetime.now(UTC)
    with Session(engine) as session, session.begin():
        email = "olsen@benson.example"
        staff = Staff(
            email=email, email_key=email_key(email), role=StaffRole.OFFICER, added_by="bench", set_up_until=now
        )
        session.add(staff)
        session.flush()
        session.add(
            StaffSignIn(
                staff_id=staff.id,
                token_hash=token_hash(token),
                proved_by=FactorKind.APP,
                proved_at=now,
                expires_at=now + timedelta(hours=10),
            )
        )
    engine.dispose()
    yield Filled(name, _cookie(token, now))


def _cookie(token: str, now: datetime) -> str:
    """The desk's cookie of a browser that is signed in, signed as the desk signs it."""
    app = Flask(__name__)
    app.secret_key = derived_token("desk", key=SECRET_KEY)
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signer is not None
    return f"desk={signer.dumps({TOKEN: token, SEEN: int(now.timestamp())})}"


def _with_keys(path: str) -> str:
    for table_name in ("person", "animal", "premises"):
        path = path.replace(f"%{table_name}", _key(table_name))
    return path


def _key(table_name: str) -> str:
    return str(UUID(hashlib.md5(f"{table_name} 4271".encode(), usedforsecurity=False).hexdigest()))

"""A portal as a small city runs it: `portal run` with its own database, three thousand dogs, clinics, staff, keys."""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from uuid import UUID

from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.orm import Session

from bench.household import add_neighbors, move_in
from bench.stage import SECRET_KEY
from bench.visitor import get
from portal.city import load_city
from portal.cli.environment import ready_database
from portal.composition import city_file, compose
from portal.demo.notices import add_sample_notices
from portal.gateways.clock import SystemClock
from portal.schema.accounts import Account, SignIn
from portal.schema.clinics import Clinic, ClinicState
from portal.schema.migrate import upgrade
from portal.schema.roles import WEB
from portal.schema.staff import FactorKind, StaffRole, StaffSignIn
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token
from portal.services.reports.open311_keys import add_key
from portal.services.secrets import derived_token, new_token, token_hash
from portal.services.staff.members import add_staff
from portal.settings import Settings

HOUSEHOLDS = 1000
KNOWN = 200
CLINICS, SOFTWARE, STAFF = 6, 8, 6
STARTS_WITHIN_SECONDS = 120
STOPS_WITHIN_SECONDS = 60
CODE = re.compile(r"^ {4}(\d{6})\s*$", re.MULTILINE)
# The neighbors' licenses are copies and took no number from the counter.
NUMBERS_GO_ON = """
    UPDATE animal_control.license_counter counter SET last_number =
        (SELECT max(number) FROM animal_control.license license WHERE license.year = counter.year)
"""
LONGEST_LETTER_WAIT_SECONDS = 60


@dataclass(frozen=True)
class Place:
    """The running portal, and those who are known there."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]
    engine: Engine
    residents: tuple[str, ...]  # the tokens of their browsers
    clinics: tuple[str, ...]
    keys: tuple[str, ...]
    staff: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def mail(self) -> Path:
        return self.folder / "mail"

    def value(self, statement: str) -> int:
        """The one number a SELECT finds."""
        with self.engine.connect() as connection:
            return int(connection.scalar(text(statement)) or 0)


@contextmanager
def running(folder: Path) -> Iterator[Place]:
    """Fill it, start it, and stop it whatever happens."""
    port = _free_ports()
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "PORTAL_DATA": str(folder),
        "PORT": str(port),
        "SECRET_KEY": SECRET_KEY,
        "TRUSTED_PROXIES": "1",
    }
    settings = Settings.from_environment(environment)
    with ready_database(settings) as database:
        upgrade(database.url)
        move_in(settings, database.url)
        add_neighbors(database.url, HOUSEHOLDS)
        add_sample_notices(compose(settings, database_url=database.url, role=WEB))
        engine = create_engine(database.url, pool_size=2)
        with engine.begin() as connection:
            connection.execute(text(NUMBERS_GO_ON))
        known = _let_in(engine, SystemClock(load_city(city_file(settings.city)).time_zone))
        with (folder / "run.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "portal.cli", "run"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            _wait_for(port, process)
            yield Place(port, folder, process, engine, *known, tags=_tags(engine))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOPS_WITHIN_SECONDS)
            engine.dispose()


def _free_ports() -> int:
    """A port that is free, with the next one free too."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as one:
            port: int = one.getsockname()[1]
            try:
                socket.create_server(("127.0.0.1", port + 1)).close()
            except OSError:
                continue
            return port


def _let_in(
    engine: Engine, clock: SystemClock
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    ends = clock.now() + timedelta(days=2)
    with Session(engine) as session, session.begin():
        residents = []
        for account in session.scalars(select(Account).where(Account.person_id.is_not(None)).limit(KNOWN)):
            residents.append(new_token())
            session.add(SignIn(account_id=account.id, token_hash=token_hash(residents[-1]), expires_at=ends))
        clinics = [_clinic(session, number, clock) for number in range(CLINICS)]
        tokens = [
            make_token(session, ClinicStaff(one, "A clinic", "a@clinic.example"), name="Software") for one in clinics
        ]
        keys = [add_key(session, name=f"Software {number}", officer="bench") for number in range(SOFTWARE)]
        staff = [_staff(session, number, clock) for number in range(STAFF)]
    return tuple(residents), tuple(tokens), tuple(keys), tuple(staff)


def _tags(engine: Engine) -> tuple[str, ...]:
    """What stands on the tags that dogs wear."""
    with engine.connect() as connection:
        return tuple(connection.scalars(text("SELECT year || '-' || number FROM animal_control.tag LIMIT 300")))


def _clinic(session: Session, number: int, clock: SystemClock) -> UUID:
    email = f"desk{number}@clinic.example"
    clinic = Clinic(
        name=f"Clinic {number}",
        address="200 Atlantic Ave, Benson, MN 56215",
        phone="(320) 555-0150",
        email=email,
        email_key=email,
        state=ClinicState.APPROVED,
        decided_at=clock.now(),
        decided_by="bench",
    )
    session.add(clinic)
    session.flush()
    return clinic.id


def _staff(session: Session, number: int, clock: SystemClock) -> str:
    """Somebody at the desk, their second step taken."""
    role = StaffRole.OFFICER if number % 2 else StaffRole.CLERK
    staff = add_staff(session, email=f"staff{number}@benson.example", role=role, by="bench", clock=clock)
    session.flush()
    token, now = new_token(), clock.now()
    session.add(
        StaffSignIn(
            staff_id=staff.id,
            token_hash=token_hash(token),
            proved_by=FactorKind.APP,
            proved_at=now,
            expires_at=now + timedelta(days=1),
        )
    )
    return token


def desk_key() -> str:
    """What the desk's cookies are signed with."""
    return derived_token("desk", key=SECRET_KEY)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTS_WITHIN_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if get(port, "/health/ready").status == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit("The portal did not start")


class Mailbox:
    """Everybody's letters: read as they come, the codes kept by address, the files thrown away."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._codes: dict[str, str] = {}
        self.letters = 0

    def look(self) -> None:
        """Read what is new."""
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob("*.eml")):
            message = message_from_bytes(path.read_bytes(), policy=default)
            path.unlink()
            self.letters += 1
            body = message.get_body(("plain",))
            if body and (found := CODE.search(body.get_content())):
                self._codes[str(message["To"])] = found[1]

    def code(self, email: str) -> str:
        """The newest code for somebody; waits for the letter. Empty when none comes."""
        until = time.monotonic() + LONGEST_LETTER_WAIT_SECONDS
        while email not in self._codes:
            if time.monotonic() > until:
                return ""
            time.sleep(0.05)
        return self._codes.pop(email)


def new_email() -> str:
    return f"soak-{secrets.token_hex(6)}@example.com"

"""A portal that can be reached, however it was started: its addresses, its books, its letters."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from sqlalchemy.exc import OperationalError

from portal.city import City, load_city
from portal.composition import city_file
from portal.gateways.clock import SystemClock
from portal.schema.accounts import SignIn
from portal.services.secrets import new_token, token_hash
from portal.views.identity import TOKEN
from tests.faults.figures import Figures
from tests.support.database import Database
from tests.support.owing import committed

SECRET_KEY = "a key for killing tests that is long enough"
CITY: City = load_city(city_file("benson"))
# What only the passing of five minutes would bring about: the lease of a letter that a dead worker held is over.
LEASES_END = "UPDATE portal.outgoing_message SET not_before = now() WHERE sent_at IS NULL AND failed_at IS NULL"
WAKE_WORKER = "NOTIFY portal_outbox"
ATTEMPTS_AGE = "UPDATE animal_control.payment SET created_at = created_at - interval '2 minutes'"


@dataclass
class Place:
    """What people, officers and auditors need of a portal."""

    folder: Path
    database: Database
    figures: Figures

    @property
    def url(self) -> str:
        """Where people reach the portal."""
        raise NotImplementedError

    @property
    def practice_url(self) -> str:
        """Where they reach the processor's page."""
        raise NotImplementedError

    def logs(self) -> dict[str, str]:
        """The end of what each program has printed."""
        raise NotImplementedError

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def clock(self) -> SystemClock:
        return SystemClock(CITY.time_zone)

    def letters_as_files(self) -> list[bytes]:
        """What lies in the mail folder."""
        return [path.read_bytes() for path in (self.data / "mail").glob("*.eml")]

    def leases_end(self) -> None:
        """Five minutes later: what was claimed and is not noted as sent is due again."""
        self.database.run(LEASES_END)
        self.database.run(WAKE_WORKER)

    def attempts_grow_old(self) -> None:
        """Two minutes later: a payment that nobody told the end of is asked about."""
        self.database.run(ATTEMPTS_AGE)

    def is_database_there(self) -> bool:
        try:
            return bool(self.database.value("SELECT true"))
        except OperationalError:
            return False

    def cookie(self, account_id: UUID) -> str:
        """What a browser keeps in which the person is signed in."""
        token, clock = new_token(), self.clock
        with committed(self.database.engine) as session:
            ends = clock.now() + timedelta(days=1)
            session.add(SignIn(account_id=account_id, token_hash=token_hash(token), expires_at=ends))
        app = Flask(__name__)
        app.secret_key = SECRET_KEY
        serializer = SecureCookieSessionInterface().get_signing_serializer(app)
        assert serializer is not None
        return str(serializer.dumps({TOKEN: token}))

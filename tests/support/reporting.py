"""Reports as people send them, with and without a name, and the browser's tokens that open them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.clock import FixedClock
from portal.gateways.database.connections import connect
from portal.ordinance.nuisances import Nuisance
from portal.schema.accounts import Account, SignIn
from portal.schema.roles import DESK
from portal.services.reports.add_to_report import add_incident
from portal.services.reports.answers import Attestation, EpisodeAnswers, Identity, Incident, ReportAnswers
from portal.services.reports.file_report import Filed, Sender, file_report
from portal.services.reports.follow_report import WayIn
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import SIGN_IN_LASTS, email_key
from tests.support.database import Database

NEXT_DOOR = "1312 Idaho Ave, Benson, MN 56215"
ATTESTED = Attestation(typed_name="Robin Moe", version="2026-11", notice_version="2026-11")
ROBIN = Identity(name="Robin Moe", email="robin@example.com", phone="320-555-0177", address="1310 Idaho Ave")


@dataclass(frozen=True)
class SignedIn:
    """Somebody's live sign-in: the token is the browser's."""

    account_id: UUID
    email: str
    token: str

    @property
    def way(self) -> WayIn:
        return WayIn(sign_in=self.token)

    def sender(self, **more: Any) -> Sender:
        return replace(
            Sender(attestation=ATTESTED, account_id=self.account_id, account_email=self.email, way=self.way), **more
        )


@dataclass(frozen=True)
class Sent:
    """A report that was sent, and the private link that opens it."""

    filed: Filed
    token: str

    @property
    def id(self) -> UUID:
        return self.filed.report_id

    @property
    def way(self) -> WayIn:
        return WayIn(link=self.token)


@dataclass
class Reporting:
    """What people and officers do, each in the role that serves them."""

    gateways: Gateways
    clock: FixedClock
    database: Database
    desk_engine: Engine

    @contextmanager
    def portal(self) -> Iterator[Session]:
        """A transaction of the web process."""
        with Session(self.gateways.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def desk(self) -> Iterator[Session]:
        """A transaction of the city's desk."""
        with Session(self.desk_engine, expire_on_commit=False) as session, session.begin():
            yield session

    def sign_in(self, email: str) -> SignedIn:
        """Somebody signs in."""
        token = new_token()
        with self.portal() as session:
            account = Account(email=email, email_key=email_key(email))
            session.add(account)
            session.flush()
            expires_at = self.clock.now() + SIGN_IN_LASTS
            session.add(SignIn(account_id=account.id, token_hash=token_hash(token), expires_at=expires_at))
            account_id = account.id
        return SignedIn(account_id, email, token)

    def send(
        self,
        kind: Nuisance = Nuisance.BARKING,
        *,
        sender: Sender | None = None,
        key: UUID | None = None,
        token: str | None = None,
        **more: Any,
    ) -> Sent:
        """Somebody sends a report; without a sender, one without a name."""
        said: dict[str, Any] = {"place": NEXT_DOOR, "narrative": "It barks all night", "animal": "A brown dog"}
        answers = ReportAnswers(kind=kind, **(said | more))
        token = token or new_token()
        with self.portal() as session:
            filed = file_report(
                session,
                answers,
                sender or Sender(attestation=ATTESTED),
                key=key or uuid4(),
                token=token,
                city=self.gateways.city,
                clock=self.clock,
            )
        return Sent(filed, token)

    def again(self, sent: Sent, *, way: WayIn | None = None, key: UUID | None = None, **more: Any) -> None:
        """It happened again, as its reporter writes on the report's page."""
        with self.portal() as session:
            add_incident(
                session,
                way or sent.way,
                report_id=sent.id,
                incident=Incident(**({"text": "Again"} | more)),
                key=key or uuid4(),
                city=self.gateways.city,
                clock=self.clock,
            )


def heard(started_at: datetime, ended_at: datetime) -> EpisodeAnswers:
    """Barking that somebody noted."""
    return EpisodeAnswers(id=uuid4(), started_at=started_at, ended_at=ended_at)


@pytest.fixture
def reporting(gateways: Gateways, clock: FixedClock, database: Database) -> Iterator[Reporting]:
    """People who report, and officers who look."""
    engine = connect(database.url, role=DESK, pool_size=2)
    yield Reporting(gateways, clock, database, engine)
    engine.dispose()

"""What the worker's jobs work with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways, compose
from portal.gateways.database.connections import connect, is_pooled
from portal.gateways.mail.bounce_box import BounceBox, bounce_box_from
from portal.gateways.mail.door import Mailer, mailer_from
from portal.gateways.reading.reader import ChildReader, Reader
from portal.gateways.texts.door import NoTexts, TextSender, text_sender_from
from portal.schema.roles import WORKER
from portal.settings import Settings


@dataclass(frozen=True)
class Parts:
    """The outside world, mailer and texts, the portal's own address and keys, and who reads certificates."""

    gateways: Gateways
    mailer: Mailer
    base_url: str
    secret_key: str
    texts: TextSender = field(default_factory=NoTexts)
    reader: Reader = field(default_factory=ChildReader)
    earlier_keys: tuple[str, ...] = ()
    bounces: BounceBox | None = None
    ear: Engine | None = None
    """Where to hear of what is announced; None where there is only a pooler, and then the schedule is quick enough."""

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """The key that signs, and those that still verify."""
        return (self.secret_key, *self.earlier_keys)

    @property
    def host(self) -> str:
        """The right side of every Message-ID."""
        return urlsplit(self.base_url).hostname or "localhost"

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Commit all of what the block did, or none of it."""
        with Session(self.gateways.engine, expire_on_commit=False) as session, session.begin():
            yield session


def parts_from(settings: Settings, database_url: str, *, say: Callable[[str], None]) -> Parts:
    """The parts the settings ask for; `say` tells a person where a letter lies that went nowhere."""
    gateways = compose(settings, database_url=database_url, role=WORKER)
    return Parts(
        gateways=gateways,
        mailer=mailer_from(
            settings.mail_url,
            sender=settings.mail_from,
            folder=settings.mail_folder,
            announce=say,
            bounces=settings.bounces.address,
        ),
        base_url=settings.base_url,
        secret_key=settings.secret_keys[0],
        texts=text_sender_from(
            settings.sms.url,
            token=settings.sms.token,
            folder=settings.text_folder,
            announce=say,
            status_url=f"{settings.base_url}/sms/twilio/status",
        ),
        earlier_keys=settings.secret_keys[1:],
        bounces=bounce_box_from(settings.bounces.url),
        ear=_ear(settings, gateways.engine, database_url),
    )


def _ear(settings: Settings, engine: Engine, url: str) -> Engine | None:
    if not is_pooled(url):
        return engine
    direct = settings.direct_database_url
    return connect(direct, role=WORKER, pool_size=1) if direct else None

"""Everything the environment says, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from portal.settings.database import database_problems, database_url
from portal.settings.keys import backup_recipients, key_problems, metrics_tokens, secret_keys
from portal.settings.mail import BounceSettings, mail_problems
from portal.settings.reading import LOCAL_HOSTS, Values, host_of, listed, scheme_problems, split, whole_number
from portal.settings.stripe import StripeSettings, stripe_problems
from portal.settings.texts import SmsSettings, text_problems

REQUIRED_IN_PUBLIC = (
    "DATABASE_URL",
    "MAIL_FROM",
    "MAIL_URL",
    "SECRET_KEY",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
)


class Desk(StrEnum):
    """Whether this process serves the city's desk, which reads what no public page may."""

    BESIDE = "beside"
    ALONE = "alone"
    OFF = "off"


class SettingsError(Exception):
    """The portal can't start with this environment; the message tells which variables and why."""


@dataclass(frozen=True)
class Settings:
    """The environment of one run. Secrets, and addresses that may hold passwords, stay out of `repr`."""

    base_url: str
    port: int
    data: Path
    city: str
    secret_keys: tuple[str, ...] = field(repr=False)
    database_url: str | None = field(repr=False)
    storage_url: str = field(repr=False)
    mail_url: str | None = field(repr=False)
    mail_from: str
    stripe: StripeSettings
    sms: SmsSettings
    trusted_proxies: int = 0
    metrics_tokens: tuple[str, ...] = field(default=(), repr=False)
    desk: Desk = Desk.BESIDE
    desk_database_url: str | None = field(default=None, repr=False)
    bounces: BounceSettings = field(default_factory=BounceSettings)
    direct_database_url: str | None = field(default=None, repr=False)
    replica_url: str | None = field(default=None, repr=False)
    backup_recipients: tuple[str, ...] = ()
    clamd_url: str | None = None

    @property
    def is_local(self) -> bool:
        """True where stand-ins may be used: the base address is this machine's own."""
        return urlsplit(self.base_url).hostname in LOCAL_HOSTS

    @property
    def serves(self) -> str:
        """How the process that serves the pages is called in its log."""
        return "desk" if self.desk is Desk.ALONE else "web"

    @property
    def uses_embedded_database(self) -> bool:
        return self.database_url is None

    @property
    def mail_folder(self) -> Path:
        """Where messages lie as files when there is no MAIL_URL."""
        return self.data / "mail"

    @property
    def text_folder(self) -> Path | None:
        """Where texts lie as files when there is no SMS_URL; None in public, where none are offered then."""
        return self.data / "texts" if self.is_local else None

    @property
    def postgres_folder(self) -> Path:
        """Where the embedded PostgreSQL lives when there is no DATABASE_URL."""
        return self.data / "postgres"

    @property
    def practice_port(self) -> int:
        """The practice processor and mailbox listen one port above the portal."""
        return self.port + 1

    @property
    def practice_url(self) -> str:
        return f"http://localhost:{self.practice_port}"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Self:
        """Read and check every variable; raise one `SettingsError` that names all that is wrong.

        With a local base address and no SECRET_KEY, a key is made once and kept in PORTAL_DATA/secret_key.
        """
        values = {name: value.strip() for name, value in environ.items() if value.strip()}
        problems: list[str] = []
        port = whole_number(values, "PORT", default=8000, low=1, high=65534, problems=problems)
        proxies = whole_number(values, "TRUSTED_PROXIES", default=0, low=0, high=10, problems=problems)
        base_url = values.get("BASE_URL", f"http://localhost:{port}").rstrip("/")
        is_local = host_of(base_url) in LOCAL_HOSTS
        desk = values.get("PORTAL_DESK", Desk.BESIDE)
        if desk not in set(Desk):
            problems.append(f"PORTAL_DESK must be {listed(list(Desk), last='or')}, not “{desk}”")
        problems += _address_problems(base_url)
        problems += _missing_in_public(values, base_url) if not is_local else []
        problems += key_problems(values)
        problems += database_problems(values, has_desk_beside=desk == Desk.BESIDE)
        problems += stripe_problems(values, is_local=is_local)
        problems += text_problems(values)
        problems += mail_problems(values)
        problems += scheme_problems(values, "STORAGE_URL", "file", "s3")
        problems += scheme_problems(values, "CLAMD_URL", "unix", "tcp")
        if problems:
            raise SettingsError(f"The portal can't start: {'; '.join(problems)}.")
        data = Path(values.get("PORTAL_DATA", "var")).absolute()
        keys = secret_keys(values, kept_at=data / "secret_key")
        return cls(
            base_url=base_url,
            port=port,
            data=data,
            city=values.get("PORTAL_CITY", "benson"),
            secret_keys=keys,
            database_url=database_url(values.get("DATABASE_URL")),
            storage_url=values.get("STORAGE_URL", (data / "files").as_uri()),
            mail_url=values.get("MAIL_URL"),
            mail_from=values.get("MAIL_FROM", "animal-portal@localhost"),
            stripe=StripeSettings.of(values, keys[0], practice_url=f"http://localhost:{port + 1}"),
            sms=SmsSettings.of(values, keys[0], is_local=is_local),
            trusted_proxies=proxies,
            metrics_tokens=metrics_tokens(values),
            desk=Desk(desk),
            desk_database_url=database_url(values.get("DESK_DATABASE_URL")),
            bounces=BounceSettings.of(values),
            direct_database_url=database_url(values.get("DATABASE_DIRECT_URL")),
            replica_url=database_url(values.get("DATABASE_REPLICA_URL")),
            backup_recipients=backup_recipients(values),
            clamd_url=values.get("CLAMD_URL"),
        )


def _address_problems(base_url: str) -> list[str]:
    """Links in messages, cookies and the processor's return address are built from the base address alone."""
    parts = split(base_url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        return ["BASE_URL must be an address such as https://animals.example.gov"]
    if parts.path or parts.query or parts.fragment or parts.username or parts.password:
        return ["BASE_URL must be a scheme, a host and at most a port, with nothing after them"]
    if ":" in parts.hostname:  # Werkzeug checks the Host header against names and IPv4 addresses alone
        return ["BASE_URL must name its host: for this machine say localhost instead of [::1]"]
    if parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS:
        return ["BASE_URL must begin with https:// unless it is this machine’s own (localhost)"]
    return []


def _missing_in_public(values: Values, base_url: str) -> list[str]:
    """What stands in for the real parts is for one's own machine."""
    missing = [name for name in REQUIRED_IN_PUBLIC if name not in values]
    if not missing:
        return []
    return [
        f"with the public address {host_of(base_url)} set {listed(missing)} too, because practice cards, "
        "messages as files, the embedded database and a generated secret are only for a local address"
    ]

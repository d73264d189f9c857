"""What the environment says: read once at the start, checked whole, then passed on as a value."""

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from enum import StrEnum
from pathlib import Path
from typing import Self
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})
REQUIRED_IN_PUBLIC = (
    "DATABASE_URL",
    "MAIL_FROM",
    "MAIL_URL",
    "SECRET_KEY",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
)
DATABASES = ("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL", "DESK_DATABASE_URL")
POOLER = "pooler"
POOLERS = frozenset({"transaction", "transaction-prepared"})
SMS_TOGETHER = ("SMS_URL", "SMS_TOKEN", "SMS_SECRET")
SHORTEST_SECRET_KEY = 32
SHORTEST_METRICS_TOKEN = 20
# Sixty-four characters may stand before the @; what names the letter takes fifty of them.
LONGEST_BOUNCE_NAME = 14
PRACTICE_SECRET_KEY = "sk_test_practice"  # noqa: S105 - the practice processor takes any key; it is not a secret


class Desk(StrEnum):
    """Whether this process serves the city's desk, which reads what no public page may."""

    BESIDE = "beside"
    ALONE = "alone"
    OFF = "off"


class SettingsError(Exception):
    """The portal can't start with this environment; the message tells which variables and why."""


@dataclass(frozen=True)
class StripeSettings:
    """Where card payments go: Stripe itself, or the practice processor that speaks the same HTTP."""

    secret_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    api_base: str | None
    is_practice: bool


@dataclass(frozen=True)
class SmsSettings:
    """Where texts go: a provider's address, or files where the portal is local; and what signs those that come in."""

    url: str | None = field(repr=False)
    token: str = field(repr=False)
    secret: str = field(repr=False)
    is_offered: bool
    twilio_token: str = field(default="", repr=False)
    """What Twilio signs with, where it is the provider."""


@dataclass(frozen=True)
class BounceSettings:
    """Where letters come back to that can't be delivered, and the mailbox in which that is read."""

    address: str | None = None
    url: str | None = field(default=None, repr=False)


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
    bounces: BounceSettings = BounceSettings()
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
        port = _whole_number(values, "PORT", default=8000, low=1, high=65534, problems=problems)
        proxies = _whole_number(values, "TRUSTED_PROXIES", default=0, low=0, high=10, problems=problems)
        if (desk := values.get("PORTAL_DESK", Desk.BESIDE)) not in set(Desk):
            problems.append(f"PORTAL_DESK must be {_listed(list(Desk), last='or')}, not “{desk}”")
        base_url = values.get("BASE_URL", f"http://localhost:{port}").rstrip("/")
        problems += _address_problems(base_url)
        problems += _service_problems(values, is_local=_host_of(base_url) in LOCAL_HOSTS, base_url=base_url)
        if problems:
            raise SettingsError(f"The portal can't start: {'; '.join(problems)}.")
        data = Path(values.get("PORTAL_DATA", "var")).absolute()
        secret_keys = _secret_keys(values) or (_kept_secret(data / "secret_key"),)
        return cls(
            base_url=base_url,
            port=port,
            data=data,
            city=values.get("PORTAL_CITY", "benson"),
            secret_keys=secret_keys,
            database_url=_database_url(values.get("DATABASE_URL")),
            storage_url=values.get("STORAGE_URL", (data / "files").as_uri()),
            mail_url=values.get("MAIL_URL"),
            mail_from=values.get("MAIL_FROM", "animal-portal@localhost"),
            stripe=_stripe(values, secret_keys[0], practice_url=f"http://localhost:{port + 1}"),
            sms=_sms(values, secret_keys[0], is_local=_host_of(base_url) in LOCAL_HOSTS),
            trusted_proxies=proxies,
            metrics_tokens=_several(values, "METRICS_TOKEN"),
            desk=Desk(desk),
            desk_database_url=_database_url(values.get("DESK_DATABASE_URL")),
            bounces=BounceSettings(values.get("BOUNCE_ADDRESS"), values.get("BOUNCE_URL")),
            direct_database_url=_database_url(values.get("DATABASE_DIRECT_URL")),
            replica_url=_database_url(values.get("DATABASE_REPLICA_URL")),
            backup_recipients=_recipients(values),
            clamd_url=values.get("CLAMD_URL"),
        )


def _whole_number(
    values: Mapping[str, str], name: str, *, default: int, low: int, high: int, problems: list[str]
) -> int:
    text = values.get(name, str(default))
    if text.isascii() and text.isdigit() and low <= int(text) <= high:
        return int(text)
    problems.append(f"{name} must be a whole number from {low} to {high}, not “{text}”")
    return default


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # a port that is no number is only noticed when asked for
    except ValueError:
        return None
    return parts


def _host_of(url: str) -> str | None:
    parts = _split(url)
    return parts.hostname if parts else None


def _address_problems(base_url: str) -> list[str]:
    """Links in messages, cookies and the processor's return address are built from the base address alone."""
    parts = _split(base_url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        return ["BASE_URL must be an address such as https://animals.example.gov"]
    if parts.path or parts.query or parts.fragment or parts.username or parts.password:
        return ["BASE_URL must be a scheme, a host and at most a port, with nothing after them"]
    if ":" in parts.hostname:  # Werkzeug checks the Host header against names and IPv4 addresses alone
        return ["BASE_URL must name its host: for this machine say localhost instead of [::1]"]
    if parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS:
        return ["BASE_URL must begin with https:// unless it is this machine’s own (localhost)"]
    return []


def _service_problems(values: Mapping[str, str], *, is_local: bool, base_url: str) -> list[str]:
    problems = []
    missing = [name for name in REQUIRED_IN_PUBLIC if name not in values]
    if missing and not is_local:
        problems.append(
            f"with the public address {_host_of(base_url)} set {_listed(missing)} too, because practice cards, "
            "messages as files, the embedded database and a generated secret are only for a local address"
        )
    if is_local and ("STRIPE_SECRET_KEY" in values) != ("STRIPE_WEBHOOK_SECRET" in values):
        problems.append("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both, or neither to practice")
    if any(len(key) < SHORTEST_SECRET_KEY for key in _secret_keys(values)):
        problems.append(f"SECRET_KEY must have at least {SHORTEST_SECRET_KEY} characters")
    given = [name for name in SMS_TOGETHER if name in values]
    if _is_twilio(values):
        problems += _twilio_problems(values, given)
    elif len(given) not in (0, len(SMS_TOGETHER)):
        problems.append(f"{_listed(list(SMS_TOGETHER))} go together: {_listed(given)} alone can’t send texts")
    if any(len(token) < SHORTEST_METRICS_TOKEN for token in _several(values, "METRICS_TOKEN")):
        problems.append(f"METRICS_TOKEN must have at least {SHORTEST_METRICS_TOKEN} characters")
    problems += _scheme_problems(values)
    problems += _database_problems(values)
    if values.get("SMS_URL", "").startswith("http:") and _host_of(values["SMS_URL"]) not in LOCAL_HOSTS:
        problems.append("SMS_URL must begin with https: because it carries a token and phones")
    if not all(key.startswith("age1") for key in _recipients(values)):
        problems.append("BACKUP_RECIPIENTS must hold public keys of age, which begin with age1")
    sender = values.get("MAIL_FROM", "portal@localhost")
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        problems.append("MAIL_FROM must be an e-mail address")
    local, at, domain = values.get("BOUNCE_ADDRESS", "bounces@localhost").partition("@")
    if not at or not domain or not local.isascii() or not local.isalnum() or len(local) > LONGEST_BOUNCE_NAME:
        problems.append(
            f"BOUNCE_ADDRESS must be an e-mail address with at most {LONGEST_BOUNCE_NAME} letters before the @, such "
            "as bounces@example.gov"
        )
    return problems


def _is_twilio(values: Mapping[str, str]) -> bool:
    return values.get("SMS_URL", "").startswith("twilio")


def _twilio_problems(values: Mapping[str, str], given: list[str]) -> list[str]:
    """Its address has the account and the token; there is no other secret."""
    problems = []
    parts = _split(values["SMS_URL"])
    if len(given) > 1:
        problems.append("SMS_TOKEN and SMS_SECRET are not for Twilio: its token stands in SMS_URL")
    if parts is None or not parts.username or not parts.password or not parts.hostname or len(parts.path) <= 1:
        problems.append("SMS_URL for Twilio must look like twilio://ACCOUNT:TOKEN@api.twilio.com/+13205550100")
    elif parts.scheme == "twilio+http" and parts.hostname not in LOCAL_HOSTS:
        problems.append("SMS_URL must begin with twilio: because it carries a token and phones")
    return problems


def _scheme_problems(values: Mapping[str, str]) -> list[str]:
    accepted = {
        "BOUNCE_URL": ("imaps", "imap"),
        **dict.fromkeys(DATABASES, ("postgresql", "postgres", "postgresql+psycopg")),
        "CLAMD_URL": ("unix", "tcp"),
        "MAIL_URL": ("smtp", "smtps", "smtp+starttls"),
        "SMS_URL": ("https", "http", "twilio", "twilio+http"),
        "STORAGE_URL": ("file", "s3"),
        "STRIPE_API_BASE": ("https", "http"),
    }
    return [
        f"{name} must begin with {_listed([f'{scheme}:' for scheme in schemes], last='or')}"
        for name, schemes in accepted.items()
        if name in values and values[name].partition(":")[0] not in schemes
    ]


def _listed(names: list[str], *, last: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def _secret_keys(values: Mapping[str, str]) -> tuple[str, ...]:
    """The first signs, the others still verify."""
    return _several(values, "SECRET_KEY")


def _several(values: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Comma separated, so that keys can be changed: the new one stands beside the old one for a while."""
    return tuple(key.strip() for key in values.get(name, "").split(",") if key.strip())


def _recipients(values: Mapping[str, str]) -> tuple[str, ...]:
    """Whoever has the private key to one of these can open a backup."""
    return tuple(values.get("BACKUP_RECIPIENTS", "").replace(",", " ").split())


def _kept_secret(path: Path) -> str:
    """The key made at the first start; linked into place whole, so that two processes agree on one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # the other process was first: its key counts
        finally:
            draft.unlink()
    return path.read_text().strip()


def _database_problems(values: Mapping[str, str]) -> list[str]:
    problems = [
        f"{name} says pooler={pooler}: say {_listed([f'pooler={one}' for one in sorted(POOLERS)], last='or')}"
        for name in DATABASES
        for pooler in parse_qs(values.get(name, "").partition("?")[2], keep_blank_values=True).get(POOLER, ())
        if pooler not in POOLERS
    ]
    if f"{POOLER}=" in values.get("DATABASE_DIRECT_URL", ""):
        problems.append("DATABASE_DIRECT_URL must lead to PostgreSQL itself, past any pooler")
    if "DATABASE_URL" not in values and (lone := [name for name in DATABASES[1:3] if name in values]):
        problems.append(f"{_listed(lone)} without DATABASE_URL would be of no use: set that too")
    login_decides = f"{POOLER}=" in values.get("DATABASE_URL", "")
    if login_decides and "DESK_DATABASE_URL" not in values and values.get("PORTAL_DESK", Desk.BESIDE) == Desk.BESIDE:
        problems.append("behind a pooler the desk needs a login of its own: set DESK_DATABASE_URL, or PORTAL_DESK=off")
    return problems


def _database_url(url: str | None) -> str | None:
    """Hosts hand out `postgres://`; SQLAlchemy wants the driver named, and several hosts after the question mark."""
    if not url:
        return None
    rest = url.partition(":")[2]
    parts = urlsplit(rest)
    user, at, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        each = [host.rpartition(":") if ":" in host else (host, "", "5432") for host in hosts.split(",")]
        told = f"host={','.join(host for host, _, _ in each)}&port={','.join(port for _, _, port in each)}"
        query = f"{told}&{parts.query}" if parts.query else told
        rest = f"//{user}{at}{parts.path}?{query}"
    return f"postgresql+psycopg:{rest}"


def _stripe(values: Mapping[str, str], secret_key: str, *, practice_url: str) -> StripeSettings:
    if "STRIPE_SECRET_KEY" in values:
        return StripeSettings(
            values["STRIPE_SECRET_KEY"],
            values["STRIPE_WEBHOOK_SECRET"],
            values.get("STRIPE_API_BASE"),
            is_practice=False,
        )
    # Derived, so that web, worker and practice processor agree on it without another file.
    webhook_secret = hmac.new(secret_key.encode(), b"practice webhook", hashlib.sha256).hexdigest()
    return StripeSettings(
        PRACTICE_SECRET_KEY,
        f"whsec_{webhook_secret}",
        values.get("STRIPE_API_BASE", practice_url),
        is_practice=True,
    )


def _sms(values: Mapping[str, str], secret_key: str, *, is_local: bool) -> SmsSettings:
    """Without a provider, a local portal keeps texts as files and takes answers signed with a derived secret."""
    if _is_twilio(values):
        token = unquote(urlsplit(values["SMS_URL"]).password or "")
        return SmsSettings(values["SMS_URL"], "", "", is_offered=True, twilio_token=token)
    if "SMS_URL" in values:
        return SmsSettings(values["SMS_URL"], values["SMS_TOKEN"], values["SMS_SECRET"], is_offered=True)
    practice_secret = hmac.new(secret_key.encode(), b"practice texts", hashlib.sha256).hexdigest()
    return SmsSettings(None, "", practice_secret if is_local else "", is_offered=is_local)

"""What the stand-ins need to know."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from portal.gateways.clock import Clock, SystemClock

HOST_NAMES_OF_THIS_MACHINE = ["localhost", "127.0.0.1"]
MACHINE_CLOCK = SystemClock(ZoneInfo("America/Chicago"))


@dataclass(frozen=True)
class PracticeSettings:
    """Where the stand-ins keep their state and whom they call. Nothing here is ever real money or real mail."""

    data: Path  # the folder of practice.sqlite3
    webhook_url: str
    webhook_secret: str
    secret_key: str
    base_url: str  # where payers find the hosted page
    mail_folder: Path
    settle_after_s: float | None = None  # a bank debit settles by itself after this long; None: by hand
    retry_after_s: float = 1.0  # the first pause after a webhook that was not taken; it doubles up to a minute
    clock: Clock = MACHINE_CLOCK

    @property
    def database(self) -> Path:
        """The one file that holds the practice payments."""
        return self.data / "practice.sqlite3"

    @property
    def portal_origin(self) -> str:
        """The portal that these stand-ins serve."""
        return origin_of(self.webhook_url)

    @property
    def trusted_hosts(self) -> list[str]:
        """Other host names are refused, so that no web site can read the practice mail through a name of its own."""
        return [*HOST_NAMES_OF_THIS_MACHINE, urlsplit(self.base_url).hostname or "localhost"]


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"

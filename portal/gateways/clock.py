"""What time it is, asked in one place so that tests and simulations can move it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Protocol
from zoneinfo import ZoneInfo

BENSON = ZoneInfo("America/Chicago")


class Clock(Protocol):
    """Instants are UTC; civil dates are the city's."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...

    def today(self) -> date:
        """The civil date where the city is."""
        ...


@dataclass(frozen=True)
class SystemClock:
    """The machine's clock, read in the city's time zone."""

    zone: ZoneInfo

    def now(self) -> datetime:
        return datetime.now(UTC)

    def today(self) -> date:
        return self.now().astimezone(self.zone).date()


@dataclass
class FixedClock:
    """A clock that stands still until it is moved."""

    at: datetime
    zone: ZoneInfo = BENSON

    def now(self) -> datetime:
        return self.at.astimezone(UTC)

    def today(self) -> date:
        return self.at.astimezone(self.zone).date()

    def move_to(self, at: datetime) -> None:
        self.at = at

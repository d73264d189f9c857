"""What every page and call of the practice app works with."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import current_app

from portal.practice.ledger import Ledger
from portal.practice.settings import PracticeSettings
from portal.practice.store import Store
from portal.practice.webhooks import Courier


@dataclass(frozen=True)
class Office:
    """The settings, the store and the courier of one practice app."""

    settings: PracticeSettings
    store: Store
    courier: Courier

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """One transaction on the payments; the courier hears of new events once it is committed."""
        with self.store.transaction() as db:
            yield Ledger(db, base_url=self.settings.base_url, now=self.now())
        self.courier.wake()

    def now(self) -> int:
        """Whole seconds, as Stripe counts."""
        return int(self.settings.clock.now().timestamp())

    def close(self) -> None:
        """Stop delivering; what is undelivered goes out at the next start."""
        self.courier.stop()


def office() -> Office:
    """The office of the app that is answering."""
    found: Office = current_app.extensions["practice"]
    return found

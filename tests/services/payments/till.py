"""A database of the test's own, and events as the processor tells them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.gateways.clock import FixedClock
from portal.gateways.database.connections import connect
from portal.gateways.payments.processor import Checkout, CheckoutState, EventKind, ProcessorEvent
from portal.schema.orders import Order, Payment
from portal.schema.roles import DESK, WEB
from portal.services.payments.pay_by_card import CardAttempt, begin_card_payment, note_checkout
from portal.services.payments.receive_event import receive_event
from tests.support.owing import Owed, committed
from tests.support.paying import CITY

NOON = datetime(2026, 11, 30, 18, tzinfo=UTC)


@dataclass
class Desk:
    """What a service is given: a database and the time."""

    engine: Engine
    clock: FixedClock
    city: Engine
    """The city's own software, which reads the feed; the portal does not."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def begin(self, owed: Owed) -> CardAttempt:
        """The person presses the card button."""
        with committed(self.engine) as session:
            return begin_card_payment(
                session,
                order_id=owed.order_id,
                person_id=owed.person_id,
                email=owed.email,
                base_url="http://localhost:8000",
                clock=self.clock,
            )

    def open_page(self, attempt: CardAttempt) -> None:
        """The processor's page was opened and its address noted."""
        checkout = Checkout(
            reference=f"cs_{attempt.payment_id}",
            url=f"https://checkout.example/{attempt.payment_id}",
            state=CheckoutState.OPEN,
            is_paid=False,
            amount_cents=1000,
            currency="usd",
            payment_id=attempt.payment_id,
            charge_reference=None,
            expires_at=attempt.request.expires_at,
        )
        with committed(self.engine) as session:
            note_checkout(session, payment_id=attempt.payment_id, checkout=checkout)

    def event(self, kind: EventKind, payment_id: UUID, **changes: object) -> ProcessorEvent:
        """An event about a payment of ten dollars."""
        told = ProcessorEvent(
            id=f"evt_{next(self._numbers)}",
            kind=kind,
            occurred_at=self.clock.now(),
            payment_id=payment_id,
            checkout_reference=f"cs_{payment_id}",
            charge_reference=f"pi_{payment_id}",
            amount_cents=1000,
            currency="usd",
            refunded_cents=None,
            detail=None,
        )
        return replace(told, **changes)  # type: ignore[arg-type]

    def dispute(self, kind: EventKind, payment_id: UUID, status: str) -> ProcessorEvent:
        """A dispute names only the charge."""
        return replace(self.event(kind, payment_id), payment_id=None, checkout_reference=None, detail=status)

    def tell(self, event: ProcessorEvent) -> str | None:
        """The event arrives; what was done about it."""
        with committed(self.engine) as session:
            return receive_event(session, event, clock=self.clock)

    def states(self, payment_id: UUID) -> tuple[str, str]:
        """Where the payment and its order stand."""
        with Session(self.engine) as session:
            payment = session.get_one(Payment, payment_id)
            return payment.state.value, session.get_one(Order, payment.order_id).state.value


@contextmanager
def open_desk(database_url: str) -> Iterator[Desk]:
    engine = connect(database_url, role=WEB, pool_size=12)
    city = connect(database_url, role=DESK, pool_size=1)
    try:
        yield Desk(engine, FixedClock(NOON, CITY.time_zone), city)
    finally:
        engine.dispose()
        city.dispose()

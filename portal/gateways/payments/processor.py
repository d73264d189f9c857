"""What the portal asks of a card processor, in the portal's words.

Only a signed event marks a fee paid. Events come at least once and in any order, so whoever acts on one
must be able to meet it again, or meet an older one after a newer one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

# What a processor tells of these is whole yen, francs or pesos; of all others it is hundredths.
HAVE_NO_CENTS = "bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf"


class ProcessorFailed(Exception):
    """It did not do what was asked. What it says may quote a payer; `kind` is its word for the failure, for the log."""

    def __init__(self, said: str, *, kind: str = "") -> None:
        super().__init__(said)
        self.kind = kind


class ProcessorUnavailable(ProcessorFailed):
    """The processor could not be reached, or could not say what it did. Asking again is safe."""


class ProcessorRefused(ProcessorFailed):
    """The processor understood and said no. Asking the same again will not help."""


class BadSignature(Exception):
    """The event is not one that the processor signed for us just now."""


class CheckoutState(StrEnum):
    """Whether the payer can still act on the hosted page."""

    OPEN = "open"
    COMPLETE = "complete"
    EXPIRED = "expired"


class EventKind(StrEnum):
    """What a processor's event means to the city."""

    PAID = "paid"
    UNPAID = "unpaid"  # the payer is done, the money is still on its way (a bank debit)
    FAILED = "failed"  # the money that was on its way did not come
    EXPIRED = "expired"
    REFUNDED = "refunded"
    REFUND_FAILED = "refund_failed"  # the bank did not take the money back, so the city has it still
    DISPUTED = "disputed"
    DISPUTE_CLOSED = "dispute_closed"


@dataclass(frozen=True)
class CheckoutLine:
    """One thing paid for, as the payer reads it."""

    description: str
    amount_cents: int


@dataclass(frozen=True)
class CheckoutRequest:
    """A payment to take on the hosted page.

    The same payment must always be asked for with the same answers, or the processor refuses it.
    Stripe wants `expires_at` 30 minutes to 24 hours ahead.
    """

    payment_id: UUID
    lines: tuple[CheckoutLine, ...]
    email: str | None
    return_url: str
    cancel_url: str
    expires_at: datetime


@dataclass(frozen=True)
class Checkout:
    """The hosted page as the processor knows it now."""

    reference: str
    url: str | None  # None once it is complete or expired
    state: CheckoutState
    is_paid: bool
    amount_cents: int
    currency: str
    payment_id: UUID | None
    charge_reference: str | None  # what a refund or a dispute names; None until the payer has acted
    expires_at: datetime


@dataclass(frozen=True)
class ProcessorEvent:
    """A signed event that concerns a payment of ours; what it does not tell is None.

    A dispute carries no payment id: find the payment by its charge reference.
    """

    id: str
    kind: EventKind
    occurred_at: datetime
    payment_id: UUID | None = None
    checkout_reference: str | None = None
    charge_reference: str | None = None
    amount_cents: int | None = None
    currency: str | None = None
    refunded_cents: int | None = None  # all refunds of this charge so far, not this one alone
    detail: str | None = None  # the status of a dispute, or why a refund failed, in the processor's word


def refund_read(
    reference: str,
    *,
    payment_id: UUID | None,
    charge_reference: str,
    amount_cents: int,
    refunded_cents: int,
    detail: str,
    at: datetime,
) -> ProcessorEvent:
    """What the processor's own event will say of a refund we asked for: whichever comes second changes nothing."""
    return ProcessorEvent(
        id=f"read:{reference}:{EventKind.REFUNDED.value}",
        kind=EventKind.REFUNDED,
        occurred_at=at,
        payment_id=payment_id,
        charge_reference=charge_reference,
        amount_cents=amount_cents,
        refunded_cents=refunded_cents,
        detail=detail,
    )


class PaymentProcessor(Protocol):
    """Takes cards on its own pages and tells what became of them."""

    @property
    def checkout_origin(self) -> str:
        """Where the payer is sent; a form that leads there must be allowed to."""
        ...

    def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """The hosted page for a payment; asking twice gives the same one."""
        ...

    def read_checkout(self, reference: str) -> Checkout:
        """How it stands, whatever events have or have not arrived."""
        ...

    def expire_checkout(self, reference: str) -> Checkout:
        """Close an open page so that nobody can pay on it; refused once it is complete or expired."""
        ...

    def refund(self, *, charge_reference: str, amount_cents: int, idempotency_key: str) -> str:
        """Give money back; the processor's reference of the refund."""
        ...

    def events_since(self, moment: datetime) -> Iterator[ProcessorEvent]:
        """What it told since then about our payments, whether or not it was delivered; it keeps 30 days."""
        ...

    def read_event(self, body: bytes, signature: str) -> ProcessorEvent | None:
        """The event if it is signed, None if it is not about our payments; raises BadSignature."""
        ...


def sum_in(amount: int, currency: str) -> str:
    """$10.00, 9.00 EUR, 900 JPY; the amount is in the smallest unit, as a processor tells it."""
    if currency == "usd":
        return f"${amount / 100:,.2f}"
    written = f"{amount:,}" if currency in HAVE_NO_CENTS.split() else f"{amount / 100:,.2f}"
    return f"{written} {currency.upper()}"

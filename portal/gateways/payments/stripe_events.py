"""What Stripe's events mean to the city, read from their JSON once the signature is known to be good.

https://docs.stripe.com/api/events/types
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from portal.gateways.payments.processor import EventKind, ProcessorEvent

Json = dict[str, Any]


def processor_event(event: Json) -> ProcessorEvent | None:
    """The event in the portal's words, or None if it is not about a payment of ours."""
    read = READERS.get(event.get("type", ""))
    return read(event, event["data"]["object"]) if read else None


def payment_id_from(text: str | None) -> UUID | None:
    """Others may take payments on the same Stripe account, with references of their own."""
    try:
        return UUID(text or "")
    except ValueError:
        return None


def _of_session(kind_of: Callable[[Json], EventKind]) -> Callable[[Json, Json], ProcessorEvent | None]:
    def read(event: Json, session: Json) -> ProcessorEvent | None:
        payment_id = payment_id_from(session.get("client_reference_id"))
        if payment_id is None:
            return None
        return ProcessorEvent(
            id=event["id"],
            kind=kind_of(session),
            occurred_at=_instant(event),
            payment_id=payment_id,
            checkout_reference=session["id"],
            charge_reference=_id(session.get("payment_intent")),
            amount_cents=session.get("amount_total"),
            currency=session.get("currency"),
        )

    return read


def _completed(session: Json) -> EventKind:
    """A completed page is not money: a bank debit takes days to settle, or to fail."""
    return EventKind.PAID if session.get("payment_status") == "paid" else EventKind.UNPAID


def _refunded(event: Json, charge: Json) -> ProcessorEvent:
    return ProcessorEvent(
        id=event["id"],
        kind=EventKind.REFUNDED,
        occurred_at=_instant(event),
        payment_id=payment_id_from((charge.get("metadata") or {}).get("payment_id")),
        charge_reference=_id(charge.get("payment_intent")),
        amount_cents=charge.get("amount"),
        currency=charge.get("currency"),
        refunded_cents=charge.get("amount_refunded"),
    )


def _refund_failed(event: Json, refund: Json) -> ProcessorEvent:
    """https://docs.stripe.com/refunds#failed-refunds: days later, with the amount of this one refund."""
    return ProcessorEvent(
        id=event["id"],
        kind=EventKind.REFUND_FAILED,
        occurred_at=_instant(event),
        charge_reference=_id(refund.get("payment_intent")),
        amount_cents=refund.get("amount"),
        currency=refund.get("currency"),
        detail=refund.get("failure_reason"),
    )


def _of_dispute(kind: EventKind) -> Callable[[Json, Json], ProcessorEvent]:
    def read(event: Json, dispute: Json) -> ProcessorEvent:
        return ProcessorEvent(
            id=event["id"],
            kind=kind,
            occurred_at=_instant(event),
            charge_reference=_id(dispute.get("payment_intent")),
            amount_cents=dispute.get("amount"),
            currency=dispute.get("currency"),
            detail=dispute.get("status"),
        )

    return read


def _id(reference: str | Json | None) -> str | None:
    """Stripe gives another object by its id, or whole where it was asked to."""
    return reference["id"] if isinstance(reference, dict) else reference


def _instant(event: Json) -> datetime:
    return datetime.fromtimestamp(event["created"], UTC)


READERS: dict[str, Callable[[Json, Json], ProcessorEvent | None]] = {
    "checkout.session.completed": _of_session(_completed),
    "checkout.session.async_payment_succeeded": _of_session(lambda _: EventKind.PAID),
    "checkout.session.async_payment_failed": _of_session(lambda _: EventKind.FAILED),
    "checkout.session.expired": _of_session(lambda _: EventKind.EXPIRED),
    "charge.refunded": _refunded,
    "refund.failed": _refund_failed,
    "charge.dispute.created": _of_dispute(EventKind.DISPUTED),
    "charge.dispute.closed": _of_dispute(EventKind.DISPUTE_CLOSED),
}

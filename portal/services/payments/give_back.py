"""Give money back that was paid by mistake: at the counter in cash, or to the card it came from.

The ordinance gives nothing back because a dog died or its owner left (90.04(B)(5)); whether there is another reason is
for staff to say, and it is written down.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import PaymentProcessor, ProcessorEvent, refund_read
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.orders import Order, OrderState, Payment, PaymentMethod, PaymentState
from portal.services.licensing.issue_license import withdraw_unissued
from portal.services.orders.open_order import license_ids_of
from portal.services.orders.tell_payer import tell_payer
from portal.services.payments.hand_over import HandedOver, hand_over
from portal.services.payments.questions import is_going_back, on_card_cents
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import unexplained

HERE = (PaymentState.PAID, PaymentState.PARTLY_REFUNDED)
NOT_HERE = "There is no money of this payment to give back"
TOO_MUCH = "That is more than is left of this payment"
SAY_WHY = "Say why it is given back"
NOT_CASH = "This was paid by card: it goes back to the card"
NOT_CARD = "This was not paid by card: give it back at the counter"
GOES_BACK_NOW = "Some of this payment is going back to the card already: settle that first, under Money in question"


@dataclass(frozen=True)
class GivingBack:
    """What is to go back to a card, decided and written down; the processor is asked without a transaction.

    Of what went back before, the processor counts only what went to the card.
    """

    payment_id: UUID
    charge_reference: str
    amount_cents: int
    number: int
    """Which refund of this payment it is: asked for again before the processor answered, it is still that one."""
    on_card_before_cents: int


def give_back_at_counter(
    session: Session,
    *,
    payment_id: UUID,
    amount_cents: int,
    why: str,
    ledger_code: str | None = None,
    officer: str,
    clock: Clock,
) -> Payment:
    """Cash or a check was handed over the counter: it stands in the till of that day, and the payer is told.

    `ledger_code` is needed where a part is given back of fees that went to several accounts. Whole, it withdraws what
    was not issued yet.
    """
    order, payment = _money(session, payment_id, amount_cents=amount_cents, why=why)
    if payment.method is not PaymentMethod.COUNTER:
        raise Refused([Refusal(Rule.LICENSE_FEE, NOT_CASH)])
    handed = HandedOver(amount_cents=amount_cents, ledger_code=ledger_code, why=why, officer=officer)
    hand_over(session, payment, handed, clock=clock)
    actor = f"officer:{officer}"
    payment.refunded_cents += amount_cents
    is_whole = payment.refunded_cents == payment.amount_cents
    payment.state = PaymentState.REFUNDED if is_whole else PaymentState.PARTLY_REFUNDED
    payment.note = why.strip()
    session.flush()
    record_event(session, "payment.given_back", payment, actor=actor, amount_cents=amount_cents)
    if is_whole:
        order.state = OrderState.REFUNDED
        session.flush()
        record_event(session, "order.refunded", order, actor=actor)
        withdraw_unissued(session, license_ids_of(session, order.id), actor=actor)
    tell_given_back(session, order, payment, amount_cents=amount_cents, way=payment.method, clock=clock)
    return payment


def tell_given_back(
    session: Session,
    order: Order,
    payment: Payment,
    *,
    amount_cents: int | None,
    way: PaymentMethod | None,
    clock: Clock,
) -> None:
    """Write to the payer how much went back, which way if that is known, and what is left of what counts as paid.

    The amount is None where it was in another currency than our letters name.
    """
    tell_payer(
        session,
        order,
        template="given_back",
        clock=clock,
        amount_cents=amount_cents,
        left_cents=payment.amount_cents - payment.refunded_cents if payment.receipt_number else None,
        method=way.value if way else None,
    )


def decide_card_refund(session: Session, *, payment_id: UUID, amount_cents: int, why: str, officer: str) -> GivingBack:
    """Write down who gives how much back to a card, and why; the money itself is the processor's to move."""
    _, payment = _money(session, payment_id, amount_cents=amount_cents, why=why)
    if payment.method is not PaymentMethod.CARD or payment.charge_reference is None:
        raise Refused([Refusal(Rule.LICENSE_FEE, NOT_CARD)])
    if is_going_back(session, payment.id):
        raise Refused([Refusal(Rule.LICENSE_FEE, GOES_BACK_NOW)])
    on_card = on_card_cents(session, payment)
    payment.note = why.strip()
    if payment.refund_decided_cents != on_card + amount_cents:
        payment.refunds_decided += 1
    payment.refund_decided_cents = on_card + amount_cents
    session.flush()
    record_event(session, "payment.refund_decided", payment, actor=f"officer:{officer}", amount_cents=amount_cents)
    return GivingBack(payment.id, payment.charge_reference, amount_cents, payment.refunds_decided, on_card)


def take_back_card_refund(session: Session, decided: GivingBack) -> None:
    """The processor said no: nothing is decided any more, so that what it gives back otherwise is asked about."""
    payment = session.get_one(Payment, decided.payment_id, with_for_update=True, populate_existing=True)
    payment.refund_decided_cents = min(payment.refund_decided_cents, decided.on_card_before_cents)
    session.flush()


def give_back_to_card(processor: PaymentProcessor, decided: GivingBack, *, clock: Clock) -> ProcessorEvent:
    """Ask the processor, with no transaction open. Asked again about the same, it does it once."""
    refund = processor.refund(
        charge_reference=decided.charge_reference,
        amount_cents=decided.amount_cents,
        idempotency_key=f"desk:{decided.payment_id}:{decided.number}",
    )
    return refund_read(
        refund,
        payment_id=decided.payment_id,
        charge_reference=decided.charge_reference,
        amount_cents=decided.amount_cents,
        refunded_cents=decided.on_card_before_cents + decided.amount_cents,
        detail="given back by staff",
        at=clock.now(),
    )


def _money(session: Session, payment_id: UUID, *, amount_cents: int, why: str) -> tuple[Order, Payment]:
    """The order first, then its payment, locked; raises NotTheirs or Refused."""
    found = session.get(Payment, payment_id)
    if found is None:
        raise NotTheirs("There is no such payment")
    order = session.get_one(Order, found.order_id, with_for_update=True, populate_existing=True)
    payment = session.get_one(Payment, payment_id, with_for_update=True, populate_existing=True)
    reasons = []
    if payment.state not in HERE:
        reasons.append(Refusal(Rule.LICENSE_FEE, NOT_HERE))
    elif amount_cents > payment.amount_cents - payment.refunded_cents:
        reasons.append(Refusal(Rule.LICENSE_FEE, TOO_MUCH, "amount"))
    reasons += unexplained(why, Rule.LICENSE_FEE, SAY_WHY, field="why")
    if reasons:
        raise Refused(reasons)
    return order, payment

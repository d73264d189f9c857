"""Give back what was paid by mistake: noted at the counter, or asked of the card processor."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_officer import GiveBackForm
from portal.gateways.payments.processor import ProcessorRefused
from portal.ordinance.citation import Rule
from portal.schema.orders import Order, Payment, PaymentMethod
from portal.services.desk.seen import expect_version, version_of
from portal.services.payments.give_back import (
    GivingBack,
    decide_card_refund,
    give_back_at_counter,
    give_back_to_card,
    take_back_card_refund,
)
from portal.services.payments.settle_payment import settle
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.accounts import account_choices
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import money
from portal.views.work import gateways, let_go_of_reading, reading, transaction

blueprint = Blueprint("refunds", __name__, url_prefix=f"{PREFIX}/payments")

NO_REFUND = "Nothing is given back because a dog died or its owner left before the year was over."
CARD_SAID_NO = "The card processor does not give it back. Look at the payment in its own dashboard"


@blueprint.route("/<uuid:payment_id>/give-back", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def give_back(payment_id: UUID) -> ResponseReturnValue:
    """How much, and why."""
    payment = existing(Payment, payment_id, "payment")
    order = reading().get_one(Order, payment.order_id)
    form, person = GiveBackForm(), url_for("people.show", person_id=order.person_id)
    _offer_fees(form, payment)
    if form.validate_on_submit() and (cents := _more_than_nothing(form)):
        with form.refusals():
            _give_back(form, payment, cents)
        if not form.problems and not form.has_changed:
            say(f"{money(cents)} is given back.")
            return see_other(person)
    left = payment.amount_cents - payment.refunded_cents
    form.seen.data = version_of(reading(), Payment, payment_id)
    by_card = payment.method is PaymentMethod.CARD
    return entry_page(
        form,
        Entry(
            heading=f"Give back what was paid for order {order.reference}",
            back=person,
            back_label="The resident",
            button="Give it back to the card" if by_card else "It was handed over",
            rule=Rule.TAG,
            rows=(
                row("Paid", f"{money(payment.amount_cents)} {'by card' if by_card else 'at the counter'}"),
                row("Left of it", money(left)),
            ),
            notes=(NO_REFUND,),
        ),
    )


def _offer_fees(form: GiveBackForm, payment: Payment) -> None:
    """A part of what was paid at the counter is taken from one account of the books; asked where there are several."""
    accounts = account_choices(payment) if payment.method is PaymentMethod.COUNTER else []
    if len(accounts) < 2:
        del form.account
        return
    form.account.choices = accounts


def _more_than_nothing(form: GiveBackForm) -> int | None:
    if not form.amount.cents:
        form.refuse("amount", "Enter more than nothing")
    return form.amount.cents


def _give_back(form: GiveBackForm, payment: Payment, cents: int) -> None:
    """What is decided is committed before the processor is asked, and asked again it gives back once."""
    why, officer, clock = form.why.data, member().email, gateways().clock
    by_card: GivingBack | None = None
    with transaction() as db:
        expect_version(db, Payment, payment.id, form.seen.data or "")
        if payment.method is PaymentMethod.CARD:
            by_card = decide_card_refund(db, payment_id=payment.id, amount_cents=cents, why=why, officer=officer)
        else:
            account = form.account.data if "account" in form else None
            give_back_at_counter(
                db,
                payment_id=payment.id,
                amount_cents=cents,
                why=why,
                ledger_code=account,
                officer=officer,
                clock=clock,
            )
    if by_card is None:
        return
    let_go_of_reading()
    try:
        event = give_back_to_card(gateways().processor, by_card, clock=clock)
    except ProcessorRefused:
        with transaction() as db:
            take_back_card_refund(db, by_card)
        form.refuse(None, CARD_SAID_NO)
        return
    with transaction() as db:
        settle(db, event, clock=clock)

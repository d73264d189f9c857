"""The counter: find what somebody owes, take the whole of it, and see at the end of the day that the till balances."""

from datetime import date
from uuid import UUID

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.forms.text import one_line
from portal.schema.orders import Order
from portal.services.desk.counter import COUNTER, order_view, orders_found
from portal.services.desk.till import till_of
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import money
from portal.views.work import gateways, reading

blueprint = Blueprint("counter", __name__, url_prefix=f"{PREFIX}/counter")


@blueprint.get("")
@open_to(Desk.CLERK)
def find() -> ResponseReturnValue:
    """By the reference on the slip, or by the family name."""
    typed = one_line(request.args.get("q", ""))
    return page("desk/counter.html", typed=typed, found=orders_found(reading(), typed) if typed else [])


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """What is owed; take it."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _take(form, item_id)
            return decided(COUNTER, said)
    return item_page("desk/counter_order.html", COUNTER, Order, item_id, form, view=order_view(reading(), item_id))


@blueprint.get("/till")
@open_to(Desk.CLERK)
def till() -> ResponseReturnValue:
    """A day's till, today's unless another is asked for."""
    try:
        on = date.fromisoformat(request.args.get("on", "")) if request.args.get("on") else gateways().clock.today()
    except ValueError:
        abort(404)
    return page("desk/till.html", till=till_of(reading(), on, city=gateways().city), today=gateways().clock.today())


def _take(form: DecisionForm, item_id: UUID) -> str:
    with deciding(COUNTER, Order, item_id, form) as db:
        reference = db.get_one(Order, item_id).reference
        payment = take_counter_payment(db, reference=reference, officer=member().email, clock=gateways().clock)
    return f"Receipt {payment.receipt_number}: {money(payment.amount_cents)} taken. The payer is told by e-mail."

"""Paying what is owed: by card on the processor's page, or at the police counter (90.04(B)(4)).

Nothing here marks anything paid. Only a signed event of the processor does, or staff at the counter.
"""

import logging
import secrets
from datetime import UTC, datetime, timedelta
from uuid import UUID

from flask import Blueprint, current_app, make_response, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.gateways.payments.processor import ProcessorRefused, ProcessorUnavailable
from portal.services.orders.receipts import licenses_paid_for, payer_of, tags_paid_for
from portal.services.orders.standing import OrderView, Standing, order_of
from portal.services.payments.pay_at_counter import choose_counter
from portal.services.payments.pay_by_card import CardAttempt, begin_card_payment, give_up_attempt, note_checkout
from portal.services.refusal import Refused
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.hours import opening_lines
from portal.views.identity import resident
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("pay", __name__, url_prefix="/pay/<uuid:order_id>")

log = logging.getLogger(__name__)

# How the return page asks again by itself: every two seconds at first, every ten after half a minute, then no more.
ASKS_SOON_FOR = timedelta(seconds=30)
ASKS_FOR = timedelta(minutes=3)


@blueprint.get("")
@open_to(Access.RESIDENT)
def show(order_id: UUID) -> ResponseReturnValue:
    """What is owed, and the two ways to pay it."""
    return _show(_mine(order_id), ButtonForm())


@blueprint.route("/card", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def card(order_id: UUID) -> ResponseReturnValue:
    """Go to the processor's page. A GET comes from a sign-in that had ended, and leads back to the button."""
    form = ButtonForm()
    if not form.validate_on_submit():
        return _asked_without_pressing(order_id, form)
    try:
        with transaction() as db:
            attempt = begin_card_payment(
                db,
                order_id=order_id,
                person_id=resident().person_id,
                email=resident().email,
                base_url=current_app.config["BASE_URL"],
                clock=gateways().clock,
            )
    except Refused:
        return see_other(url_for("pay.show", order_id=order_id))  # the page says which of the reasons it is
    if attempt is None:
        return see_other(url_for("pay.show", order_id=order_id))
    try:
        return see_other(attempt.url or _open_checkout(attempt) or url_for("pay.back", order_id=order_id))
    except ProcessorUnavailable as problem:
        log.warning("card payments unavailable: payment %s: %s", attempt.payment_id, problem.kind)
        return _no_card_page(order_id)
    except ProcessorRefused as problem:
        return _refused(order_id, attempt, problem)


@blueprint.get("/return")
@open_to(Access.RESIDENT)
def back(order_id: UUID) -> ResponseReturnValue:
    """The payer is back, perhaps before the processor's event: it says so, and asks again until the event came."""
    view, now = _mine(order_id), gateways().clock.now()
    match view.standing(now=now):
        case Standing.PAID:
            return see_other(url_for("pay.receipt", order_id=order_id))
        case Standing.STARTED:
            return _confirming(view, since=_asking_since(now), now=now)
        case _:
            return see_other(url_for("pay.show", order_id=order_id))


@blueprint.route("/counter", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def counter(order_id: UUID) -> ResponseReturnValue:
    """Pay at the police counter: note it, and show the slip to bring."""
    form = ButtonForm()
    if not form.validate_on_submit():
        return _asked_without_pressing(order_id, form)
    try:
        with transaction() as db:
            choose_counter(db, order_id=order_id, person_id=resident().person_id, clock=gateways().clock)
    except Refused:
        return see_other(url_for("pay.show", order_id=order_id))
    return see_other(url_for("pay.slip", order_id=order_id))


@blueprint.get("/slip")
@open_to(Access.RESIDENT)
def slip(order_id: UUID) -> ResponseReturnValue:
    """What to bring to the counter, for paper."""
    view, parts = _mine(order_id), gateways()
    if view.standing(now=parts.clock.now()) not in (Standing.OPEN, Standing.STARTED):
        return see_other(url_for("pay.show", order_id=order_id))
    licenses = licenses_paid_for(reading(), order_id)
    hours = opening_lines(parts.city.police.hours)
    return page("pay/slip.html", view=view, payer=_payer(view), licenses=licenses, hours=hours)


@blueprint.get("/receipt")
@open_to(Access.RESIDENT)
def receipt(order_id: UUID) -> ResponseReturnValue:
    """The receipt, for paper; below it what happens next."""
    view = _mine(order_id)
    if view.settled is None:
        return see_other(url_for("pay.show", order_id=order_id))
    licenses = licenses_paid_for(reading(), order_id)
    tags = tags_paid_for(reading(), order_id)
    return page("pay/receipt.html", view=view, payment=view.settled, payer=_payer(view), licenses=licenses, tags=tags)


def _mine(order_id: UUID) -> OrderView:
    return order_of(reading(), person_id=resident().person_id, order_id=order_id)


def _payer(view: OrderView) -> str:
    return payer_of(reading(), view.order.person_id)


def _show(view: OrderView, form: ButtonForm) -> ResponseReturnValue:
    now = gateways().clock.now()
    return page(
        "pay/show.html",
        form=form,
        view=view,
        standing=view.standing(now=now).value,
        was_not_charged=view.was_not_charged(now=now),
    )


def _asked_without_pressing(order_id: UUID, form: ButtonForm) -> ResponseReturnValue:
    if request.method == "POST":
        return _show(_mine(order_id), form)
    return see_other(url_for("pay.show", order_id=order_id))


def _open_checkout(attempt: CardAttempt) -> str | None:
    """The address of the processor's page, asked for outside any transaction and noted before anyone goes there."""
    checkout = gateways().processor.open_checkout(attempt.request)
    with transaction() as db:
        note_checkout(db, payment_id=attempt.payment_id, checkout=checkout)
    return checkout.url


def _refused(order_id: UUID, attempt: CardAttempt, problem: ProcessorRefused) -> ResponseReturnValue:
    """Asking the same again will not help, so that the next press asks anew."""
    reference = secrets.token_hex(4)
    log.error("card payment refused %s: payment %s: %s", reference, attempt.payment_id, problem.kind)
    with transaction() as db:
        give_up_attempt(db, payment_id=attempt.payment_id)
    return _no_card_page(order_id, reference=reference)


def _no_card_page(order_id: UUID, *, reference: str | None = None) -> ResponseReturnValue:
    words = page("pay/no_card_page.html", form=ButtonForm(formdata=None), view=_mine(order_id), reference=reference)
    response = make_response(words)
    response.status_code = 503
    response.headers["Retry-After"] = "60"
    return response


def _asking_since(now: datetime) -> datetime:
    """When the page began to ask; it travels in the page's own address, and anything else there starts it anew."""
    typed = request.args.get("since", "")
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 11):
        return now
    return min(datetime.fromtimestamp(int(typed), UTC), now)


def _confirming(view: OrderView, *, since: datetime, now: datetime) -> ResponseReturnValue:
    """The page; or, to the page that asks again, only when to ask next, so that nothing moves under its reader."""
    waited = now - since
    if request.headers.get("HX-Request") == "true" and waited < ASKS_FOR:
        return "", 204, {"HX-Trigger": "ask-soon" if waited < ASKS_SOON_FOR else "ask-later"}
    return page("pay/confirming.html", view=view, since=int(since.timestamp()), is_asking=waited < ASKS_FOR)

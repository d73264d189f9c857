"""The hosted page where a payer would type a card number, with buttons for what can happen instead."""

import json
import sqlite3

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from portal.practice.ledger import Ledger
from portal.practice.office import office
from portal.practice.security import content_policy
from portal.practice.settings import origin_of
from portal.practice.store import payment

checkout_page = Blueprint("checkout", __name__, url_prefix="/c/pay")


@checkout_page.get("/<session_id>")
def show(session_id: str) -> ResponseReturnValue:
    """What is being paid, and the ways to act."""
    with office().ledger() as ledger:
        ledger.bring_up_to_date()
        return _page(_payment(ledger, session_id))


@checkout_page.post("/<session_id>")
def act(session_id: str) -> ResponseReturnValue:
    """Pay, be declined, or start a bank debit; a page that is done already only leads back."""
    with office().ledger() as ledger:
        ledger.bring_up_to_date()
        _payment(ledger, session_id)
        is_declined = _carry_out(ledger, session_id, request.form.get("way", ""))
        row = _payment(ledger, session_id)
    if is_declined:
        return _page(row, is_declined=True), 422
    if row["status"] == "expired":
        return redirect(url_for("checkout.show", session_id=session_id), 303)
    return redirect(_return_url(row), 303)


def _carry_out(ledger: Ledger, session_id: str, way: str) -> bool:
    """True if the card was declined and the payer may try again."""
    match way:
        case "card":
            ledger.pay_by_card(session_id)
        case "bank":
            after = office().settings.settle_after_s
            ledger.pay_by_bank(session_id, settles_at=None if after is None else ledger.now + int(after))
        case "decline":
            return ledger.decline(session_id)
        case _:
            abort(400)
    return False


def _page(row: sqlite3.Row, *, is_declined: bool = False) -> Response:
    params = json.loads(row["params"])
    page = render_template(
        "checkout.html",
        payment=row,
        lines=json.loads(row["lines"]),
        email=params.get("customer_email"),
        cancel_url=params["cancel_url"],
        return_url=_return_url(row),
        is_declined=is_declined,
    )
    response = make_response(page)
    response.headers["Content-Security-Policy"] = content_policy(form_targets=origin_of(_return_url(row)))
    return response


def _return_url(row: sqlite3.Row) -> str:
    """https://docs.stripe.com/payments/checkout/custom-success-page: the session's id may be part of the address."""
    url: str = json.loads(row["params"])["success_url"]
    return url.replace("{CHECKOUT_SESSION_ID}", row["session_id"])


def _payment(ledger: Ledger, session_id: str) -> sqlite3.Row:
    row = payment(ledger.db, session_id)
    if row is None:
        abort(404)
    return row

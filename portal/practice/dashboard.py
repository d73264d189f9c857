"""What the city would do in the processor's own dashboard: refund, answer for disputes, see events go out."""

import json
import sqlite3
from decimal import Decimal, InvalidOperation

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from portal.practice.faults import IN_PLAIN_WORDS, Fault
from portal.practice.ledger import Ledger
from portal.practice.office import office
from portal.practice.refusals import StripeRefusal
from portal.practice.store import payment

dashboard = Blueprint("dashboard", __name__, url_prefix="/practice")

MOST_SHOWN = 200


@dashboard.get("/payments")
def payments() -> ResponseReturnValue:
    """All practice payments, newest first."""
    with office().ledger() as ledger:
        ledger.bring_up_to_date()
        newest = "SELECT * FROM payment ORDER BY created DESC, rowid DESC LIMIT ?"
        rows = ledger.db.execute(newest, (MOST_SHOWN,)).fetchall()
    return render_template("payments.html", payments=[(row, json.loads(row["lines"])) for row in rows])


@dashboard.get("/payments/<session_id>")
def show(session_id: str) -> ResponseReturnValue:
    """One payment: what can be done with it, and what the portal has been told."""
    with office().ledger() as ledger:
        ledger.bring_up_to_date()
        return _page(ledger, session_id)


@dashboard.post("/payments/<session_id>")
def act(session_id: str) -> ResponseReturnValue:
    """Settle, fail, expire, refund, fail a refund, dispute, or close a dispute."""
    with office().ledger() as ledger:
        _payment(ledger, session_id)
        try:
            _carry_out(ledger, session_id, request.form.get("deed", ""))
        except StripeRefusal as refusal:
            return _page(ledger, session_id, error=str(refusal)), 422
    return redirect(url_for("dashboard.show", session_id=session_id), 303)


@dashboard.post("/events/<event_id>/again")
def send_again(event_id: str) -> ResponseReturnValue:
    """The same event once more, as processors do at times of their own choosing."""
    with office().ledger() as ledger:
        again = "UPDATE event SET copies_left = copies_left + 1, next_try_at = 0 WHERE id = ? RETURNING session_id"
        row = ledger.db.execute(again, (event_id,)).fetchone()
    if row is None:
        abort(404)
    return redirect(url_for("dashboard.show", session_id=row["session_id"]), 303)


@dashboard.get("/faults")
def faults() -> ResponseReturnValue:
    """What is to go wrong next."""
    with office().ledger() as ledger:
        waiting = [Fault(row["kind"]) for row in ledger.db.execute("SELECT kind FROM fault ORDER BY number")]
    return render_template("faults.html", words=IN_PLAIN_WORDS, waiting=waiting)


@dashboard.post("/faults")
def ask_for_fault() -> ResponseReturnValue:
    """One or more faults of a kind."""
    kind, times = request.form.get("kind", ""), request.form.get("times", 1, int)
    seconds = request.form.get("seconds", 2.0, float)
    if kind not in set(Fault) or not 1 <= times <= 100 or not 0 <= seconds <= 60:
        abort(400)
    with office().ledger() as ledger:
        ledger.db.executemany("INSERT INTO fault (kind, seconds) VALUES (?, ?)", [(kind, seconds)] * times)
    return redirect(url_for("dashboard.faults"), 303)


@dashboard.post("/faults/clear")
def clear_faults() -> ResponseReturnValue:
    """Nothing goes wrong any more."""
    with office().ledger() as ledger:
        ledger.db.execute("DELETE FROM fault")
    return redirect(url_for("dashboard.faults"), 303)


def _carry_out(ledger: Ledger, session_id: str, deed: str) -> None:
    match deed:
        case "settle":
            ledger.settle(session_id)
        case "fail":
            ledger.fail(session_id)
        case "expire":
            ledger.expire(session_id)
        case "refund":
            ledger.refund(session_id, _cents(request.form.get("amount", "")))
        case "fail_refunds":
            ledger.fail_refunds(session_id)
        case "dispute":
            ledger.dispute(session_id)
        case "win" | "lose":
            ledger.close_dispute(session_id, is_won=deed == "win")
        case _:
            abort(400)


def _cents(text: str) -> int | None:
    """$4.50 as 450; nothing typed means all that is left."""
    if not (text := text.strip().removeprefix("$")):
        return None
    try:
        cents = Decimal(text) * 100
    except InvalidOperation:
        cents = Decimal("NaN")
    if not cents.is_finite() or cents != cents.to_integral_value():
        raise StripeRefusal("Enter the amount in dollars and cents, like 4.50")
    return int(cents)


def _page(ledger: Ledger, session_id: str, *, error: str | None = None) -> str:
    events = "SELECT * FROM event WHERE session_id = ? ORDER BY number DESC"
    row = _payment(ledger, session_id)
    return render_template(
        "payment.html",
        payment=row,
        lines=json.loads(row["lines"]),
        events=ledger.db.execute(events, (session_id,)).fetchall(),
        error=error,
    )


def _payment(ledger: Ledger, session_id: str) -> sqlite3.Row:
    row = payment(ledger.db, session_id)
    if row is None:
        abort(404)
    return row

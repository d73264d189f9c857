"""The part of Stripe's HTTP API that the portal's client calls (https://docs.stripe.com/api)."""

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, current_app, g, request

from portal.practice import shapes
from portal.practice.faults import Fault
from portal.practice.ledger import Ledger
from portal.practice.office import office
from portal.practice.params import read_session_params, whole_number
from portal.practice.refusals import StripeRefusal, missing
from portal.practice.store import Json, payment, take_fault

EVENTS = """
    SELECT body FROM event
    WHERE created >= :since AND (:types = '[]' OR type IN (SELECT value FROM json_each(:types)))
    AND (:after IS NULL OR number < (SELECT number FROM event WHERE id = :after))
    ORDER BY number DESC LIMIT :limit
"""

api = Blueprint("api", __name__, url_prefix="/v1")


@api.before_request
def check_key() -> None:
    """https://docs.stripe.com/api/authentication"""
    authorization = request.authorization
    given = authorization and (authorization.token or authorization.username)
    if given != office().settings.secret_key:
        raise StripeRefusal("Invalid API Key provided.", status=401)


@api.before_request
def fail_before_the_work() -> None:
    """Faults asked for: slow, or broken before anything is done."""
    with office().store.transaction() as db:
        slow, broken = take_fault(db, Fault.DELAY), take_fault(db, Fault.ERROR)
        g.is_dropped = take_fault(db, Fault.DROP) is not None
    if slow:
        time.sleep(slow["seconds"])
    if broken:
        raise StripeRefusal("A fault that was asked for.", kind="api_error", status=500)


@api.after_request
def drop_after_the_work(response: Response) -> Response:
    """The work is done, but the connection is cut before the whole answer is out."""
    if not g.get("is_dropped"):
        return response
    whole = response.get_data()
    return Response(_half(whole), headers={"Content-Length": str(len(whole))}, mimetype="application/json")


def _half(whole: bytes) -> Iterator[bytes]:
    yield whole[: len(whole) // 2]


@api.errorhandler(StripeRefusal)
def refused(refusal: StripeRefusal) -> tuple[Json, int]:
    return refusal.body, refusal.status


@api.post("/checkout/sessions")
def create_session() -> Response:
    def work(ledger: Ledger) -> Json:
        params = read_session_params(request.form, now=ledger.now)
        return shapes.session(ledger.open(params), base_url=ledger.base_url)

    return _once(work)


@api.get("/checkout/sessions/<session_id>")
def retrieve_session(session_id: str) -> Response:
    with office().ledger() as ledger:
        ledger.bring_up_to_date()
        return _answer(_session(ledger, session_id))


@api.post("/checkout/sessions/<session_id>/expire")
def expire_session(session_id: str) -> Response:
    def work(ledger: Ledger) -> Json:
        status = _session(ledger, session_id)["status"]
        if not ledger.expire(session_id):
            raise StripeRefusal(f"Only open sessions can be expired. This one is {status}.")
        return _session(ledger, session_id)

    return _once(work)


@api.post("/refunds")
def create_refund() -> Response:
    def work(ledger: Ledger) -> Json:
        reference = request.form.get("payment_intent") or request.form.get("charge") or ""
        amount_cents = whole_number(request.form, "amount") if "amount" in request.form else None
        return ledger.refund(_payment(ledger, "payment_intent", reference)["session_id"], amount_cents)

    return _once(work)


@api.get("/events")
def list_events() -> Response:
    """https://docs.stripe.com/api/events/list, newest first."""
    limit, asked = min(request.args.get("limit", 10, int), 100), request.args
    types = [value for name, value in asked.items(multi=True) if name.startswith("types[")]
    wanted = {"since": asked.get("created[gte]", 0, int), "after": asked.get("starting_after"), "limit": limit + 1}
    with office().ledger() as ledger:
        rows = ledger.db.execute(EVENTS, {**wanted, "types": json.dumps(types)}).fetchall()
    events = [json.loads(row["body"]) for row in rows[:limit]]
    return _answer({"object": "list", "url": "/v1/events", "has_more": len(rows) > limit, "data": events})


def _session(ledger: Ledger, session_id: str) -> Json:
    return shapes.session(_payment(ledger, "checkout.session", session_id), base_url=ledger.base_url)


def _payment(ledger: Ledger, what: str, reference: str) -> sqlite3.Row:
    row = payment(ledger.db, reference)
    if row is None:
        raise missing(what, reference)
    return row


def _once(work: Callable[[Ledger], Json]) -> Response:
    """https://docs.stripe.com/api/idempotent_requests: the same key gets the first answer again.

    A request that was found wrong leaves no answer behind, so that it can be put right under the same key.
    """
    key, fingerprint = request.headers.get("Idempotency-Key", ""), _fingerprint()
    with office().ledger() as ledger:
        before = ledger.db.execute("SELECT * FROM answer WHERE key = ?", (key,)).fetchone()
        if before is None:
            body = json.dumps(work(ledger))
            if key:
                ledger.db.execute("INSERT INTO answer VALUES (?, ?, 200, ?)", (key, fingerprint, body))
            return _answer(body)
    if before["fingerprint"] != fingerprint:
        raise StripeRefusal(f"Key '{key}' was first used with other parameters.", kind="idempotency_error")
    return _answer(before["body"], {"Idempotent-Replayed": "true"})


def _fingerprint() -> str:
    told = json.dumps([request.method, request.path, sorted(request.form.items())])
    return hashlib.sha256(told.encode()).hexdigest()


def _answer(body: Json | str, headers: dict[str, str] | None = None) -> Response:
    text = body if isinstance(body, str) else json.dumps(body)
    return current_app.response_class(text, mimetype="application/json", headers=headers)

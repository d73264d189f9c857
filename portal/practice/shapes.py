"""Practice payments in the shapes that Stripe's API gives its objects.

https://docs.stripe.com/api; only what a client of Checkout reads, and what tells one object from another.
"""

import json
import sqlite3
from typing import Any

Json = dict[str, Any]


def session(row: sqlite3.Row, *, base_url: str) -> Json:
    """https://docs.stripe.com/api/checkout/sessions/object: the intent shows once the payer has acted."""
    params = json.loads(row["params"])
    return {
        "id": row["session_id"],
        "object": "checkout.session",
        "amount_subtotal": row["amount_cents"],
        "amount_total": row["amount_cents"],
        "cancel_url": params.get("cancel_url"),
        "client_reference_id": params.get("client_reference_id"),
        "created": row["created"],
        "currency": "usd",
        "customer_email": params.get("customer_email"),
        "expires_at": row["expires_at"],
        "livemode": False,
        "metadata": _metadata(params, "metadata"),
        "mode": "payment",
        "payment_intent": row["intent_id"] if row["status"] == "complete" else None,
        "payment_status": "paid" if row["payment_status"] == "paid" else "unpaid",
        "status": row["status"],
        "success_url": params["success_url"],
        "url": hosted_page(row, base_url=base_url) if row["status"] == "open" else None,
    }


def hosted_page(row: sqlite3.Row, *, base_url: str) -> str:
    """Where the payer pays."""
    return f"{base_url.rstrip('/')}/c/pay/{row['session_id']}"


def intent(row: sqlite3.Row, *, status: str) -> Json:
    """https://docs.stripe.com/api/payment_intents/object"""
    return {
        "id": row["intent_id"],
        "object": "payment_intent",
        "amount": row["amount_cents"],
        "created": row["created"],
        "currency": "usd",
        "latest_charge": row["charge_id"],
        "livemode": False,
        "metadata": _metadata(json.loads(row["params"]), "payment_intent_data[metadata]"),
        "status": status,
    }


def charge(row: sqlite3.Row) -> Json:
    """https://docs.stripe.com/api/charges/object: it has the intent's metadata, never the session's."""
    return {
        "id": row["charge_id"],
        "object": "charge",
        "amount": row["amount_cents"],
        "amount_captured": row["amount_cents"],
        "amount_refunded": row["refunded_cents"],
        "created": row["created"],
        "currency": "usd",
        "disputed": row["dispute_status"] is not None,
        "livemode": False,
        "metadata": _metadata(json.loads(row["params"]), "payment_intent_data[metadata]"),
        "paid": True,
        "payment_intent": row["intent_id"],
        "refunded": row["refunded_cents"] >= row["amount_cents"],
        "status": "succeeded",
    }


def dispute(row: sqlite3.Row, *, now: int) -> Json:
    """https://docs.stripe.com/api/disputes/object: its metadata is its own and empty."""
    return {
        "id": row["charge_id"].replace("ch_", "du_", 1),
        "object": "dispute",
        "amount": row["amount_cents"] - row["refunded_cents"],
        "charge": row["charge_id"],
        "created": now,
        "currency": "usd",
        "livemode": False,
        "metadata": {},
        "payment_intent": row["intent_id"],
        "reason": "fraudulent",
        "status": row["dispute_status"],
    }


def refund(row: sqlite3.Row, *, reference: str, amount_cents: int, now: int) -> Json:
    """https://docs.stripe.com/api/refunds/object"""
    return {
        "id": reference,
        "object": "refund",
        "amount": amount_cents,
        "charge": row["charge_id"],
        "created": now,
        "currency": "usd",
        "metadata": {},
        "payment_intent": row["intent_id"],
        "reason": None,
        "status": "succeeded",
    }


def _metadata(params: dict[str, str], prefix: str) -> dict[str, str]:
    """`metadata[payment_id]=7` of the form as {"payment_id": "7"}."""
    return {
        name.removeprefix(f"{prefix}[").removesuffix("]"): value
        for name, value in params.items()
        if name.startswith(f"{prefix}[")
    }

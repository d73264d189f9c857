"""Reads the form that opens a Checkout Session, as strictly as the real API does where our client could slip."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from portal.practice.refusals import wrong

SMALLEST_CENTS = 50  # https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
SHORTEST_SECONDS, LONGEST_SECONDS = 30 * 60, 24 * 60 * 60
SLACK_SECONDS = 60  # the request was on its way for a while

KNOWN = re.compile(
    r"mode|success_url|cancel_url|client_reference_id|customer_email|expires_at|locale|submit_type"
    r"|(payment_intent_data\[)?metadata\]?\[\w+\]|payment_intent_data\[(description|receipt_email)\]"
    r"|line_items\[\d+\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[(name|description)))\]"
)
LINE = re.compile(r"line_items\[(\d+)\]")


@dataclass(frozen=True)
class Line:
    """What one line of the hosted page says."""

    name: str
    amount_cents: int


@dataclass(frozen=True)
class SessionParams:
    """A form that was found good."""

    form: dict[str, str]
    lines: tuple[Line, ...]
    expires_at: int

    @property
    def amount_cents(self) -> int:
        """What the payer is asked for."""
        return sum(line.amount_cents for line in self.lines)


def read_session_params(form: Mapping[str, str], *, now: int) -> SessionParams:
    """The form in values, or the first thing wrong with it as the real API would put it."""
    for name in form:
        if not KNOWN.fullmatch(name):
            raise wrong(name, f"Received unknown parameter: {name}", code="parameter_unknown")
    if form.get("mode") != "payment":
        raise wrong("mode", "The practice processor knows only mode=payment.")
    for name in ("success_url", "cancel_url"):
        if urlsplit(form.get(name, "")).scheme not in {"http", "https"}:
            raise wrong(name, "Not a valid URL", code="url_invalid")
    if "@" not in form.get("customer_email", "@"):
        raise wrong("customer_email", f"Invalid email address: {form['customer_email']}", code="email_invalid")
    params = SessionParams(dict(form), _lines(form), _expires_at(form, now=now))
    if params.amount_cents < SMALLEST_CENTS:
        raise wrong("line_items", "The total must be at least $0.50 usd.", code="amount_too_small")
    return params


def _lines(form: Mapping[str, str]) -> tuple[Line, ...]:
    numbers = sorted({int(found[1]) for name in form if (found := LINE.match(name))})
    if not numbers:
        raise wrong("line_items", "line_items is required in payment mode.", code="parameter_missing")
    return tuple(_line(form, f"line_items[{number}]") for number in numbers)


def _line(form: Mapping[str, str], prefix: str) -> Line:
    if form.get(f"{prefix}[price_data][currency]") != "usd":
        raise wrong(f"{prefix}[price_data][currency]", "The practice processor knows only usd.")
    name = form.get(f"{prefix}[price_data][product_data][name]", "")
    if not name.strip():
        raise wrong(f"{prefix}[price_data][product_data][name]", "The name is empty.", code="parameter_invalid_empty")
    cents = whole_number(form, f"{prefix}[price_data][unit_amount]")
    return Line(name, cents * whole_number(form, f"{prefix}[quantity]"))


def _expires_at(form: Mapping[str, str], *, now: int) -> int:
    if "expires_at" not in form:
        return now + LONGEST_SECONDS
    expires_at = whole_number(form, "expires_at")
    if not SHORTEST_SECONDS - SLACK_SECONDS <= expires_at - now <= LONGEST_SECONDS + SLACK_SECONDS:
        raise wrong("expires_at", "It must be between 30 minutes and 24 hours from now.")
    return expires_at


def whole_number(form: Mapping[str, str], name: str) -> int:
    """Zero or more, in digits: cents are never a fraction."""
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise wrong(name, f"Invalid integer: {text}", code="parameter_invalid_integer")
    return int(text)

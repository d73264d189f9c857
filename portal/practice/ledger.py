"""What can happen to a practice payment, each with the events that Stripe would send.

Every deed says whether it happened: the state is the guard, so doing it twice does it once.
"""

import json
import sqlite3
from dataclasses import asdict, dataclass

from portal.practice import shapes
from portal.practice.params import SessionParams
from portal.practice.refusals import StripeRefusal
from portal.practice.store import Json, add_event, new_id, payment


@dataclass(frozen=True)
class Ledger:
    """One transaction's view of the payments, at one instant."""

    db: sqlite3.Connection
    base_url: str
    now: int

    def open(self, params: SessionParams) -> sqlite3.Row:
        """A new session, waiting for its payer."""
        session_id = new_id("cs")
        self.db.execute(
            "INSERT INTO payment (session_id, intent_id, charge_id, created, expires_at, params, lines, amount_cents)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (session_id, new_id("pi"), new_id("ch"), self.now, params.expires_at, json.dumps(params.form),
             json.dumps([asdict(line) for line in params.lines]), params.amount_cents),
        )  # fmt: skip
        return self._payment(session_id)

    def pay_by_card(self, session_id: str) -> bool:
        """The card is good: complete and paid."""
        if not self._change(session_id, "status = 'complete', payment_status = 'paid'", "status = 'open'"):
            return False
        self._tell_intent(session_id, "succeeded")
        self._tell_session(session_id, "checkout.session.completed")
        return True

    def decline(self, session_id: str) -> bool:
        """The card is refused; the session stays open for another try."""
        if self._payment(session_id)["status"] != "open":
            return False
        self._tell_intent(session_id, "payment_failed")
        return True

    def pay_by_bank(self, session_id: str, *, settles_at: int | None) -> bool:
        """The payer is done, the money comes in a few days or not at all."""
        if not self._change(session_id, "status = 'complete', settles_at = ?", "status = 'open'", settles_at):
            return False
        self._tell_intent(session_id, "processing")
        self._tell_session(session_id, "checkout.session.completed")
        return True

    def settle(self, session_id: str) -> bool:
        """The bank debit came in."""
        change = "payment_status = 'paid', settles_at = NULL"
        if not self._change(session_id, change, "status = 'complete' AND payment_status = 'unpaid'"):
            return False
        self._tell_intent(session_id, "succeeded")
        self._tell_session(session_id, "checkout.session.async_payment_succeeded")
        return True

    def fail(self, session_id: str) -> bool:
        """The bank debit did not come in. It stays complete and unpaid, as Stripe leaves it."""
        change = "settles_at = NULL, payment_status = 'failed'"
        if not self._change(session_id, change, "status = 'complete' AND payment_status = 'unpaid'"):
            return False
        self._tell_intent(session_id, "payment_failed")
        self._tell_session(session_id, "checkout.session.async_payment_failed")
        return True

    def expire(self, session_id: str) -> bool:
        """Nobody can pay on it any more."""
        if not self._change(session_id, "status = 'expired'", "status = 'open'"):
            return False
        self._tell_session(session_id, "checkout.session.expired")
        return True

    def refund(self, session_id: str, amount_cents: int | None) -> Json:
        """All that is left, or a part of it."""
        row = self._payment(session_id)
        left = row["amount_cents"] - row["refunded_cents"]
        if row["payment_status"] != "paid":
            raise StripeRefusal("This payment has no successful charge to refund.", code="charge_not_refundable")
        if left == 0:
            raise StripeRefusal("This charge has already been refunded.", code="charge_already_refunded")
        amount_cents = left if amount_cents is None else amount_cents
        if not 0 < amount_cents <= left:
            raise StripeRefusal(f"Between 1 and {left} cents can be refunded.", code="amount_too_large", param="amount")
        self._change(session_id, "refunded_cents = refunded_cents + ?", "TRUE", amount_cents)
        row = self._payment(session_id)
        refund = shapes.refund(row, reference=new_id("re"), amount_cents=amount_cents, now=self.now)
        self._tell(session_id, "refund.created", refund)
        self._tell(session_id, "charge.refunded", shapes.charge(row))
        return refund

    def fail_refunds(self, session_id: str) -> bool:
        """The bank did not take back what was refunded: an account that is closed, a card that is over."""
        returned = self._payment(session_id)["refunded_cents"]
        if not self._change(session_id, "refunded_cents = 0", "refunded_cents > 0"):
            return False
        row = self._payment(session_id)
        refund = shapes.refund(row, reference=new_id("re"), amount_cents=returned, now=self.now)
        self._tell(session_id, "refund.failed", {**refund, "status": "failed", "failure_reason": "lost_or_stolen_card"})
        return True

    def dispute(self, session_id: str) -> bool:
        """The cardholder asks the bank for the money back."""
        change = "dispute_status = 'needs_response'"
        if not self._change(session_id, change, "payment_status = 'paid' AND dispute_status IS NULL"):
            return False
        self._tell_dispute(session_id, "charge.dispute.created")
        return True

    def close_dispute(self, session_id: str, *, is_won: bool) -> bool:
        """The bank has decided: won means that the city keeps the money."""
        status = "won" if is_won else "lost"
        if not self._change(session_id, "dispute_status = ?", "dispute_status = 'needs_response'", status):
            return False
        self._tell_dispute(session_id, "charge.dispute.closed")
        return True

    def bring_up_to_date(self) -> None:
        """What the passing of time alone does."""
        due = "SELECT session_id FROM payment WHERE settles_at <= :now AND payment_status = 'unpaid'"
        for row in self.db.execute(due, {"now": self.now}).fetchall():
            self.settle(row["session_id"])
        due = "SELECT session_id FROM payment WHERE expires_at <= :now AND status = 'open'"
        for row in self.db.execute(due, {"now": self.now}).fetchall():
            self.expire(row["session_id"])

    def _change(self, session_id: str, change: str, guard: str, *values: object) -> bool:
        sql = f"UPDATE payment SET {change} WHERE session_id = ? AND {guard}"  # noqa: S608 - both are literals above
        return self.db.execute(sql, (*values, session_id)).rowcount == 1

    def _payment(self, session_id: str) -> sqlite3.Row:
        row = payment(self.db, session_id)
        if row is None:
            raise LookupError(session_id)
        return row

    def _tell_session(self, session_id: str, kind: str) -> None:
        self._tell(session_id, kind, shapes.session(self._payment(session_id), base_url=self.base_url))

    def _tell_intent(self, session_id: str, status: str) -> None:
        self._tell(session_id, f"payment_intent.{status}", shapes.intent(self._payment(session_id), status=status))

    def _tell_dispute(self, session_id: str, kind: str) -> None:
        self._tell(session_id, kind, shapes.dispute(self._payment(session_id), now=self.now))

    def _tell(self, session_id: str, kind: str, content: Json) -> None:
        add_event(self.db, session_id=session_id, kind=kind, content=content, now=self.now)

"""Money that was handed back over the counter (90.18). Money that goes back to a card is the processor's to tell."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private
from portal.schema.orders import Payment


class CounterRefund(Base):
    """What was given back of one payment, from one account of the city's books. Never changed afterwards."""

    __tablename__ = "counter_refund"
    __table_args__ = (
        CheckConstraint("amount_cents > 0", name="amount_positive"),
        Index("ix_counter_refund_given_at", "given_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Money handed back over the counter, in the till of the day it was given (90.18).",
            "info": private("90.18"),
        },
    )

    id: Mapped[Key]
    payment_id: Mapped[UUID] = mapped_column(ForeignKey(Payment.id), index=True, comment="The payment it was part of.")
    amount_cents: Mapped[int] = mapped_column(comment="Given back, in cents.")
    ledger_code: Mapped[str] = mapped_column(comment="Account it is taken from (90.04(B)(7)).")
    given_by: Mapped[str] = mapped_column(comment="Staff who handed it over.")
    why: Mapped[str] = mapped_column(comment="Why, in their words.")
    given_at: Mapped[Instant] = mapped_column(comment="When it was handed over.")
    created_at: Mapped[Created]

"""Money that a person has to settle: it is disputed, differs, came twice and did not go back, or is nobody's."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.orders import Order, Payment


class QuestionKind(StrEnum):
    AMOUNT_DIFFERS = "amount_differs"
    """Another amount or currency came than was asked."""
    PAID_TWICE = "paid_twice"
    """It came for an order that was paid already, and the processor did not give it back."""
    REFUND_FAILED = "refund_failed"
    """The bank did not take back what was given back."""
    REFUNDED_THERE = "refunded_there"
    """It was given back in the processor's dashboard, and nobody here had decided so."""
    DISPUTED = "disputed"
    """The payer says to their bank that they did not pay it."""
    UNMATCHED = "unmatched"
    """The processor took it, and the portal knows no payment of it."""
    MISSING = "missing"
    """The portal holds it for paid, and the processor does not know it or says otherwise."""


class QuestionOutcome(StrEnum):
    KEPT = "kept"
    """The city has it, and it counts."""
    GIVEN_BACK = "given_back"
    """The payer has it again."""
    SET_AGAINST = "set_against"
    """It pays another order."""
    WRITTEN_OFF = "written_off"
    """The city does without it; what it paid for stands."""


class RefundMethod(StrEnum):
    """How money goes back."""

    CARD = "card"
    """The processor gives it back to the card."""
    COUNTER = "counter"
    """It is handed over the counter."""
    OTHER = "other"
    """It went back some other way, which is only noted: by the bank, or as a check from City Hall."""


class PaymentQuestion(Base):
    """One question about money, and how somebody settled it."""

    __tablename__ = "payment_question"
    __table_args__ = (
        CheckConstraint("amount_cents >= 0", name="amount_not_negative"),
        CheckConstraint("payment_id IS NOT NULL OR charge_reference IS NOT NULL", name="is_about_something"),
        CheckConstraint(
            "(outcome IS NULL) = (reason IS NULL) AND (outcome IS NULL) = (decided_by IS NULL)"
            " AND (outcome IS NULL) = (decided_at IS NULL)",
            name="a_decision_is_whole",
        ),
        CheckConstraint("settled_at IS NULL OR outcome IS NOT NULL", name="settled_has_its_outcome"),
        CheckConstraint("outcome <> 'set_against' OR against_order_id IS NOT NULL", name="set_against_names_its_order"),
        CheckConstraint("refund_method IS NULL OR outcome = 'given_back'", name="refund_method_of_what_went_back"),
        Index("ix_payment_question_open", "created_at", postgresql_where=text("settled_at IS NULL")),
        Index("ix_payment_question_payment_id", "payment_id"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Money that a person has to settle, and how it was settled (90.18).",
            "info": private("90.18"),
        },
    )

    id: Mapped[Key]
    key: Mapped[str] = mapped_column(unique=True, comment="What is asked once: the kind, and what it is about.")
    kind: Mapped[QuestionKind] = mapped_column(words(QuestionKind), comment="What is wrong with it.")
    payment_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Payment.id), comment="The payment; empty for money that is no payment of ours."
    )
    order_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Order.id), index=True, comment="The order it was asked for when the question arose."
    )
    charge_reference: Mapped[str | None] = mapped_column(comment="The processor's payment, where it has one.")
    amount_cents: Mapped[int] = mapped_column(comment="How much came or is in question, in cents.")
    currency: Mapped[str] = mapped_column(server_default="usd", comment="In which currency: only usd pays a fee.")
    told: Mapped[str] = mapped_column(comment="What was found, in words for staff; never a person's name.")
    outcome: Mapped[QuestionOutcome | None] = mapped_column(
        words(QuestionOutcome), comment="What was decided; empty until then."
    )
    refund_method: Mapped[RefundMethod | None] = mapped_column(
        words(RefundMethod),
        comment="How it goes back: to the card, over the counter, or another way; empty where nothing goes back.",
    )
    reason: Mapped[str | None] = mapped_column(comment="Why, as whoever decided said.")
    against_order_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Order.id), index=True, comment="The order it pays instead."
    )
    decided_by: Mapped[str | None] = mapped_column(comment="Who decided: staff, or the processor.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When.")
    settled_at: Mapped[Instant | None] = mapped_column(
        comment="When it was done: of a card refund, when the processor had done it."
    )
    created_at: Mapped[Created]

"""What is owed and what was paid (sections 90.04(B)(4), 90.18). Money is integer cents."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, counted_in, private, words
from portal.schema.dangerous import DangerousRegistration
from portal.schema.licenses import License
from portal.schema.people import Person
from portal.schema.tag_requests import TagRequest


class OrderState(StrEnum):
    OPEN = "open"
    PAID = "paid"
    REFUNDED = "refunded"
    CANCELED = "canceled"


class LineKind(StrEnum):
    LICENSE = "license"
    LATE = "late"
    DUPLICATE_TAG = "duplicate_tag"
    DANGEROUS_DOG = "dangerous_dog"


class PaymentMethod(StrEnum):
    CARD = "card"
    COUNTER = "counter"
    NOTHING_DUE = "nothing_due"


class PaymentState(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"
    DUPLICATE = "duplicate"
    MISMATCH = "mismatch"
    PARTLY_REFUNDED = "partly_refunded"
    REFUNDED = "refunded"
    DISPUTED = "disputed"


class Order(Base):
    """What one person owes for one submission."""

    __tablename__ = "fee_order"
    __table_args__ = (
        CheckConstraint("total_cents >= 0", name="total_not_negative"),
        CheckConstraint("state NOT IN ('paid', 'refunded') OR paid_at IS NOT NULL", name="paid_has_its_time"),
        Index("ix_fee_order_open", "created_at", postgresql_where=text("state = 'open'")),
        Index(
            "ix_fee_order_counter",
            "counter_chosen_at",
            postgresql_where=text("state = 'open' AND counter_chosen_at IS NOT NULL"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "What a person owes the city for one submission (90.18).",
            "info": private("90.18"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Short reference to quote; gives no access.")
    person_id: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="Who owes it.")
    total_cents: Mapped[int] = mapped_column(comment="Sum of the lines, in cents.")
    state: Mapped[OrderState] = mapped_column(words(OrderState), server_default="open", comment="Open until paid.")
    counter_chosen_at: Mapped[Instant | None] = mapped_column(
        comment="When the person said they will pay at the counter; empty otherwise."
    )
    paid_at: Mapped[Instant | None] = mapped_column(comment="When it was paid in full.")
    created_at: Mapped[Created]


class OrderLine(Base):
    """One fee, with the resolution that set it on the day it was quoted."""

    __tablename__ = "fee_order_line"
    __table_args__ = (
        CheckConstraint("amount_cents >= 0", name="amount_not_negative"),
        {"schema": ANIMAL_CONTROL, "comment": "One fee of an order, as quoted.", "info": private("90.18")},
    )

    id: Mapped[Key]
    order_id: Mapped[UUID] = mapped_column(ForeignKey(Order.id), index=True, comment="The order.")
    kind: Mapped[LineKind] = mapped_column(words(LineKind), comment="What the fee is for.")
    license_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(License.id), index=True, comment="The license it pays for."
    )
    tag_request_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(TagRequest.id), index=True, comment="The duplicate tag it pays for."
    )
    dangerous_registration_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(DangerousRegistration.id), index=True, comment="The year of a dangerous dog it pays for."
    )
    description: Mapped[str] = mapped_column(comment="What the receipt says.")
    amount_cents: Mapped[int] = mapped_column(comment="Fee in cents.")
    resolution: Mapped[str] = mapped_column(comment="Council resolution that set the fee (90.18).")
    ledger_code: Mapped[str] = mapped_column(comment="Account the receipts go to (90.04(B)(7)).")


class Payment(Base):
    """One attempt to pay an order. The row is committed before anyone is sent away to pay."""

    __tablename__ = "payment"
    __table_args__ = (
        CheckConstraint("amount_cents >= 0 AND refunded_cents >= 0", name="amounts_not_negative"),
        CheckConstraint("refunded_cents <= amount_cents", name="never_refunds_more_than_paid"),
        Index(
            "uq_payment_order_id_attempt",
            "order_id",
            unique=True,
            postgresql_where=text("state IN ('pending', 'processing')"),
        ),
        Index("ix_payment_order_id", "order_id"),
        Index("ix_payment_paid_at", "paid_at", postgresql_where=text("paid_at IS NOT NULL")),
        Index("ix_payment_in_question", "order_id", postgresql_where=text("state = 'mismatch'")),
        Index(
            "ix_payment_unsettled",
            "created_at",
            postgresql_where=text("state IN ('pending', 'processing', 'duplicate')"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "One attempt to pay an order, and what became of it.",
            "info": private("90.18"),
        },
    )

    id: Mapped[Key]
    order_id: Mapped[UUID] = mapped_column(ForeignKey(Order.id), comment="The order.")
    method: Mapped[PaymentMethod] = mapped_column(words(PaymentMethod), comment="Card, counter, or nothing due.")
    state: Mapped[PaymentState] = mapped_column(words(PaymentState), comment="What became of it.")
    amount_cents: Mapped[int] = mapped_column(comment="Amount asked, in cents; of another amount that came, what came.")
    refunded_cents: Mapped[int] = mapped_column(server_default="0", comment="Refunded so far, in cents.")
    refund_decided_cents: Mapped[int] = mapped_column(
        server_default="0", comment="How much of it staff decided to give back to the card so far, in cents."
    )
    refunds_decided: Mapped[int] = mapped_column(
        server_default="0",
        info=counted_in("refunds"),
        comment="How many refunds to the card staff decided so far: the processor does each once.",
    )
    refunded_over_cents: Mapped[int] = mapped_column(
        server_default="0", comment="How much more than was paid went back, by card and by hand together, in cents."
    )
    checkout_reference: Mapped[str | None] = mapped_column(unique=True, comment="The processor's checkout session.")
    checkout_url: Mapped[str | None] = mapped_column(comment="The processor's page, while it is open.")
    checkout_expires_at: Mapped[Instant | None] = mapped_column(comment="When the processor closes that page.")
    charge_reference: Mapped[str | None] = mapped_column(unique=True, comment="The processor's payment, once paid.")
    receipt_number: Mapped[str | None] = mapped_column(unique=True, comment="Number on the receipt, once paid.")
    taken_by: Mapped[str | None] = mapped_column(comment="Staff who took it at the counter.")
    note: Mapped[str | None] = mapped_column(comment="What staff should know, such as a dispute's state.")
    paid_at: Mapped[Instant | None] = mapped_column(comment="When the money was confirmed.")
    created_at: Mapped[Created]

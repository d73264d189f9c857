"""What owners of designated dogs tell and ask the city, and dogs that were seized (section 90.13(E), (H), (N), (P)).

What an owner wrote stays as it was written; an officer adds what came of it.
"""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.dangerous import Designated
from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.dangerous import DangerousDesignation, NoticeDelivery
from portal.schema.documents import Document
from portal.schema.people import Person


class NoticeKind(StrEnum):
    MOVE = "move"
    TRANSFER = "transfer"
    DEATH = "death"


class DangerousNotice(Base):
    """An owner's written notice of a move, a sale or gift, or a death; before it, after it, or both."""

    __tablename__ = "dangerous_notice"
    __table_args__ = (
        CheckConstraint("kind <> 'transfer' OR new_owner_name IS NOT NULL", name="a_transfer_names_the_new_owner"),
        CheckConstraint("kind <> 'move' OR new_address IS NOT NULL", name="a_move_says_where"),
        CheckConstraint("(seen_at IS NULL) = (seen_by IS NULL)", name="seen_by_somebody"),
        Index("ix_dangerous_notice_designation_id_created_at", "designation_id", "created_at"),
        Index("ix_dangerous_notice_waiting", "created_at", postgresql_where=text("seen_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A notice of move, transfer or death (90.13(H)(12), (14), (N)).",
            "info": private("90.13(N)"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Short reference to quote; gives no access.")
    designation_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousDesignation.id), comment="The designation.")
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The dog.")
    told_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who told.")
    kind: Mapped[NoticeKind] = mapped_column(words(NoticeKind), comment="Move, sale or gift, or death.")
    happens_on: Mapped[date] = mapped_column(comment="When it happened or is to happen.")
    owner_name: Mapped[str] = mapped_column(comment="The present owner's name (90.13(N)).")
    owner_address: Mapped[str] = mapped_column(comment="The present owner's address (90.13(N)).")
    new_address: Mapped[str | None] = mapped_column(comment="Where the dog will live, as typed.")
    leaves_city: Mapped[bool | None] = mapped_column(comment="Out of this city: to be registered there (90.13(H)(11)).")
    new_owner_name: Mapped[str | None] = mapped_column(comment="The new owner's name (90.13(H)(14), (N)).")
    new_owner_address: Mapped[str | None] = mapped_column(comment="The new owner's address (90.13(H)(14)).")
    new_owner_phone: Mapped[str | None] = mapped_column(comment="The new owner's telephone (90.13(H)(14)).")
    new_owner_was_told: Mapped[bool | None] = mapped_column(
        comment="The owner says that the new one was told of the designation (90.13(H)(14))."
    )
    told: Mapped[str | None] = mapped_column(comment="Anything else, in the owner's words.")
    signed_name: Mapped[str] = mapped_column(comment="Name typed as signature.")
    legal_last_day: Mapped[date] = mapped_column(
        comment="The last day for a notice of this kind at this moment: 14 days before, or 30 days after."
    )
    show_by: Mapped[date] = mapped_column(comment="The earliest safe day, which the owner is shown.")
    is_late: Mapped[bool] = mapped_column(comment="Came after the legal last day; accepted all the same.")
    confirms_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.dangerous_notice.id"), unique=True, comment="The notice before, which this confirms."
    )
    affidavit_asked_at: Mapped[Instant | None] = mapped_column(
        comment="When animal control asked for an affidavit under oath (347.52(c))."
    )
    seen_at: Mapped[Instant | None] = mapped_column(comment="When an officer saw it.")
    seen_by: Mapped[str | None] = mapped_column(comment="Which.")
    created_at: Mapped[Created]


class HearingOutcome(StrEnum):
    UPHELD = "upheld"
    NOT_UPHELD = "not_upheld"
    WITHDRAWN = "withdrawn"


class HearingRequest(Base):
    """A request for a hearing about a designation, whether it is known here or not. It is never refused."""

    __tablename__ = "hearing_request"
    __table_args__ = (
        CheckConstraint("(outcome IS NULL) = (decided_on IS NULL)", name="an_outcome_has_its_day"),
        Index("ix_hearing_request_designation_id", "designation_id"),
        Index("ix_hearing_request_open", "created_at", postgresql_where=text("outcome IS NULL")),
        Index(
            "ix_hearing_request_to_be_received",
            "decided_on",
            postgresql_where=text("outcome = 'upheld' AND decision_received_on IS NULL"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A request for a hearing about a designation (90.13(E)).",
            "info": private("90.13(E)"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Short reference to quote; gives no access.")
    designation_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(DangerousDesignation.id), comment="The designation, if it is known here."
    )
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Person.id), index=True, comment="Who asked, if they keep an animal here."
    )
    kind: Mapped[Designated] = mapped_column(words(Designated), comment="About which designation.")
    about_earlier: Mapped[bool] = mapped_column(
        server_default="false", comment="Also about an earlier potentially dangerous designation ((E)(3)(a)(v))."
    )
    dog: Mapped[str] = mapped_column(comment="The dog, in the owner's words.")
    noticed_on: Mapped[date | None] = mapped_column(comment="The date on the notice, as the owner reads it.")
    received_on: Mapped[date | None] = mapped_column(comment="When the owner received it, as they say.")
    delivery: Mapped[NoticeDelivery | None] = mapped_column(words(NoticeDelivery), comment="How it was received.")
    grounds: Mapped[str | None] = mapped_column(comment="Why the owner asks, in their words.")
    interpreter: Mapped[str | None] = mapped_column(comment="The language of an interpreter, if one is needed.")
    access_needs: Mapped[str | None] = mapped_column(comment="What the owner needs to take part.")
    name: Mapped[str] = mapped_column(comment="The owner's name.")
    email: Mapped[str | None] = mapped_column(comment="Where the receipt goes.")
    phone: Mapped[str | None] = mapped_column(comment="Phone as typed.")
    address: Mapped[str | None] = mapped_column(comment="Address as typed.")
    signed_name: Mapped[str] = mapped_column(comment="Name typed as signature.")
    asked_at: Mapped[Instant] = mapped_column(comment="The exact time at which it was received.")
    legal_last_day: Mapped[date | None] = mapped_column(comment="The last of the 14 days; empty without a notice date.")
    is_late: Mapped[bool] = mapped_column(
        server_default="false", comment="Came after the legal last day; accepted all the same."
    )
    hold_by: Mapped[date] = mapped_column(comment="The last day on which to hold it (90.13(E)(1)).")
    scheduled_at: Mapped[Instant | None] = mapped_column(comment="When it is to be held.")
    place: Mapped[str | None] = mapped_column(comment="Where.")
    heard_by: Mapped[str | None] = mapped_column(comment="Who hears it.")
    held_on: Mapped[date | None] = mapped_column(comment="When it was held.")
    decide_by: Mapped[date | None] = mapped_column(comment="The last day for the decision (90.13(E)(1)).")
    outcome: Mapped[HearingOutcome | None] = mapped_column(words(HearingOutcome), comment="What was decided.")
    decided_on: Mapped[date | None] = mapped_column(comment="When it was decided.")
    decision_received_on: Mapped[date | None] = mapped_column(
        comment="When the owner received the decision, from which the days to comply count ((E)(3)(a)(vii))."
    )
    version: Mapped[int] = mapped_column(server_default="1", comment="Counts the changes of this row.")
    created_at: Mapped[Created]

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it from the class


class ReviewOutcome(StrEnum):
    RESCINDED = "rescinded"
    KEPT = "kept"


class ReviewRequest(Base):
    """A request to look at a designation again, with what shows that the dog's behavior has changed."""

    __tablename__ = "review_request"
    __table_args__ = (
        CheckConstraint("(outcome IS NULL) = (decided_at IS NULL)", name="an_outcome_has_its_time"),
        CheckConstraint("outcome IS DISTINCT FROM 'kept' OR reason IS NOT NULL", name="kept_says_why"),
        Index("ix_review_request_designation_id_created_at", "designation_id", "created_at"),
        Index("ix_review_request_open", "created_at", postgresql_where=text("outcome IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A request to review a designation (90.13(P)).",
            "info": private("90.13(P)"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Short reference to quote; gives no access.")
    designation_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousDesignation.id), comment="The designation.")
    asked_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who asked.")
    changes: Mapped[list[str]] = mapped_column(JSONB, comment="What changed the dog's behavior, in the words of (P).")
    told: Mapped[str] = mapped_column(comment="How it has changed, in the owner's words.")
    document_id: Mapped[UUID | None] = mapped_column(ForeignKey(Document.id), index=True, comment="What shows it.")
    signed_name: Mapped[str] = mapped_column(comment="Name typed as signature.")
    from_day: Mapped[date] = mapped_column(comment="The first day on which a review may be asked for.")
    is_early: Mapped[bool] = mapped_column(comment="Asked before that day; kept all the same.")
    outcome: Mapped[ReviewOutcome | None] = mapped_column(words(ReviewOutcome), comment="What was decided.")
    reason: Mapped[str | None] = mapped_column(comment="Why, as told to the owner.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was decided.")
    decided_by: Mapped[str | None] = mapped_column(comment="Who decided.")
    created_at: Mapped[Created]


class SeizureSecurity(Base):
    """A designated dog that was seized, as an officer entered it, and the security its owner may post."""

    __tablename__ = "seizure_security"
    __table_args__ = (
        CheckConstraint("amount_cents > 0", name="an_amount_is_something"),
        CheckConstraint("(posted_on IS NULL) = (is_late IS NULL)", name="posted_is_late_or_not"),
        Index("ix_seizure_security_designation_id", "designation_id"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A seized dog and the security for its care (90.13(E)(2), (J)).",
            "info": private("90.13(E)(2)"),
        },
    )

    id: Mapped[Key]
    designation_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousDesignation.id), comment="The designation.")
    seized_on: Mapped[date] = mapped_column(comment="The day of the seizure, which counts as the first of the seven.")
    kept_at: Mapped[str] = mapped_column(comment="Where the dog is kept.")
    contact_name: Mapped[str] = mapped_column(comment="Whom to ask there ((E)(3)(a)(i)).")
    contact_phone: Mapped[str] = mapped_column(comment="The telephone number there ((E)(3)(a)(i)).")
    amount_cents: Mapped[int | None] = mapped_column(comment="Security asked, in cents: the actual cost of its care.")
    raw_due_on: Mapped[date] = mapped_column(comment="The seventh day.")
    legal_last_day: Mapped[date] = mapped_column(comment="The same, rolled over weekend and holiday (645.15).")
    show_by: Mapped[date] = mapped_column(comment="The earliest safe day, which the owner is shown.")
    posted_on: Mapped[date | None] = mapped_column(comment="When the security was posted.")
    is_late: Mapped[bool | None] = mapped_column(comment="Posted after the legal last day; accepted all the same.")
    reclaim_told_on: Mapped[date | None] = mapped_column(
        comment="When the owner was told that the dog may be reclaimed (90.13(K))."
    )
    released_on: Mapped[date | None] = mapped_column(comment="When the dog went home.")
    entered_by: Mapped[str] = mapped_column(comment="Officer who entered it.")
    created_at: Mapped[Created]

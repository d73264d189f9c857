"""What became of an animal that is not kept here any more (sections 90.04(B)(5), 90.12(E))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.people import Person


class DepartureKind(StrEnum):
    DIED = "died"
    LEFT_CITY = "left_city"
    GIVEN_AWAY = "given_away"


class Departure(Base):
    """A keeper told that an animal died, left the city or was given away. It can be undone for 30 days."""

    __tablename__ = "departure"
    __table_args__ = (
        Index("uq_departure_animal_id_standing", "animal_id", unique=True, postgresql_where=text("undone_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "An animal that died, left or was given away, as its keeper told.",
            "info": private("90.12(E)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The animal.")
    told_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who told.")
    kind: Mapped[DepartureKind] = mapped_column(words(DepartureKind), comment="What became of it.")
    happened_on: Mapped[date | None] = mapped_column(comment="When, if said.")
    note: Mapped[str | None] = mapped_column(comment="What the keeper added.")
    undone_at: Mapped[Instant | None] = mapped_column(
        comment="When it stopped to count: taken back, or the new owner took over."
    )
    created_at: Mapped[Created]


class ClaimState(StrEnum):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class OwnershipClaim(Base):
    """Somebody an animal was given to says that they keep it now; a person at the city decides. The tag stays."""

    __tablename__ = "ownership_claim"
    __table_args__ = (
        CheckConstraint("(state = 'waiting') = (decided_at IS NULL)", name="a_decision_has_its_time"),
        CheckConstraint("state <> 'rejected' OR reason IS NOT NULL", name="rejected_says_why"),
        Index(
            "uq_ownership_claim_departure_id_standing",
            "departure_id",
            unique=True,
            postgresql_where=text("state <> 'rejected'"),
        ),
        Index("ix_ownership_claim_waiting", "created_at", postgresql_where=text("state = 'waiting'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A new owner of an animal that was given away, for the city to accept.",
            "info": private("90.04(B)(2)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The animal.")
    departure_id: Mapped[UUID] = mapped_column(
        ForeignKey(Departure.id), index=True, comment="What the keeper before told of it."
    )
    claimed_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The new owner.")
    state: Mapped[ClaimState] = mapped_column(words(ClaimState), server_default="waiting", comment="Where it stands.")
    reason: Mapped[str | None] = mapped_column(comment="Why it was rejected, as told to both.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was decided.")
    decided_by: Mapped[str | None] = mapped_column(comment="Who decided.")
    created_at: Mapped[Created]


class FeeQuestion(Base):
    """Somebody says that a fee looks wrong; while it is open, no late fee is added for them."""

    __tablename__ = "fee_question"
    __table_args__ = (
        Index("ix_fee_question_open", "created_at", postgresql_where=text("answered_at IS NULL")),
        {"schema": ANIMAL_CONTROL, "comment": "A fee that somebody thinks is wrong (90.18).", "info": private("90.18")},
    )

    id: Mapped[Key]
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Person.id), index=True, comment="Who asked, if signed in."
    )
    fee: Mapped[str] = mapped_column(comment="Which fee, by its key in the city's file, or an order's reference.")
    text: Mapped[str] = mapped_column(comment="What looks wrong, as typed.")
    contact: Mapped[str | None] = mapped_column(comment="How to answer, as typed.")
    answer: Mapped[str | None] = mapped_column(comment="What the city said.")
    answered_at: Mapped[Instant | None] = mapped_column(comment="When the city answered.")
    created_at: Mapped[Created]

"""What became of an animal that is not kept here any more (sections 90.04(B)(5), 90.12(E))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, words
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
        {"schema": ANIMAL_CONTROL, "comment": "An animal that died, left or was given away, as its keeper told."},
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The animal.")
    told_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who told.")
    kind: Mapped[DepartureKind] = mapped_column(words(DepartureKind), comment="What became of it.")
    happened_on: Mapped[date | None] = mapped_column(comment="When, if said.")
    note: Mapped[str | None] = mapped_column(comment="What the keeper added.")
    undone_at: Mapped[Instant | None] = mapped_column(comment="When it was taken back.")
    created_at: Mapped[Created]


class FeeQuestion(Base):
    """Somebody says that a fee looks wrong; while it is open, no late fee is added for them."""

    __tablename__ = "fee_question"
    __table_args__ = (
        Index("ix_fee_question_open", "created_at", postgresql_where=text("answered_at IS NULL")),
        {"schema": ANIMAL_CONTROL, "comment": "A fee that somebody thinks is wrong (90.18)."},
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

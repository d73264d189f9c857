"""Dogs that animal control designated, and the years of their registration (90.13, Minn. Stat. 347.50-347.565).

The version of a row tells two people who work on it at once.
"""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.dangerous import Designated
from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.people import Person


class DesignationState(StrEnum):
    STATED = "stated"
    """An owner told that another place declared the dog dangerous; an officer has still to look (90.13(H)(11))."""
    STANDING = "standing"
    RESCINDED = "rescinded"
    """After a review (90.13(P))."""
    NOT_UPHELD = "not_upheld"
    """By the decision of a hearing (90.13(E)(1))."""


class NoticeDelivery(StrEnum):
    HAND = "hand"
    MAIL = "mail"
    POSTED = "posted"
    RESIDENT = "resident"


class DangerousDesignation(Base):
    """A dog that animal control designated as dangerous or potentially dangerous, and the notice of it."""

    __tablename__ = "dangerous_designation"
    __table_args__ = (
        CheckConstraint("state <> 'standing' OR noticed_on IS NOT NULL", name="a_notice_has_its_date"),
        CheckConstraint("(claimed_at IS NULL) = (claimed_by IS NULL)", name="claimed_by_somebody"),
        CheckConstraint("claimed_at IS NULL OR animal_id IS NOT NULL", name="claimed_for_an_animal"),
        CheckConstraint("(state IN ('rescinded', 'not_upheld')) = (ended_on IS NOT NULL)", name="an_end_has_its_day"),
        Index("ix_dangerous_designation_animal_id", "animal_id"),
        Index("ix_dangerous_designation_noticed_on", "noticed_on"),
        Index("ix_dangerous_designation_stated", "created_at", postgresql_where=text("state = 'stated'")),
        Index("ix_dangerous_designation_standing", "kind", postgresql_where=text("state = 'standing'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A dog designated dangerous or potentially dangerous (90.13(D), (E)(3)).",
            "info": private("90.13(D)"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Short reference on the notice; gives no access.")
    kind: Mapped[Designated] = mapped_column(
        words(Designated), comment="Dangerous or potentially dangerous (90.13(C))."
    )
    state: Mapped[DesignationState] = mapped_column(
        words(DesignationState), server_default="standing", comment="Where it stands."
    )
    animal_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Animal.id), comment="The dog, once it is known here: matched by an officer, or claimed by code."
    )
    dog: Mapped[str] = mapped_column(comment="The dog as the notice describes it ((E)(3)(a)(i)).")
    grounds: Mapped[list[str]] = mapped_column(JSONB, comment="What it rests on: words of 90.13(C)(1), (C)(2).")
    circumstances: Mapped[str | None] = mapped_column(
        comment="Time, place and circumstances as the notice tells them ((E)(3)); never who was bitten."
    )
    declared_by: Mapped[str | None] = mapped_column(
        comment="The other place that declared it, if it was not this city (90.13(H)(11))."
    )
    noticed_on: Mapped[date | None] = mapped_column(comment="The date on the notice, from which the safe days count.")
    sent_on: Mapped[date | None] = mapped_column(comment="When the notice was sent (90.13(I)).")
    received_on: Mapped[date | None] = mapped_column(comment="When it was received, if known.")
    delivery: Mapped[NoticeDelivery | None] = mapped_column(
        words(NoticeDelivery), comment="How: to the owner by hand or mail, posted, or to a resident ((E)(3))."
    )
    final_on: Mapped[date | None] = mapped_column(
        comment="The final determination, from which sterilizing counts (90.13(H)(15))."
    )
    ended_on: Mapped[date | None] = mapped_column(comment="When it was rescinded, or not upheld.")
    designated_by: Mapped[str] = mapped_column(comment="Officer who entered it, or the keeper who stated it.")
    code_hash: Mapped[str | None] = mapped_column(
        unique=True, comment="Hash of the code printed on the notice; whoever has the code may claim it for their dog."
    )
    claimed_by: Mapped[UUID | None] = mapped_column(
        ForeignKey(Person.id), index=True, comment="The keeper who claimed it with the code."
    )
    claimed_at: Mapped[Instant | None] = mapped_column(comment="When.")
    version: Mapped[int] = mapped_column(server_default="1", comment="Counts the changes of this row.")
    created_at: Mapped[Created]

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it from the class

    @property
    def is_dangerous(self) -> bool:
        return self.kind is Designated.DANGEROUS


class RegistrationState(StrEnum):
    OPEN = "open"
    CERTIFIED = "certified"
    WITHDRAWN = "withdrawn"


class DangerousRegistration(Base):
    """One year of a dangerous dog's registration. The next year's begins with the rows of this one."""

    __tablename__ = "dangerous_registration"
    __table_args__ = (
        CheckConstraint("ends_on >= starts_on", name="ends_after_it_begins"),
        CheckConstraint(
            "state <> 'certified' OR (certified_at IS NOT NULL AND certified_by IS NOT NULL "
            "AND certificate_code IS NOT NULL AND certificate_until IS NOT NULL)",
            name="certified_has_its_certificate",
        ),
        CheckConstraint("certificate_until <= ends_on", name="a_certificate_ends_with_its_year"),
        # A range of keys compares whole keys, so that no extension of PostgreSQL is needed for the equality.
        ExcludeConstraint(
            (text("animal_control.key_range(animal_id, animal_id, '[]')"), "&&"),
            (text("daterange(starts_on, ends_on, '[]')"), "&&"),
            using="gist",
            where=text("state <> 'withdrawn'"),
            name="ex_dangerous_registration_one_at_a_time",
        ),
        Index("ix_dangerous_registration_animal_id_starts_on", "animal_id", "starts_on"),
        Index("ix_dangerous_registration_designation_id", "designation_id"),
        Index("ix_dangerous_registration_waiting", "sent_at", postgresql_where=text("state = 'open'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A year of a dangerous dog's registration (90.13(H)(1), (11)).",
            "info": private("90.13(H)(1)"),
        },
    )

    id: Mapped[Key]
    designation_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousDesignation.id), comment="The designation.")
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), comment="The dog.")
    person_id: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The owner who registers it.")
    previous_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.dangerous_registration.id"), unique=True, comment="The year before; empty at first."
    )
    starts_on: Mapped[date] = mapped_column(comment="First day of its year.")
    ends_on: Mapped[date] = mapped_column(comment="Last day of its year.")
    state: Mapped[RegistrationState] = mapped_column(
        words(RegistrationState), server_default="open", comment="Certified once every row is settled."
    )
    sent_at: Mapped[Instant | None] = mapped_column(comment="When its owner said that it is ready to be looked at.")
    is_late: Mapped[bool] = mapped_column(
        server_default="false", comment="Sent after the day it was due; accepted all the same."
    )
    photograph_at: Mapped[Instant | None] = mapped_column(
        comment="When animal control photographs the dog, as it set (90.13(H)(10))."
    )
    photograph_place: Mapped[str | None] = mapped_column(comment="Where.")
    certificate_code: Mapped[str | None] = mapped_column(
        unique=True, comment="Code on the certificate, which an officer can check; shows no person."
    )
    certificate_until: Mapped[date | None] = mapped_column(
        comment="Last day of the certificate: of the year, or of what it rests on, as the city says."
    )
    certified_at: Mapped[Instant | None] = mapped_column(comment="When the certificate was issued last.")
    certified_by: Mapped[str | None] = mapped_column(comment="Officer who issued it.")
    version: Mapped[int] = mapped_column(server_default="1", comment="Counts the changes of this row.")
    created_at: Mapped[Created]

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012

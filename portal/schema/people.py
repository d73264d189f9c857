"""Who keeps animals, and where (section 90.03 OWNER, 90.04(B)(2))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, literal_column, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Key, private, words


class PersonKind(StrEnum):
    PERSON = "person"
    ORGANIZATION = "organization"


class PremisesKind(StrEnum):
    STREET = "street"
    SAFE_AT_HOME = "safe_at_home"


class Premises(Base):
    """A place where animals are kept: one dwelling unit."""

    __tablename__ = "premises"
    __table_args__ = (
        CheckConstraint("kind <> 'safe_at_home' OR match_key IS NULL", name="safe_at_home_is_never_matched"),
        Index(
            "ix_premises_words",
            text("animal_control.words(match_key)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A place where animals are kept: one dwelling unit (90.09).",
            "info": private("90.09"),
        },
    )

    id: Mapped[Key]
    kind: Mapped[PremisesKind] = mapped_column(
        words(PremisesKind), comment="safe_at_home: the designated address under Minn. Stat. 5B.05; never located."
    )
    line1: Mapped[str] = mapped_column(comment="Street or rural address as typed.")
    unit: Mapped[str | None] = mapped_column(comment="Apartment, lot or unit as typed.")
    city: Mapped[str] = mapped_column(comment="Post town as typed.")
    state: Mapped[str] = mapped_column(comment="State as typed, usually MN.")
    postal_code: Mapped[str] = mapped_column(comment="ZIP code as typed.")
    match_key: Mapped[str | None] = mapped_column(
        unique=True, comment="Address and unit folded for comparing; empty for Safe at Home."
    )
    kennel_review: Mapped[bool] = mapped_column(
        server_default="false", comment="Three or more dogs stated here: an officer looks (90.09). Never a refusal."
    )
    created_at: Mapped[Created]


class Person(Base):
    """A person or organization that keeps an animal."""

    __tablename__ = "person"
    __table_args__ = (
        Index("ix_person_name", "name"),
        Index("ix_person_surname", text("animal_control.surname(name)")),
        Index("ix_person_phone_e164", "phone_e164"),
        Index("ix_person_joined_to_id", "joined_to_id", postgresql_where=text("joined_to_id IS NOT NULL")),
        Index(
            "ix_person_words",
            text("animal_control.words(name)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        Index(
            "ix_person_phone_end",
            literal_column("animal_control.phone_end(coalesce(phone_e164, phone))").label("phone_end"),
            postgresql_ops={"phone_end": "text_pattern_ops"},
        ),
        Index(
            "ix_person_email_lower",
            literal_column("lower(email)").label("email_lower"),
            postgresql_ops={"email_lower": "text_pattern_ops"},
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A person or organization that owns or keeps animals (90.03 OWNER).",
            "info": private("90.03"),
        },
    )

    id: Mapped[Key]
    kind: Mapped[PersonKind] = mapped_column(
        words(PersonKind), comment="A person, or an organization such as a rescue."
    )
    name: Mapped[str] = mapped_column(comment="Name as typed; may be one word.")
    email: Mapped[str | None] = mapped_column(comment="Where license mail goes, as typed.")
    phone: Mapped[str | None] = mapped_column(comment="Phone as typed.")
    phone_e164: Mapped[str | None] = mapped_column(comment="The same phone normalized, +13205550100.")
    phone_extension: Mapped[str | None] = mapped_column(comment="Extension of the phone, digits.")
    guardian_name: Mapped[str | None] = mapped_column(comment="Parent or guardian of a keeper under 18 (90.04(A)).")
    guardian_contact: Mapped[str | None] = mapped_column(comment="How to reach the parent or guardian, as typed.")
    home_premises_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Premises.id), index=True, comment="Where the person lives and keeps animals."
    )
    mailing_address: Mapped[str | None] = mapped_column(
        comment="Where mail goes when it is not the home: lines as typed, may be a PO box."
    )
    joined_to_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.person.id"),
        comment="The record of the same person that this one was joined to, with all it had; empty otherwise.",
    )
    created_at: Mapped[Created]


class HouseholdStatement(Base):
    """What a keeper stated about the other dogs at the address; a new statement never changes an older one."""

    __tablename__ = "household_statement"
    __table_args__ = (
        CheckConstraint("other_dogs >= 0", name="other_dogs_not_negative"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Other dogs a keeper stated are kept there (90.04(B)(2), 90.09).",
            "info": private("90.09"),
        },
    )

    id: Mapped[Key]
    person_id: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="Who stated it.")
    premises_id: Mapped[UUID] = mapped_column(ForeignKey(Premises.id), index=True, comment="Where.")
    other_dogs: Mapped[int] = mapped_column(comment="How many other dogs, whoever owns them, without a fresh litter.")
    description: Mapped[str | None] = mapped_column(comment="Name, breed, color and sex of each, as typed.")
    litter_born_on: Mapped[date | None] = mapped_column(comment="Birth date of a fresh litter kept there (90.09(A)).")
    created_at: Mapped[Created]

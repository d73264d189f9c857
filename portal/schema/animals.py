"""Animals and who keeps them (sections 90.03, 90.04(B)(2))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.documents import Document
from portal.schema.people import Person, Premises


class Species(StrEnum):
    DOG = "dog"
    CAT = "cat"


class Sex(StrEnum):
    FEMALE = "female"
    MALE = "male"


class AnimalState(StrEnum):
    KEPT = "kept"
    DIED = "died"
    LEFT_CITY = "left_city"
    GIVEN_AWAY = "given_away"


class KeeperRole(StrEnum):
    OWNER = "owner"
    CO_OWNER = "co_owner"
    KEEPER = "keeper"


class Animal(Base):
    """A dog or cat kept in the city."""

    __tablename__ = "animal"
    __table_args__ = (
        CheckConstraint("estimated_age_months >= 0", name="age_not_negative"),
        CheckConstraint("(estimated_age_months IS NULL) = (age_estimated_on IS NULL)", name="an_estimate_has_its_date"),
        Index("ix_animal_microchip", "microchip", postgresql_where=text("microchip IS NOT NULL")),
        Index("ix_animal_microchip_mark", text("animal_control.mark(microchip)")),
        Index(
            "ix_animal_microchip_parts",
            text("animal_control.parts(microchip)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        Index(
            "ix_animal_words",
            text("animal_control.words(name)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        {"schema": ANIMAL_CONTROL, "comment": "A dog or cat kept in the city (90.04).", "info": private("90.04(B)(2)")},
    )

    id: Mapped[Key]
    species: Mapped[Species] = mapped_column(words(Species), comment="Dog or cat; only dogs are licensed (90.04(B)).")
    name: Mapped[str] = mapped_column(comment="The name its people use, as typed.")
    breed: Mapped[str] = mapped_column(comment="Breed as stated (90.04(B)(2)); never used for risk or fees.")
    color: Mapped[str] = mapped_column(comment="Color as stated (90.04(B)(2)).")
    sex: Mapped[Sex] = mapped_column(words(Sex), comment="Sex as stated (90.04(B)(2)).")
    is_altered: Mapped[bool | None] = mapped_column(comment="Spayed or neutered; empty when not known.")
    born_on: Mapped[date | None] = mapped_column(comment="Birth date when known.")
    estimated_age_months: Mapped[int | None] = mapped_column(
        comment="Age in months as estimated, when the birth date is not known."
    )
    age_estimated_on: Mapped[date | None] = mapped_column(comment="The day the age was estimated.")
    microchip: Mapped[str | None] = mapped_column(comment="Microchip number as typed, blanks and dashes removed.")
    came_from: Mapped[str | None] = mapped_column(comment="State or country the animal was brought from, if stated.")
    declared_dangerous_elsewhere: Mapped[bool] = mapped_column(
        server_default="false", comment="The keeper says another place declared it dangerous (90.13(H)(11))."
    )
    photo_id: Mapped[UUID | None] = mapped_column(ForeignKey(Document.id), index=True, comment="Its picture.")
    premises_id: Mapped[UUID] = mapped_column(ForeignKey(Premises.id), index=True, comment="Where it is kept.")
    state: Mapped[AnimalState] = mapped_column(
        words(AnimalState), server_default="kept", comment="Kept here, or what became of it."
    )
    state_since: Mapped[Instant | None] = mapped_column(comment="When the state last changed.")
    created_at: Mapped[Created]

    @property
    def is_dog(self) -> bool:
        return self.species is Species.DOG


class Keeper(Base):
    """Someone who owns or keeps an animal; an animal may have several."""

    __tablename__ = "keeper"
    __table_args__ = (
        Index("uq_keeper_current", "animal_id", "person_id", unique=True, postgresql_where=text("until IS NULL")),
        Index("ix_keeper_person_id_current", "person_id", postgresql_where=text("until IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Who owns or keeps an animal, and since when (90.03 OWNER).",
            "info": private("90.03"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The animal.")
    person_id: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The person or organization.")
    role: Mapped[KeeperRole] = mapped_column(words(KeeperRole), comment="In what sense they are its owner.")
    shares_contact: Mapped[bool] = mapped_column(
        server_default="false", comment="Lets the animal's other keepers see phone and e-mail."
    )
    since: Mapped[Instant] = mapped_column(comment="From when.")
    until: Mapped[Instant | None] = mapped_column(comment="To when; empty while it lasts.")

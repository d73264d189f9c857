"""Animals at the pound, as the city's software writes them (section 90.07, Minn. Stat. 346.47).

The portal's web process reads what anybody may read of an animal, column by column. From whom it came and to whom it
went is in a table of its own, which the portal does not read at all.
"""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal, Sex
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.documents import Document
from portal.schema.notices import Size


class ImpoundBasis(StrEnum):
    AT_LARGE = "at_large"
    NO_TAG = "no_tag"
    QUARANTINE = "quarantine"
    SEIZED = "seized"


class ImpoundOutcome(StrEnum):
    RECLAIMED = "reclaimed"
    TRANSFERRED = "transferred"
    DIED = "died"
    DESTROYED = "destroyed"


class PartySide(StrEnum):
    RECEIVED_FROM = "received_from"
    TRANSFERRED_TO = "transferred_to"


class OwnerTold(StrEnum):
    PERSONALLY = "personally"
    MAIL = "mail"


# Only these stand on the public pages: of the others an investigation may be under way (13.82).
PUBLIC_BASES = (ImpoundBasis.AT_LARGE, ImpoundBasis.NO_TAG)

PUBLIC = "id basis species breed color sex size age_text marks area seized_on photo_id left_on created_at"


class Impoundment(Base):
    """One stay of one animal at the pound."""

    __tablename__ = "impoundment"
    __table_args__ = (
        CheckConstraint("(left_on IS NULL) = (outcome IS NULL)", name="who_left_has_an_outcome"),
        CheckConstraint("left_on >= seized_on", name="leaves_after_it_came"),
        CheckConstraint("(owner_told_on IS NULL) = (owner_told_how IS NULL)", name="the_telling_is_whole"),
        CheckConstraint("species <> ''", name="is_of_a_species"),
        CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name="a_position_is_whole"),
        Index("ix_impoundment_held", "seized_on", postgresql_where=text("left_on IS NULL")),
        Index("ix_impoundment_seized_on", "seized_on"),
        Index(
            "uq_impoundment_held_animal_id",
            "animal_id",
            unique=True,
            postgresql_where=text("left_on IS NULL AND animal_id IS NOT NULL"),
        ),
        Index("ix_impoundment_animal_id", "animal_id", postgresql_where=text("animal_id IS NOT NULL")),
        Index(
            "ix_impoundment_keepers_to_write_to",
            "seized_on",
            "id",
            postgresql_where=text("left_on IS NULL AND keepers_written_at IS NULL"),
        ),
        Index(
            "ix_impoundment_to_compare",
            "created_at",
            "id",
            postgresql_where=text("left_on IS NULL AND compared_at IS NULL"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "An animal's stay at the pound (90.07(E), Minn. Stat. 346.47).",
            "info": private("90.07(E)", but_public=PUBLIC),
        },
    )

    id: Mapped[Key]
    basis: Mapped[ImpoundBasis] = mapped_column(
        words(ImpoundBasis), comment="Why: at_large or no_tag (90.07(A)) are shown to everyone, the others to nobody."
    )
    species: Mapped[str] = mapped_column(comment="Species in one plain word: dog, cat, rabbit (90.07(E)(1)).")
    breed: Mapped[str] = mapped_column(server_default="", comment="Breed as it looks; never used for risk or fees.")
    color: Mapped[str] = mapped_column(server_default="", comment="Colors as they look.")
    sex: Mapped[Sex | None] = mapped_column(words(Sex), comment="Sex; empty when not known.")
    size: Mapped[Size | None] = mapped_column(words(Size), comment="Size beside others of its species.")
    age_text: Mapped[str] = mapped_column(server_default="", comment="Approximate age in words.")
    marks: Mapped[str] = mapped_column(server_default="", comment="Other distinguishing traits: marks, collar.")
    area: Mapped[str] = mapped_column(server_default="", comment="Where it was seized, as everyone reads it: a block.")
    place: Mapped[str] = mapped_column(comment="Where it was seized, exactly (90.07(E)(2)); for the city.")
    latitude: Mapped[float | None] = mapped_column(Double, comment="Where, if known; for finding its owner's notice.")
    longitude: Mapped[float | None] = mapped_column(Double, comment="Where, if known; for finding its owner's notice.")
    seized_on: Mapped[date] = mapped_column(comment="The day it was seized and impounded (90.07(E)(3)).")
    microchip: Mapped[str | None] = mapped_column(comment="Microchip number as read; for the city.")
    tag_text: Mapped[str | None] = mapped_column(comment="Number of a license tag it wears; for the city.")
    photo_id: Mapped[UUID | None] = mapped_column(ForeignKey(Document.id), index=True, comment="Its picture.")
    animal_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Animal.id), comment="The registered animal it is, once somebody knows."
    )
    keepers_written_at: Mapped[Instant | None] = mapped_column(
        comment="When the portal wrote to its keepers; a courtesy beside the notice of 90.07(B)."
    )
    compared_at: Mapped[Instant | None] = mapped_column(comment="When it was compared with notices of missing pets.")
    owner_told_on: Mapped[date | None] = mapped_column(comment="When its owner was told (90.07(B)).")
    owner_told_how: Mapped[OwnerTold | None] = mapped_column(
        words(OwnerTold), comment="How: personally, or through United States mail (90.07(B))."
    )
    left_on: Mapped[date | None] = mapped_column(comment="The day it left the pound; empty while it is there.")
    outcome: Mapped[ImpoundOutcome | None] = mapped_column(words(ImpoundOutcome), comment="How it left; for the city.")
    created_at: Mapped[Created]


class ImpoundmentParty(Base):
    """Somebody an animal came from or went to. The portal's pages never name them."""

    __tablename__ = "impoundment_party"
    __table_args__ = (
        {
            "schema": ANIMAL_CONTROL,
            "comment": "From whom an animal came to the pound and to whom it went (Minn. Stat. 346.47); for the desk.",
            "info": private("346.47"),
        },
    )

    id: Mapped[Key]
    impoundment_id: Mapped[UUID] = mapped_column(ForeignKey(Impoundment.id), index=True, comment="The stay.")
    side: Mapped[PartySide] = mapped_column(words(PartySide), comment="Whether it came from them or went to them.")
    name: Mapped[str] = mapped_column(comment="Their name, as given.")
    address: Mapped[str] = mapped_column(comment="Their address, as given.")
    created_at: Mapped[Created]

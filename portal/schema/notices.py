"""Lost and found notices, and what comes of them: sightings, likely matches, complaints (90.07, 90.11(B)).

**What is public.** Every column of `pet_notice` named in `PUBLIC` may be shown to anybody while its `state` is
`shown`. Once it is `home` only its kind, its name and the fact are shown. In every other state nothing is shown: for
the public the notice does not exist. Pages for the public read it through `portal.services.notices.shown` alone.

**What is not.** Who filed it, the mark that a true finder can name, the numbers of chip and tag, a phone for animal
control: all of that is in `portal.notice_private` (`portal.schema.notices_private`), which no public query may join.
What is flagged and what others complained of is for the city; a sighting and a match are for whoever filed the notice.
Only `shown_phone` tells of a person, and it is filled in only where an owner ticked that it be shown.

**Pictures.** A notice has a picture of its own, even of a registered animal, so that it goes when the notice does: its
keys are emptied when the notice is closed, and the file goes at once, or at the latest with the sweep of orphans.
"""

from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal, Sex
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, confidential, private, words


class NoticeKind(StrEnum):
    LOST = "lost"
    FOUND = "found"


class NoticeState(StrEnum):
    CHECKING = "checking"
    """It was flagged, and somebody of the city looks before it is shown."""
    SHOWN = "shown"
    HOME = "home"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    """Nobody said for 60 days that it still holds. Whoever filed it can show it again."""
    TAKEN_DOWN = "taken_down"


class NoticeSpecies(StrEnum):
    DOG = "dog"
    CAT = "cat"
    BIRD = "bird"
    RABBIT = "rabbit"
    FERRET = "ferret"
    SMALL_ANIMAL = "small_animal"
    REPTILE = "reptile"
    FARM_ANIMAL = "farm_animal"
    OTHER = "other"


class Size(StrEnum):
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class Temperament(StrEnum):
    FRIENDLY = "friendly"
    SHY = "shy"
    MAY_BITE = "may_bite"


class Holding(StrEnum):
    SIGHTED = "sighted"
    FOLLOWING = "following"
    HELD = "held"


class AbuseKind(StrEnum):
    NOT_THEIRS = "not_theirs"
    SCAM = "scam"
    OFFENSIVE = "offensive"
    OTHER = "other"


IS_SHOWN = text("state = 'shown'")
POSITION = "(latitude IS NULL) = (longitude IS NULL)"
PICTURE = "(photo_key IS NULL) = (thumbnail_key IS NULL)"
PUBLIC = (
    "id reference kind state species species_text name breed color sex size marks wears temperament what_to_do "
    "place_text latitude longitude happened_on happened_at photo_key thumbnail_key photo_width photo_height holding "
    "shown_phone changed_at created_at"
)


class PetNotice(Base):
    """A pet that is missing, or one that somebody found."""

    __tablename__ = "pet_notice"
    __table_args__ = (
        CheckConstraint("(kind = 'found') = (holding IS NOT NULL)", name="a_found_one_says_how_it_is_held"),
        CheckConstraint("confined_at IS NULL OR holding = 'held'", name="only_a_held_one_was_taken_in"),
        CheckConstraint("shown_phone IS NULL OR kind = 'lost'", name="only_an_owner_shows_a_phone"),
        CheckConstraint(POSITION, name="a_position_is_whole"),
        CheckConstraint(PICTURE, name="a_picture_has_its_small_one"),
        CheckConstraint(
            "(state IN ('checking', 'shown')) = (closed_at IS NULL)", name="whatever_is_over_says_since_when"
        ),
        CheckConstraint(
            "state NOT IN ('home', 'withdrawn') OR (photo_key IS NULL AND shown_phone IS NULL)",
            name="picture_and_phone_go_with_the_notice",
        ),
        Index("ix_pet_notice_board", "kind", text("created_at DESC"), text("id DESC"), postgresql_where=IS_SHOWN),
        Index(
            "ix_pet_notice_board_species",
            "kind",
            "species",
            text("created_at DESC"),
            text("id DESC"),
            postgresql_where=IS_SHOWN,
        ),
        Index("ix_pet_notice_match", "kind", "species", "happened_on", postgresql_where=IS_SHOWN),
        Index("ix_pet_notice_renewed_at", "renewed_at", postgresql_where=IS_SHOWN),
        Index(
            "ix_pet_notice_to_compare",
            "changed_at",
            "id",
            postgresql_where=text("state = 'shown' AND (compared_at IS NULL OR compared_at < changed_at)"),
        ),
        Index("ix_pet_notice_checking", "created_at", postgresql_where=text("state = 'checking'")),
        Index("ix_pet_notice_animal_id", "animal_id", postgresql_where=text("animal_id IS NOT NULL")),
        Index("ix_pet_notice_photo_key", "photo_key", postgresql_where=text("photo_key IS NOT NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A pet that is missing, or one that was found (90.07, 90.11(B)).",
            "info": private("90.11(B)", but_public=PUBLIC),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="Its place in an address, like 4K7PQ-XRM2T; no right.")
    kind: Mapped[NoticeKind] = mapped_column(words(NoticeKind), comment="Missing, or found.")
    state: Mapped[NoticeState] = mapped_column(words(NoticeState), comment="Only `shown` is on the board.")
    animal_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Animal.id), comment="The registered animal that is missing, if it is one. Never public."
    )
    species: Mapped[NoticeSpecies] = mapped_column(words(NoticeSpecies), comment="Any species.")
    species_text: Mapped[str] = mapped_column(server_default="", comment="Which, as typed, of another kind.")
    name: Mapped[str] = mapped_column(server_default="", comment="What it is called; empty for one that was found.")
    breed: Mapped[str] = mapped_column(server_default="", comment="Breed as typed, or what it looks like.")
    color: Mapped[str] = mapped_column(server_default="", comment="Colors as typed.")
    sex: Mapped[Sex | None] = mapped_column(words(Sex), comment="Sex; empty when not known.")
    size: Mapped[Size | None] = mapped_column(words(Size), comment="Size; empty when not said.")
    marks: Mapped[str] = mapped_column(server_default="", comment="What else one can see of it.")
    wears: Mapped[str] = mapped_column(server_default="", comment="Collar, harness, coat, as typed.")
    temperament: Mapped[Temperament | None] = mapped_column(words(Temperament), comment="Friendly, shy, may bite.")
    what_to_do: Mapped[str] = mapped_column(server_default="", comment="What to do when it is seen.")
    place_text: Mapped[str] = mapped_column(comment="Where it was last seen, or found, as typed.")
    latitude: Mapped[float | None] = mapped_column(Double, comment="There, if the phone was asked.")
    longitude: Mapped[float | None] = mapped_column(Double, comment="There, if the phone was asked.")
    happened_on: Mapped[date] = mapped_column(comment="The day it was last seen, or found.")
    happened_at: Mapped[Instant | None] = mapped_column(comment="The instant, where the time is known.")
    photo_key: Mapped[str | None] = mapped_column(comment="A clean JPEG in the file store; emptied when it is over.")
    thumbnail_key: Mapped[str | None] = mapped_column(comment="The same picture, small.")
    photo_width: Mapped[int | None] = mapped_column(comment="Width of the picture in pixels.")
    photo_height: Mapped[int | None] = mapped_column(comment="Height of the picture in pixels.")
    holding: Mapped[Holding | None] = mapped_column(
        words(Holding), comment="Of one that was found: only seen, followed, or taken in."
    )
    confined_at: Mapped[Instant | None] = mapped_column(
        comment="When it was taken in: the police are told within two hours (90.11(B))."
    )
    shown_phone: Mapped[str | None] = mapped_column(comment="A phone as typed that its owner wants shown.")
    flagged_for: Mapped[str | None] = mapped_column(comment="Why somebody looks at it. Never public.")
    looked_at: Mapped[Instant | None] = mapped_column(comment="When somebody of the city looked. Never public.")
    renewed_at: Mapped[Instant] = mapped_column(
        server_default=text("now()"), comment="When it was last said that it still holds."
    )
    asked_at: Mapped[Instant | None] = mapped_column(comment="When it was asked, since then, whether it does.")
    closed_at: Mapped[Instant | None] = mapped_column(comment="When it was over.")
    changed_at: Mapped[Instant] = mapped_column(server_default=text("now()"), comment="When it last changed.")
    compared_at: Mapped[Instant | None] = mapped_column(comment="Its last change that was compared with other notices.")
    created_at: Mapped[Created]


class Sighting(Base):
    """Somebody saw a missing pet, or has it: for its owner and the city. What they say stands in the talk alone."""

    __tablename__ = "sighting"
    __table_args__ = (
        CheckConstraint("confined_at IS NULL OR holding = 'held'", name="only_a_held_one_was_taken_in"),
        CheckConstraint(POSITION, name="a_position_is_whole"),
        Index("ix_sighting_notice_id_created_at", "notice_id", "created_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Somebody saw a missing pet, or has it. Its key is that of the talk.",
            "info": private("90.11(B)"),
        },
    )

    id: Mapped[Key]
    notice_id: Mapped[UUID] = mapped_column(ForeignKey(PetNotice.id), comment="The notice.")
    holding: Mapped[Holding] = mapped_column(words(Holding), comment="Only seen, followed, or taken in.")
    confined_at: Mapped[Instant | None] = mapped_column(comment="When it was taken in (90.11(B)).")
    seen_at: Mapped[Instant] = mapped_column(comment="When it was seen.")
    place_text: Mapped[str] = mapped_column(comment="Where, as typed.")
    latitude: Mapped[float | None] = mapped_column(Double, comment="There, if the phone was asked.")
    longitude: Mapped[float | None] = mapped_column(Double, comment="There, if the phone was asked.")
    is_suspicious: Mapped[bool] = mapped_column(server_default="false", comment="A spam trap was filled in.")
    created_at: Mapped[Created]


class NoticeMatch(Base):
    """Two that may be the same animal: a missing one, and one that was found or is at the pound."""

    __tablename__ = "notice_match"
    __table_args__ = (
        CheckConstraint("num_nonnulls(lost_notice_id, animal_id) = 1", name="one_that_is_missing"),
        CheckConstraint("num_nonnulls(found_notice_id, impoundment_id) = 1", name="one_that_was_found"),
        CheckConstraint("score BETWEEN 0 AND 100", name="score_of_a_hundred"),
        Index(
            "uq_notice_match_pair",
            "lost_notice_id",
            "animal_id",
            "found_notice_id",
            "impoundment_id",
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
        Index(
            "ix_notice_match_found_notice_id", "found_notice_id", postgresql_where=text("found_notice_id IS NOT NULL")
        ),
        Index("ix_notice_match_animal_id", "animal_id", postgresql_where=text("animal_id IS NOT NULL")),
        Index("ix_notice_match_impoundment_id", "impoundment_id", postgresql_where=text("impoundment_id IS NOT NULL")),
        Index("ix_notice_match_untold", "created_at", postgresql_where=text("told_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Two that may be the same animal, each pair once. Never public.",
            "info": private("90.11(B)"),
        },
    )

    id: Mapped[Key]
    lost_notice_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(PetNotice.id), comment="The notice of the missing one."
    )
    animal_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Animal.id), comment="A registered animal that nobody gave notice of."
    )
    found_notice_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(PetNotice.id), comment="The notice of the found one."
    )
    impoundment_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(f"{ANIMAL_CONTROL}.impoundment.id"), comment="The animal at the pound."
    )
    score: Mapped[int] = mapped_column(comment="How likely, of a hundred.")
    reasons: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]", comment="Why, in words for people.")
    told_at: Mapped[Instant | None] = mapped_column(comment="When the owner was told; they are told once.")
    dismissed_at: Mapped[Instant | None] = mapped_column(comment="When the owner said that it is another.")
    created_at: Mapped[Created]


class NoticeAbuse(Base):
    """Somebody says that a notice should not be there. Who said so is not kept."""

    __tablename__ = "notice_abuse"
    __table_args__ = (
        Index("ix_notice_abuse_notice_id", "notice_id"),
        Index("ix_notice_abuse_waiting", "created_at", postgresql_where=text("looked_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Complaints about notices. Never public.",
            "info": confidential("90.11(B)"),
        },
    )

    id: Mapped[Key]
    notice_id: Mapped[UUID] = mapped_column(ForeignKey(PetNotice.id), comment="The notice.")
    kind: Mapped[AbuseKind] = mapped_column(words(AbuseKind), comment="What is wrong with it.")
    text: Mapped[str] = mapped_column(server_default="", comment="More, as typed.")
    looked_at: Mapped[Instant | None] = mapped_column(comment="When somebody of the city looked.")
    created_at: Mapped[Created]

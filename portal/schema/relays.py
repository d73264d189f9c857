"""Talks between people who found an animal and its keepers, in which neither side learns who the other is.

A talk begins with a tag (it has an animal) or with a notice (it has that). The side called `finder` is whoever wrote
first and has the link; `keeper` is the other: the animal's keepers, or whoever filed the notice. So with a notice of a
found animal it is its owner who writes as `finder`.
"""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal
from portal.schema.base import PORTAL, Base, Created, Instant, Key, private, words
from portal.schema.notices import PetNotice


class RelaySender(StrEnum):
    FINDER = "finder"
    KEEPER = "keeper"


class Relay(Base):
    """A talk between somebody who found an animal and its keepers; neither learns who the other is."""

    __tablename__ = "relay"
    __table_args__ = (
        CheckConstraint("num_nonnulls(animal_id, notice_id) = 1", name="begins_with_a_tag_or_a_notice"),
        Index("ix_relay_animal_id_created_at", "animal_id", "created_at"),
        Index(
            "ix_relay_notice_id_created_at", "notice_id", "created_at", postgresql_where=text("notice_id IS NOT NULL")
        ),
        Index("ix_relay_created_at", "created_at"),
        {"schema": PORTAL, "comment": "Talks between finders and keepers (90.11(B)).", "info": private("90.11(B)")},
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID | None] = mapped_column(ForeignKey(Animal.id), comment="The animal whose tag was read.")
    notice_id: Mapped[UUID | None] = mapped_column(ForeignKey(PetNotice.id), comment="The notice it begins with.")
    finder_email: Mapped[str | None] = mapped_column(comment="Where answers go, if the finder wished it.")
    confined_at: Mapped[Instant | None] = mapped_column(comment="When the finder took the animal in, if they did.")
    closed_at: Mapped[Instant | None] = mapped_column(comment="When it ended.")
    created_at: Mapped[Created]


class RelayLink(Base):
    """A link that opens the finder's side: one of the browser, and one of each letter."""

    __tablename__ = "relay_link"
    __table_args__ = (
        Index("ix_relay_link_relay_id", "relay_id"),
        {"schema": PORTAL, "comment": "Private links of finders, hashed.", "info": private("90.11(B)")},
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the link's token.")
    relay_id: Mapped[UUID] = mapped_column(ForeignKey(Relay.id), comment="The talk it opens.")
    created_at: Mapped[Created]


class RelayMessage(Base):
    """One message of a talk."""

    __tablename__ = "relay_message"
    __table_args__ = (
        CheckConstraint("text <> '' OR photo_upload_key IS NOT NULL", name="says_something"),
        Index("ix_relay_message_relay_id_created_at", "relay_id", "created_at"),
        {"schema": PORTAL, "comment": "Messages between finders and keepers.", "info": private("90.11(B)")},
    )

    id: Mapped[Key]
    relay_id: Mapped[UUID] = mapped_column(ForeignKey(Relay.id), comment="The talk.")
    sender: Mapped[RelaySender] = mapped_column(words(RelaySender), comment="Which side wrote it.")
    text: Mapped[str] = mapped_column(comment="What was written.")
    place: Mapped[str | None] = mapped_column(comment="Where the animal is, as typed.")
    phone: Mapped[str | None] = mapped_column(comment="The writer's phone as typed, if they chose to pass it on.")
    photo_upload_key: Mapped[str | None] = mapped_column(comment="A clean picture in the file store.")
    created_at: Mapped[Created]

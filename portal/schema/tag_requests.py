"""Duplicate tags asked for (section 90.04(B)(5))."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.licenses import Delivery, License, Tag
from portal.schema.people import Person


class TagLoss(StrEnum):
    LOST = "lost"
    DESTROYED = "destroyed"


class TagRequestState(StrEnum):
    OPEN = "open"
    ISSUED = "issued"
    CANCELED = "canceled"


class TagRequest(Base):
    """A duplicate of a lost or destroyed tag; issued once paid for, with the same number and the next issue mark."""

    __tablename__ = "tag_request"
    __table_args__ = (
        CheckConstraint("(state = 'issued') = (tag_id IS NOT NULL)", name="issued_has_its_tag"),
        Index("uq_tag_request_license_id_open", "license_id", unique=True, postgresql_where=text("state = 'open'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A duplicate tag that was asked for (90.04(B)(5)).",
            "info": private("90.04(B)(5)"),
        },
    )

    id: Mapped[Key]
    license_id: Mapped[UUID] = mapped_column(
        ForeignKey(License.id), index=True, comment="The license whose tag is gone."
    )
    asked_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who asked.")
    loss: Mapped[TagLoss] = mapped_column(words(TagLoss), comment="Lost or destroyed.")
    told: Mapped[str | None] = mapped_column(comment="How it happened, in the keeper's words.")
    delivery: Mapped[Delivery] = mapped_column(words(Delivery), comment="Mailed, or picked up at the counter.")
    state: Mapped[TagRequestState] = mapped_column(
        words(TagRequestState), server_default="open", comment="Where it stands."
    )
    tag_id: Mapped[UUID | None] = mapped_column(ForeignKey(Tag.id), unique=True, comment="The tag it brought.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was issued or canceled.")
    created_at: Mapped[Created]

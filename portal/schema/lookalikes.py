"""Animals that may be registered twice, by two people; for the officer alone (section 90.04(B)(2))."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private


class Lookalike(Base):
    """An animal just registered that may be one somebody else keeps. The web process adds it and never reads it."""

    __tablename__ = "lookalike"
    __table_args__ = (
        UniqueConstraint("animal_id", "other_animal_id"),
        CheckConstraint("(is_same IS NULL) = (decided_at IS NULL)", name="a_decision_has_its_time"),
        Index("ix_lookalike_waiting", "created_at", postgresql_where=text("decided_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Two animals that may be one; for the officer alone.",
            "info": private("90.04(B)(2)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), comment="The animal just registered.")
    other_animal_id: Mapped[UUID] = mapped_column(
        ForeignKey(Animal.id), index=True, comment="The animal on record already."
    )
    agrees: Mapped[str] = mapped_column(comment="What agrees: the microchip, the rabies tag, the address and name.")
    is_same: Mapped[bool | None] = mapped_column(comment="What the officer found; empty while it waits.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was decided.")
    decided_by: Mapped[str | None] = mapped_column(comment="Who decided.")
    created_at: Mapped[Created]

"""What clinics wrote to animal control of animals that may be rabid (section 90.08(C))."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, confidential
from portal.schema.clinics import Clinic


class RabiesNotice(Base):
    """A notice in writing, after the call. It waits until an officer says that it was seen."""

    __tablename__ = "rabies_notice"
    __table_args__ = (
        CheckConstraint("(seen_at IS NULL) = (seen_by IS NULL)", name="seen_by_somebody"),
        Index("ix_rabies_notice_waiting", "created_at", postgresql_where=text("seen_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A clinic's notice of an animal that may be rabid (90.08(C)).",
            "info": confidential("90.08(C)"),
        },
    )

    id: Mapped[Key]
    clinic_id: Mapped[UUID] = mapped_column(ForeignKey(Clinic.id), index=True, comment="The clinic.")
    sent_by: Mapped[str] = mapped_column(comment="Mailbox of whoever wrote it.")
    called: Mapped[str] = mapped_column(comment="Whom they called before, and when.")
    animal: Mapped[str] = mapped_column(comment="The animal.")
    place: Mapped[str] = mapped_column(comment="Where it is now.")
    owner: Mapped[str] = mapped_column(comment="Its owner.")
    what: Mapped[str] = mapped_column(comment="What was seen, and who was bitten.")
    phone: Mapped[str] = mapped_column(comment="Where to call back.")
    seen_at: Mapped[Instant | None] = mapped_column(comment="When an officer noted that it was seen.")
    seen_by: Mapped[str | None] = mapped_column(comment="Who noted it.")
    created_at: Mapped[Created]

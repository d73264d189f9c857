"""The append-only feed of everything that happened, which city software follows."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, confidential


class Event(Base):
    """Something that happened: who did what to which row, and when. Never changed, never removed."""

    __tablename__ = "event"
    __table_args__ = (
        Index("ix_event_subject", "subject_table", "subject_id"),
        Index("ix_event_transaction_id_id", "transaction_id", "id"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Everything that happened, append-only. LISTEN animal_control_event.",
            "info": confidential("13.82"),
        },
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True, comment="Cursor.")
    kind: Mapped[str] = mapped_column(comment="What happened, like license.issued.")
    subject_table: Mapped[str] = mapped_column(comment="Table of the row it happened to.")
    subject_id: Mapped[UUID] = mapped_column(comment="Key of that row.")
    actor: Mapped[str] = mapped_column(comment="Who: keeper, officer with e-mail, processor, system.")
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}", comment="More, never a secret.")
    transaction_id: Mapped[int] = mapped_column(
        BigInteger,
        server_default=text("(pg_current_xact_id()::text)::bigint"),
        comment="Writing transaction: read only below pg_snapshot_xmin to miss none.",
    )
    happened_at: Mapped[Created]

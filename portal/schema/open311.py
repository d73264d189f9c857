"""Keys with which other software sends reports (Open311 GeoReport v2), stored hashed."""

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, private


class Open311Key(Base):
    """A key that the city gave to somebody's software."""

    __tablename__ = "open311_key"
    __table_args__ = (
        Index("uq_open311_key_current", "name", unique=True, postgresql_where=text("revoked_at IS NULL")),
        {
            "schema": PORTAL,
            "comment": "Keys with which other software sends reports (Open311).",
            "info": private("13.05"),
        },
    )

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(comment="Whose software it is, as the city calls it.")
    key_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the key; it is shown once.")
    created_by: Mapped[str] = mapped_column(comment="Who gave it.")
    last_used_at: Mapped[Instant | None] = mapped_column(comment="Last use, to the hour.")
    revoked_at: Mapped[Instant | None] = mapped_column(comment="When it was taken back.")
    created_at: Mapped[Created]

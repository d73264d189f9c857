"""What the virus scanner said of files that had to wait for it."""

from enum import StrEnum

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Instant, private, words


class Verdict(StrEnum):
    CLEAN = "clean"
    INFECTED = "infected"


class FileScan(Base):
    """A file that came while the scanner was away, once it was scanned. Until there is a row, nobody is given it."""

    __tablename__ = "file_scan"
    __table_args__ = (
        Index(
            "ix_file_scan_infected",
            "scanned_at",
            postgresql_where=text("verdict = 'infected' AND handled_at IS NULL"),
        ),
        {
            "schema": PORTAL,
            "comment": "Files that waited for the virus scanner, and what it said. No row: it waits still.",
            "info": private("13.05"),
        },
    )

    key: Mapped[str] = mapped_column(primary_key=True, comment="Where the file lies in the file store.")
    verdict: Mapped[Verdict] = mapped_column(words(Verdict), comment="Clean, or infected and kept from everybody.")
    found: Mapped[str | None] = mapped_column(comment="What the scanner calls what it found.")
    scanned_at: Mapped[Instant] = mapped_column(comment="When it was scanned.")
    handled_by: Mapped[str | None] = mapped_column(comment="Who at the desk dealt with an infected one.")
    handled_at: Mapped[Instant | None] = mapped_column(comment="When they did.")

"""What is kept apart of a notice, and no public query may join: who filed it, and what only they and the city know.

The desk reads it, since an officer who has the animal before them asks for its chip and its mark (90.11(B)).
"""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.accounts import Account
from portal.schema.base import PORTAL, Base, Created, Instant, private
from portal.schema.notices import PetNotice


class NoticePrivate(Base):
    """Who filed a notice, and what is withheld of it. One row a notice."""

    __tablename__ = "notice_private"
    __table_args__ = (
        Index("ix_notice_private_account_id", "account_id", postgresql_where=text("account_id IS NOT NULL")),
        Index("ix_notice_private_chip_mark", text("animal_control.mark(chip)"), postgresql_where=text("chip <> ''")),
        {
            "schema": PORTAL,
            "comment": "Who filed a notice, and what is withheld of it. Never public.",
            "info": private("90.11(B)"),
        },
    )

    notice_id: Mapped[UUID] = mapped_column(ForeignKey(PetNotice.id), primary_key=True, comment="The notice.")
    account_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Account.id), comment="Whose it is; empty for a finder without a sign-in, who has a link."
    )
    email: Mapped[str | None] = mapped_column(
        comment="Where a finder without a sign-in wants to be written to, as typed."
    )
    phone: Mapped[str | None] = mapped_column(comment="A finder's phone as typed, for animal control alone.")
    withheld_mark: Mapped[str] = mapped_column(server_default="", comment="A mark that a true finder can name.")
    chip: Mapped[str] = mapped_column(server_default="", comment="Microchip number, blanks and dashes removed.")
    tag: Mapped[str] = mapped_column(server_default="", comment="Number on the tag that a found one wears, as typed.")
    created_at: Mapped[Created]


class NoticeLink(Base):
    """A link that opens a notice to whoever filed it without a sign-in."""

    __tablename__ = "notice_link"
    __table_args__ = (
        Index("ix_notice_link_notice_id", "notice_id"),
        {
            "schema": PORTAL,
            "comment": "Private links of finders to their notices, hashed.",
            "info": private("90.11(B)"),
        },
    )
    # Nothing is read back: the desk may add a link and see none.
    __mapper_args__ = {"eager_defaults": False}  # noqa: RUF012 - SQLAlchemy reads it from the class

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the link's token.")
    notice_id: Mapped[UUID] = mapped_column(ForeignKey(PetNotice.id), comment="The notice it opens.")
    created_at: Mapped[Created]


class NoticeDraft(Base):
    """A notice that is not sent yet: of a browser, found by its secret alone."""

    __tablename__ = "notice_draft"
    __table_args__ = (
        Index("ix_notice_draft_expires_at", "expires_at"),
        {
            "schema": PORTAL,
            "comment": "Notices not sent yet, by the secret of the browser.",
            "info": private("90.11(B)"),
        },
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the browser's secret.")
    answers: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}", comment="Answers so far.")
    photo: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="The picture so far: its keys in the file store, width, height."
    )
    updated_at: Mapped[Instant] = mapped_column(server_default=text("now()"), comment="Last saved.")
    expires_at: Mapped[Instant] = mapped_column(comment="Removed after.")
    created_at: Mapped[Created]

"""Who may sign in: mailboxes, codes, live sign-ins. No passwords."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, private
from portal.schema.people import Person


class Account(Base):
    """A mailbox that was proved."""

    __tablename__ = "account"
    __table_args__ = ({"schema": PORTAL, "comment": "A proved mailbox.", "info": private("13.05")},)

    id: Mapped[Key]
    email: Mapped[str] = mapped_column(comment="Address as typed; mail is sent to it.")
    email_key: Mapped[str] = mapped_column(unique=True, comment="Address trimmed and in lower case: one account each.")
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Person.id), unique=True, comment="The keeper it acts for, once known."
    )
    closed_at: Mapped[Instant | None] = mapped_column(comment="When it was closed; official records stay (138.17).")
    created_at: Mapped[Created]


class SignInRequest(Base):
    """A code and a link sent to a mailbox. Both are stored hashed and spent once, together."""

    __tablename__ = "sign_in_request"
    __table_args__ = (
        CheckConstraint("attempts >= 0", name="attempts_not_negative"),
        Index("ix_sign_in_request_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "A sign-in code and link that were sent.", "info": private("13.05")},
    )

    id: Mapped[Key]
    email: Mapped[str] = mapped_column(comment="Address as typed.")
    email_key: Mapped[str] = mapped_column(index=True, comment="Address trimmed and in lower case.")
    browser_hash: Mapped[str] = mapped_column(comment="Hash of the browser's secret; the code works only there.")
    code_hash: Mapped[str] = mapped_column(comment="Keyed hash of the six digits.")
    link_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the link's token.")
    next_path: Mapped[str] = mapped_column(comment="Where to go once signed in; a path of ours.")
    attempts: Mapped[int] = mapped_column(server_default="0", comment="Wrong codes typed.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    spent_at: Mapped[Instant | None] = mapped_column(comment="When it was used.")
    created_at: Mapped[Created]


class SignIn(Base):
    """A live sign-in of a browser. Ending the row ends it everywhere."""

    __tablename__ = "sign_in"
    __table_args__ = (
        Index("ix_sign_in_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "A signed-in browser.", "info": private("13.05")},
    )

    id: Mapped[Key]
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), index=True, comment="The account.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the browser's token.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    ended_at: Mapped[Instant | None] = mapped_column(comment="When it was signed out.")
    created_at: Mapped[Created]

"""The city's staff at the desk: who they are, what proves it, their live sign-ins and what they have open."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, confidential, counted_in, private, words


class StaffRole(StrEnum):
    OFFICER = "officer"
    CLERK = "clerk"


class FactorKind(StrEnum):
    APP = "app"
    PASSKEY = "passkey"
    RECOVERY_CODE = "recovery_code"


class Staff(Base):
    """Somebody who works at the desk. Whoever leaves is marked, and stays in the log by their address."""

    __tablename__ = "staff"
    __table_args__ = (
        {"schema": PORTAL, "comment": "City staff who may sign in at the desk.", "info": private("13.05")},
    )

    id: Mapped[Key]
    email: Mapped[str] = mapped_column(comment="Address as typed; codes are sent to it.")
    email_key: Mapped[str] = mapped_column(unique=True, comment="Address trimmed and in lower case: one row each.")
    role: Mapped[StaffRole] = mapped_column(words(StaffRole), comment="What they may do.")
    added_by: Mapped[str] = mapped_column(comment="Who added them, or last changed their role.")
    app_secret: Mapped[str | None] = mapped_column(
        comment="Secret of the authenticator app, sealed under the portal's key; empty until it is set up."
    )
    app_step: Mapped[int | None] = mapped_column(
        BigInteger,
        comment="Half-minute since 1970 of the last code of the app that was taken: none is taken twice.",
        info=counted_in("half-minutes"),
    )
    set_up_until: Mapped[Instant] = mapped_column(comment="Until when a first second factor may be set up.")
    removed_at: Mapped[Instant | None] = mapped_column(comment="When they left; empty while they work here.")
    created_at: Mapped[Created]


class StaffPasskey(Base):
    """A passkey: on a phone, in a computer, or a key to plug in."""

    __tablename__ = "staff_passkey"
    __table_args__ = ({"schema": PORTAL, "comment": "A passkey of somebody at the desk.", "info": private("13.05")},)

    id: Mapped[Key]
    staff_id: Mapped[UUID] = mapped_column(ForeignKey(Staff.id), index=True, comment="Whose it is.")
    credential_id: Mapped[str] = mapped_column(unique=True, comment="The credential's id, in base64url.")
    public_key: Mapped[str] = mapped_column(comment="Its public key (COSE), in base64url.")
    sign_count: Mapped[int] = mapped_column(BigInteger, comment="How often it has signed, as it says itself.")
    name: Mapped[str] = mapped_column(comment="What its owner calls it.")
    removed_at: Mapped[Instant | None] = mapped_column(comment="When it was taken away; it opens nothing since.")
    created_at: Mapped[Created]


class StaffRecoveryCode(Base):
    """A code on paper, for whoever has lost the phone. Each works once."""

    __tablename__ = "staff_recovery_code"
    __table_args__ = (
        {"schema": PORTAL, "comment": "A recovery code of somebody at the desk.", "info": private("13.05")},
    )

    id: Mapped[Key]
    staff_id: Mapped[UUID] = mapped_column(ForeignKey(Staff.id), index=True, comment="Whose it is.")
    code_hash: Mapped[str] = mapped_column(unique=True, comment="Keyed hash of the code.")
    used_at: Mapped[Instant | None] = mapped_column(comment="When it was used or replaced by others.")
    created_at: Mapped[Created]


class StaffSignInRequest(Base):
    """A code that was sent to a mailbox, or would have been if it were one of the staff."""

    __tablename__ = "staff_sign_in_request"
    __table_args__ = (
        CheckConstraint("attempts >= 0", name="attempts_not_negative"),
        Index("ix_staff_sign_in_request_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "A code for the desk that was asked for.", "info": private("13.05")},
    )

    id: Mapped[Key]
    staff_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Staff.id), index=True, comment="Who asked; empty for a mailbox of nobody here."
    )
    browser_hash: Mapped[str] = mapped_column(comment="Hash of the browser's secret; the code works only there.")
    code_hash: Mapped[str] = mapped_column(comment="Keyed hash of the six digits.")
    attempts: Mapped[int] = mapped_column(server_default="0", comment="Wrong codes typed.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    spent_at: Mapped[Instant | None] = mapped_column(comment="When it was used.")
    created_at: Mapped[Created]


class StaffSignIn(Base):
    """A sign-in at the desk. It opens nothing before a second factor has proved it."""

    __tablename__ = "staff_sign_in"
    __table_args__ = (
        CheckConstraint("(proved_at IS NULL) = (proved_by IS NULL)", name="a_proof_has_its_kind"),
        Index("ix_staff_sign_in_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "A browser signed in at the desk.", "info": private("13.05")},
    )

    id: Mapped[Key]
    staff_id: Mapped[UUID] = mapped_column(ForeignKey(Staff.id), index=True, comment="Who signed in.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the browser's token.")
    proved_by: Mapped[FactorKind | None] = mapped_column(words(FactorKind), comment="Which second factor proved it.")
    proved_at: Mapped[Instant | None] = mapped_column(comment="When it did; empty while only the code was typed.")
    challenge: Mapped[str | None] = mapped_column(comment="What a passkey is asked to sign, in base64url.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    ended_at: Mapped[Instant | None] = mapped_column(comment="When it was signed out.")
    created_at: Mapped[Created]


class DeskOpening(Base):
    """Who looked at an item of the queue last, so that the next one is told before starting."""

    __tablename__ = "desk_opening"
    __table_args__ = (
        Index("uq_desk_opening_item", "kind", "item_id", "staff_id", unique=True),
        Index("ix_desk_opening_opened_at", "opened_at"),
        {"schema": PORTAL, "comment": "Items of the queue that somebody has open.", "info": private("13.05")},
    )

    id: Mapped[Key]
    kind: Mapped[str] = mapped_column(comment="Kind of item, as the queue calls it.")
    item_id: Mapped[UUID] = mapped_column(comment="The item.")
    staff_id: Mapped[UUID] = mapped_column(ForeignKey(Staff.id), index=True, comment="Who opened it.")
    opened_at: Mapped[Instant] = mapped_column(comment="When they last opened it.")
    created_at: Mapped[Created]


class DeskKeptAnswers(Base):
    """What somebody at the desk typed into a form whose sign-in had ended, until they are back. It is sealed."""

    __tablename__ = "desk_kept_answers"
    __table_args__ = (
        Index("ix_desk_kept_answers_expires_at", "expires_at"),
        {
            "schema": PORTAL,
            "comment": "Answers at the desk kept through a lost sign-in, sealed, each for one of the staff.",
            "info": confidential("13.05"),
        },
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the browser's token.")
    staff_id: Mapped[UUID] = mapped_column(
        ForeignKey(Staff.id), index=True, comment="Who typed them: nobody else reads them."
    )
    path: Mapped[str] = mapped_column(comment="The page they were typed on.")
    sealed: Mapped[str] = mapped_column(comment="What was typed and chosen, sealed under the portal's key.")
    expires_at: Mapped[Instant] = mapped_column(comment="Removed after.")
    created_at: Mapped[Created]


class DeskReading(Base):
    """Somebody at the desk read confidential data about a row, and said why. Never changed, never removed."""

    __tablename__ = "desk_reading"
    __table_args__ = (
        Index("ix_desk_reading_subject", "subject_id", "what", "staff_id", "read_at"),
        {
            "schema": PORTAL,
            "comment": "Who read confidential data at the desk, of what, when and why (13.055).",
            "info": confidential("13.055"),
        },
    )

    id: Mapped[Key]
    staff_id: Mapped[UUID] = mapped_column(ForeignKey(Staff.id), index=True, comment="Who read it.")
    what: Mapped[str] = mapped_column(comment="What was read, in a word of the desk: reports, parties.")
    subject_table: Mapped[str] = mapped_column(comment="Table of the row it is about.")
    subject_id: Mapped[UUID] = mapped_column(comment="Key of that row.")
    why: Mapped[str] = mapped_column(comment="Why, as they said.")
    read_at: Mapped[Instant] = mapped_column(comment="When.")
    created_at: Mapped[Created]


class DeskRateLimit(Base):
    """How often something was tried at the desk; apart from what residents and reporters try."""

    __tablename__ = "desk_rate_limit"
    __table_args__ = (
        Index("ix_desk_rate_limit_expires_at", "expires_at"),
        {
            "schema": PORTAL,
            "comment": "Counts of attempts at the desk, by key.",
            "prefixes": ["UNLOGGED"],
            "info": private("13.05"),
        },
    )

    key: Mapped[str] = mapped_column(primary_key=True, comment="What is limited; addresses and mailboxes are hashed.")
    count: Mapped[int] = mapped_column(BigInteger, comment="Attempts in the window.")
    expires_at: Mapped[Instant] = mapped_column(comment="End of the window.")

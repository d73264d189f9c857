"""Invitations to keep an animal together or to take it over, and changes of a mailbox that both sides confirm."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.accounts import Account
from portal.schema.animals import Animal
from portal.schema.base import PORTAL, Base, Created, Instant, Key, private, words


class InvitationKind(StrEnum):
    CO_KEEPER = "co_keeper"
    NEW_OWNER = "new_owner"


class KeeperInvitation(Base):
    """A link that lets somebody else become a keeper of one animal."""

    __tablename__ = "keeper_invitation"
    __table_args__ = (
        Index("ix_keeper_invitation_animal_id", "animal_id"),
        Index("ix_keeper_invitation_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "Invitations to keep an animal.", "info": private("13.05")},
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), comment="The animal.")
    invited_by: Mapped[UUID] = mapped_column(ForeignKey(Account.id), index=True, comment="Who invited.")
    kind: Mapped[InvitationKind] = mapped_column(
        words(InvitationKind), comment="To keep it together, or to take it over."
    )
    email: Mapped[str | None] = mapped_column(comment="Where the link was sent, as typed.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the link's token.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    accepted_by: Mapped[UUID | None] = mapped_column(ForeignKey(Account.id), index=True, comment="Who accepted.")
    accepted_at: Mapped[Instant | None] = mapped_column(comment="When it was accepted.")
    withdrawn_at: Mapped[Instant | None] = mapped_column(comment="When it was taken back.")
    created_at: Mapped[Created]


class EmailChange(Base):
    """A new mailbox for an account; it counts once the old and the new mailbox have both said yes."""

    __tablename__ = "email_change"
    __table_args__ = (
        Index("uq_email_change_account_id_open", "account_id", unique=True, postgresql_where=text("ended_at IS NULL")),
        Index("ix_email_change_expires_at", "expires_at"),
        Index("ix_email_change_account_id", "account_id"),
        Index("ix_email_change_old_email", "old_email", postgresql_where=text("old_email IS NOT NULL")),
        {"schema": PORTAL, "comment": "Changes of an account's mailbox.", "info": private("13.05")},
    )

    id: Mapped[Key]
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), comment="The account.")
    new_email: Mapped[str] = mapped_column(comment="The new mailbox as typed.")
    old_email: Mapped[str | None] = mapped_column(comment="The mailbox before, once the change took effect.")
    old_token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the token sent to the old mailbox.")
    new_token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the token sent to the new mailbox.")
    old_confirmed_at: Mapped[Instant | None] = mapped_column(comment="When the old mailbox said yes.")
    new_confirmed_at: Mapped[Instant | None] = mapped_column(comment="When the new mailbox said yes.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    ended_at: Mapped[Instant | None] = mapped_column(comment="When it took effect or was given up.")
    created_at: Mapped[Created]

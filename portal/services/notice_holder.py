"""Who filed a notice, and how they are reached. No public page asks this."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticeLink, NoticePrivate
from portal.schema.reminders import ReminderChoice
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash


@dataclass(frozen=True)
class Holder:
    """Their sign-in, if they have one; its proved mailbox, or the one a finder left."""

    account_id: UUID | None
    email: str | None


@dataclass(frozen=True, kw_only=True)
class WayToNotice:
    """What opens somebody's own notice: their live sign-in, or a finder's link."""

    account_id: UUID | None = None
    link: str | None = None


def holder_of(session: Session, notice_id: UUID) -> Holder:
    """Whoever filed it. With an account its notices are taken back, so one that is open has its mailbox."""
    wanted = (
        select(NoticePrivate.account_id, Account.email, NoticePrivate.email)
        .outerjoin(Account, Account.id == NoticePrivate.account_id)
        .where(NoticePrivate.notice_id == notice_id)
    )
    row = session.execute(wanted).first()
    return Holder(row[0], row[1] or row[2]) if row else Holder(None, None)


def texts_of(session: Session, account_id: UUID) -> str | None:
    """The phone of somebody who agreed to texts and did not stop them."""
    agreed = select(ReminderChoice.sms_phone).where(
        ReminderChoice.account_id == account_id,
        ReminderChoice.sms_consented_at.is_not(None),
        ReminderChoice.sms_stopped_at.is_(None),
    )
    return session.scalar(agreed)


def own_notice(session: Session, way: WayToNotice, *, reference: str, is_locked: bool = False) -> PetNotice:
    """The notice called so, of whoever filed it; any other does not exist for them (NotTheirs)."""
    wanted = select(PetNotice).join(NoticePrivate, NoticePrivate.notice_id == PetNotice.id)
    linked = select(NoticeLink.notice_id).where(NoticeLink.token_hash == token_hash(way.link or ""))
    by_link = PetNotice.id.in_(linked)
    theirs = by_link if way.account_id is None else (NoticePrivate.account_id == way.account_id) | by_link
    wanted = wanted.where(PetNotice.reference == reference, theirs)
    if is_locked:
        wanted = wanted.with_for_update(of=PetNotice)
    found = session.scalar(wanted)
    if found is None:
        raise NotTheirs("No such notice")
    return found


def notice_of_link(session: Session, *, token: str) -> PetNotice | None:
    """The notice a finder's link opens."""
    wanted = select(PetNotice).join(NoticeLink, NoticeLink.notice_id == PetNotice.id)
    return session.scalar(wanted.where(NoticeLink.token_hash == token_hash(token)))


def notices_of_account(session: Session, *, account_id: UUID) -> list[PetNotice]:
    """The notices somebody filed, the newest first."""
    wanted = (
        select(PetNotice)
        .join(NoticePrivate, NoticePrivate.notice_id == PetNotice.id)
        .where(NoticePrivate.account_id == account_id)
        .order_by(PetNotice.created_at.desc(), PetNotice.id)
        .limit(100)
    )
    return list(session.scalars(wanted))

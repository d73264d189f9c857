"""Who filed a notice, and how they are reached. No public page asks this."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, false, or_, select
from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.animals import Keeper
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
    """What opens somebody's own notice: their live sign-in, or a finder's link.

    `person_id` is whom the sign-in acts for: who keeps a registered animal minds its notice with whoever filed it.
    """

    account_id: UUID | None = None
    person_id: UUID | None = None
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
    wanted = wanted.where(PetNotice.reference == reference, _is_theirs(way) | PetNotice.id.in_(linked))
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


def other_keepers(session: Session, notice: PetNotice) -> list[str]:
    """The mailboxes of who keeps the registered animal besides whoever filed the notice."""
    filed_by = select(NoticePrivate.account_id).where(NoticePrivate.notice_id == notice.id).scalar_subquery()
    others = (
        select(Account.email)
        .join(Keeper, Keeper.person_id == Account.person_id)
        .where(
            Keeper.animal_id == notice.animal_id,
            Keeper.until.is_(None),
            Account.id.is_distinct_from(filed_by),
            Account.closed_at.is_(None),
        )
        .order_by(Account.email)
    )
    return list(session.scalars(others)) if notice.animal_id else []


def own_notices(session: Session, way: WayToNotice) -> list[PetNotice]:
    """The notices of a sign-in, the newest first."""
    wanted = (
        select(PetNotice)
        .join(NoticePrivate, NoticePrivate.notice_id == PetNotice.id)
        .where(_is_theirs(way))
        .order_by(PetNotice.created_at.desc(), PetNotice.id)
        .limit(100)
    )
    return list(session.scalars(wanted))


def _is_theirs(way: WayToNotice) -> ColumnElement[bool]:
    """Filed under this sign-in, or about an animal it keeps."""
    kept = select(Keeper.animal_id).where(Keeper.person_id == way.person_id, Keeper.until.is_(None))
    filed = NoticePrivate.account_id == way.account_id if way.account_id else false()
    return or_(filed, PetNotice.animal_id.in_(kept)) if way.person_id else filed

"""Who filed a notice, and how they are reached. No public page asks this."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import CompoundSelect, or_, select, union_all
from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.animals import Keeper
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticeLink, NoticePrivate
from portal.schema.reminders import ReminderChoice
from portal.services.messages.reminder_choices import TEXTS_WANTED
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
    return session.scalar(select(ReminderChoice.sms_phone).where(ReminderChoice.account_id == account_id, TEXTS_WANTED))


def own_notice(session: Session, way: WayToNotice, *, reference: str, is_locked: bool = False) -> PetNotice:
    """The notice called so, if it is theirs to mind; any other does not exist for them (NotTheirs)."""
    wanted = select(PetNotice).where(PetNotice.reference == reference, PetNotice.id.in_(_opened_by(way)))
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
        .where(PetNotice.id.in_(_opened_by(way)))
        .order_by(PetNotice.created_at.desc(), PetNotice.id)
        .limit(100)
    )
    return list(session.scalars(wanted))


def _opened_by(way: WayToNotice) -> CompoundSelect[UUID]:
    """Filed under this sign-in, about an animal that it keeps, or behind this link: each by an index of its own.

    What was over before somebody kept the animal is for whoever kept it then: a new owner does not read it.
    """
    filed = select(NoticePrivate.notice_id).where(
        NoticePrivate.account_id == way.account_id, NoticePrivate.account_id.is_not(None)
    )
    kept = (
        select(PetNotice.id)
        .join(Keeper, Keeper.animal_id == PetNotice.animal_id)
        .where(
            Keeper.person_id == way.person_id,
            Keeper.until.is_(None),
            or_(PetNotice.closed_at.is_(None), Keeper.since <= PetNotice.closed_at),
        )
    )
    linked = select(NoticeLink.notice_id).where(NoticeLink.token_hash == token_hash(way.link or ""))
    return union_all(filed, kept, linked)

"""Who works at the city's desk: added and removed from the console, never from a page."""

from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.sealing import BrokenSeal, Sealing
from portal.schema.staff import Staff, StaffPasskey, StaffRecoveryCode, StaffRole, StaffSignIn
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs
from portal.services.signing_in.sign_in import email_key

# A mailbox alone opens the desk this long, to set up the second factor; afterwards staff are added anew.
SET_UP_LASTS = timedelta(days=7)


def add_staff(session: Session, *, email: str, role: StaffRole, by: str, clock: Clock) -> Staff:
    """Let somebody in, or give them another role. Whoever has no second factor yet has a week to set one up."""
    found = session.scalar(select(Staff).where(Staff.email_key == email_key(email)).with_for_update())
    until = clock.now() + SET_UP_LASTS
    if found is None:
        found = Staff(email=email.strip(), email_key=email_key(email), role=role, added_by=by, set_up_until=until)
        session.add(found)
    else:
        found.role, found.added_by, found.set_up_until = role, by, until
        if found.removed_at is not None:
            _forget_factors(session, found, clock=clock)
            found.removed_at = None
    session.flush()
    record_event(session, "staff.added", found, actor=f"officer:{by}", role=role.value)
    return found


def remove_staff(session: Session, *, email: str, by: str, clock: Clock) -> Staff:
    """Nothing of theirs opens the desk any more, from this moment on."""
    found = _staff(session, email)
    found.removed_at = clock.now()
    _forget_factors(session, found, clock=clock)
    record_event(session, "staff.removed", found, actor=f"officer:{by}")
    return found


def reset_staff(session: Session, *, email: str, by: str, clock: Clock) -> Staff:
    """For whoever lost phone and paper: the second factors are gone, and a week begins to set up new ones."""
    found = _staff(session, email)
    _forget_factors(session, found, clock=clock)
    found.set_up_until = clock.now() + SET_UP_LASTS
    record_event(session, "staff.reset", found, actor=f"officer:{by}")
    return found


def reseal_apps(session: Session, *, sealing: Sealing) -> tuple[int, list[str]]:
    """Seal the secrets of all apps under the newest key: how many, and whose can't be opened by any key."""
    done, broken = 0, []
    for found in session.scalars(select(Staff).where(Staff.app_secret.is_not(None)).with_for_update()):
        try:
            found.app_secret = sealing.renew(found.app_secret or "")
            done += 1
        except BrokenSeal:
            broken.append(found.email)
    session.flush()
    return done, broken


def staff_now(session: Session) -> list[Staff]:
    """Whoever works here, by address."""
    return list(session.scalars(select(Staff).where(Staff.removed_at.is_(None)).order_by(Staff.email_key)))


def _staff(session: Session, email: str) -> Staff:
    wanted = select(Staff).where(Staff.email_key == email_key(email), Staff.removed_at.is_(None)).with_for_update()
    found = session.scalar(wanted)
    if found is None:
        raise NotTheirs(f"{email} is not one of the staff")
    return found


def _forget_factors(session: Session, staff: Staff, *, clock: Clock) -> None:
    """Its app, passkeys and codes prove nothing any more, and every browser is signed out."""
    staff.app_secret = staff.app_step = None
    now = clock.now()
    for statement in (
        update(StaffPasskey).where(StaffPasskey.removed_at.is_(None)).values(removed_at=now),
        update(StaffRecoveryCode).where(StaffRecoveryCode.used_at.is_(None)).values(used_at=now),
        update(StaffSignIn).where(StaffSignIn.ended_at.is_(None)).values(ended_at=now),
    ):
        session.execute(statement.where(statement.table.c.staff_id == staff.id))
    session.flush()

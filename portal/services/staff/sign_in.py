"""Signing in at the desk: a code by e-mail, then a second factor. Shorter than a resident's, and apart from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.staff import FactorKind, Staff, StaffPasskey, StaffRole, StaffSignIn, StaffSignInRequest
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import code_hash, is_code, is_same, new_code, new_token, token_hash
from portal.services.signing_in.sign_in import CODE_IS_OVER, MOST_WRONG_CODES, email_key

CODE_LASTS = timedelta(minutes=10)
# Between the code and the second factor.
HALF_WAY_LASTS = timedelta(minutes=10)
# A day at the office. Without a page for an hour the browser's cookie ends it sooner.
SHIFT_LASTS = timedelta(hours=10)
SET_UP_IS_OVER = "The week to set up a second step is over. Ask for `portal staff add` once more"


@dataclass(frozen=True)
class StaffMember:
    """Who is at the desk, as one sign-in of theirs proves it."""

    sign_in_id: UUID
    staff_id: UUID
    email: str
    role: StaffRole
    is_proved: bool
    has_app: bool
    has_passkey: bool
    may_set_up: bool

    @property
    def has_factor(self) -> bool:
        """True when a second factor is set up; a first one can be set up without."""
        return self.has_app or self.has_passkey


def ask_for_code(session: Session, *, email: str, browser: str, clock: Clock, secret_key: str) -> UUID:
    """Send a code to whoever works here. A mailbox of nobody gets none, and its page looks the same."""
    code, now = new_code(), clock.now()
    staff = session.scalar(select(Staff).where(Staff.email_key == email_key(email), Staff.removed_at.is_(None)))
    request = StaffSignInRequest(
        staff_id=staff.id if staff else None,
        browser_hash=token_hash(browser),
        code_hash=code_hash(code, salt=browser, key=secret_key),
        expires_at=now + CODE_LASTS,
    )
    session.add(request)
    session.flush()
    if staff:
        context = {"code": code, "minutes": CODE_LASTS.seconds // 60}
        queue_message(session, to=staff.email, template="staff_code", context=context, at=now, is_secret=True)
    return request.id


def take_code(
    session: Session, *, request_id: UUID, browser: str, code: str, clock: Clock, secret_keys: Sequence[str]
) -> str | None:
    """Spend the code: the token of a sign-in that is half-way. None for a wrong code, so that it is counted."""
    request = session.get(StaffSignInRequest, request_id, with_for_update=True)
    now = clock.now()
    if request is None or not _is_open(request, browser, now):
        raise Refused([Refusal("sign-in", CODE_IS_OVER, "code")])
    if request.staff_id is None or not is_code(code, request.code_hash, salt=browser, keys=secret_keys):
        request.attempts += 1
        return None
    request.spent_at = now
    token = new_token()
    session.add(StaffSignIn(staff_id=request.staff_id, token_hash=token_hash(token), expires_at=now + HALF_WAY_LASTS))
    session.flush()
    return token


def member_of(session: Session, *, token: str, clock: Clock) -> StaffMember | None:
    """Whose live sign-in this is. Someone who was removed has none."""
    passkey = select(StaffPasskey.id).where(StaffPasskey.staff_id == Staff.id, StaffPasskey.removed_at.is_(None))
    now = clock.now()
    wanted = (
        select(StaffSignIn, Staff, passkey.exists())
        .join(Staff, Staff.id == StaffSignIn.staff_id)
        .where(
            StaffSignIn.token_hash == token_hash(token),
            StaffSignIn.ended_at.is_(None),
            StaffSignIn.expires_at > now,
            Staff.removed_at.is_(None),
        )
    )
    found = session.execute(wanted).first()
    if found is None:
        return None
    sign_in, staff, has_passkey = found
    return StaffMember(
        sign_in_id=sign_in.id,
        staff_id=staff.id,
        email=staff.email,
        role=staff.role,
        is_proved=sign_in.proved_at is not None,
        has_app=staff.app_secret is not None,
        has_passkey=has_passkey,
        may_set_up=staff.set_up_until > now,
    )


def prove(session: Session, member: StaffMember, *, by: FactorKind, clock: Clock) -> str:
    """The second factor was right: the sign-in counts for a shift, under a new token."""
    wanted = select(StaffSignIn).where(StaffSignIn.id == member.sign_in_id, StaffSignIn.ended_at.is_(None))
    sign_in = session.scalar(wanted.with_for_update())
    if sign_in is None:
        raise NotTheirs("This sign-in has ended")
    now, token = clock.now(), new_token()
    sign_in.token_hash = token_hash(token)
    sign_in.proved_by, sign_in.proved_at, sign_in.challenge = by, now, None
    sign_in.expires_at = now + SHIFT_LASTS
    session.flush()
    record_event(session, "staff.signed_in", sign_in, actor=f"officer:{member.email}", factor=by.value)
    return token


def end_sign_in(session: Session, *, token: str, clock: Clock) -> None:
    """Sign out this browser."""
    live = update(StaffSignIn).where(StaffSignIn.token_hash == token_hash(token), StaffSignIn.ended_at.is_(None))
    session.execute(live.values(ended_at=clock.now()))


def _is_open(request: StaffSignInRequest, browser: str, now: datetime) -> bool:
    return (
        request.spent_at is None
        and request.expires_at > now
        and request.attempts < MOST_WRONG_CODES
        and is_same(request.browser_hash, token_hash(browser))
    )

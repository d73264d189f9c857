"""The second factor at the desk: an authenticator app, and codes on paper for whoever lost the phone."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.sealing import Sealing
from portal.gateways.totp import step_of_code
from portal.ordinance.finding import Refusal
from portal.schema.staff import FactorKind, Staff, StaffRecoveryCode
from portal.services.record_event import record_event
from portal.services.refusal import Refused
from portal.services.secrets import code_hash, read_spoken_code, spoken_code
from portal.services.staff.sign_in import SET_UP_IS_OVER, StaffMember

RECOVERY_CODES = 8
RECOVERY_LENGTH = 12
DIGITS = 6

WRONG_APP_CODE = "The app shows another code by now. Type the six digits it shows"
WRONG_FACTOR = "That is neither the code of the app nor a recovery code that is left"
SET_UP_ALREADY = "A second step is set up already: sign in with it first"


def set_up_app(
    session: Session, member: StaffMember, *, secret: str, code: str, sealing: Sealing, clock: Clock
) -> None:
    """The app shows the right code: from now on it is asked for at each sign-in.

    Whoever has a second factor changes it after signing in with it; a first one is set up within a week.
    """
    staff = _locked(session, member)
    refuse_intruders(member)
    step = step_of_code(secret, code, at=clock.now())
    if step is None:
        raise Refused([Refusal("sign-in", WRONG_APP_CODE, "code")])
    staff.app_secret, staff.app_step = sealing.seal(secret), step
    session.flush()
    record_event(session, "staff.app_set_up", staff, actor=f"officer:{member.email}")


def refuse_intruders(member: StaffMember) -> None:
    """Whoever has a second factor proves it before setting up another; a first one is set up within a week."""
    if member.has_factor and not member.is_proved:
        raise Refused([Refusal("sign-in", SET_UP_ALREADY)])
    if not member.has_factor and not member.may_set_up:
        raise Refused([Refusal("sign-in", SET_UP_IS_OVER)])


def new_recovery_codes(session: Session, member: StaffMember, *, clock: Clock, secret_key: str) -> tuple[str, ...]:
    """Codes to write down, shown this once; the earlier ones are over."""
    staff = _locked(session, member)
    earlier = update(StaffRecoveryCode).where(
        StaffRecoveryCode.staff_id == staff.id, StaffRecoveryCode.used_at.is_(None)
    )
    session.execute(earlier.values(used_at=clock.now()))
    codes = tuple(spoken_code(RECOVERY_LENGTH) for _ in range(RECOVERY_CODES))
    for code in codes:
        session.add(StaffRecoveryCode(staff_id=staff.id, code_hash=_hash(code, member, secret_key)))
    session.flush()
    record_event(session, "staff.recovery_codes_made", staff, actor=f"officer:{member.email}")
    return codes


def check_factor(
    session: Session, member: StaffMember, *, typed: str, sealing: Sealing, clock: Clock, secret_keys: Sequence[str]
) -> FactorKind:
    """Which second factor this is; raises Refused. A code of the app and one on paper are taken once each."""
    staff = _locked(session, member)
    digits = "".join(character for character in typed if character.isdigit())
    if staff.app_secret and len(digits) == DIGITS == len(typed.strip().replace(" ", "")):
        step = step_of_code(sealing.open(staff.app_secret), digits, at=clock.now())
        if step is not None and step > (staff.app_step or 0):
            staff.app_step = step
            return FactorKind.APP
    wanted = select(StaffRecoveryCode).where(
        StaffRecoveryCode.code_hash.in_([_hash(read_spoken_code(typed), member, key) for key in secret_keys]),
        StaffRecoveryCode.staff_id == staff.id,
        StaffRecoveryCode.used_at.is_(None),
    )
    code = session.scalar(wanted.with_for_update())
    if code is None:
        raise Refused([Refusal("sign-in", WRONG_FACTOR, "code")])
    code.used_at = clock.now()
    session.flush()
    record_event(session, "staff.recovery_code_used", staff, actor=f"officer:{member.email}")
    return FactorKind.RECOVERY_CODE


def recovery_codes_left(session: Session, member: StaffMember) -> int:
    """How many of the codes on paper still work."""
    left = select(StaffRecoveryCode.id).where(
        StaffRecoveryCode.staff_id == member.staff_id, StaffRecoveryCode.used_at.is_(None)
    )
    return len(session.scalars(left).all())


def _locked(session: Session, member: StaffMember) -> Staff:
    return session.get_one(Staff, member.staff_id, with_for_update=True, populate_existing=True)


def _hash(code: str, member: StaffMember, secret_key: str) -> str:
    return code_hash(code, salt=str(member.staff_id), key=secret_key)

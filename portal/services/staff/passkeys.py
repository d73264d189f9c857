"""Passkeys as the second step at the desk: asked for, made, used, taken away."""

from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.passkeys import Asked, Passkey, PasskeyRefused, Site, ask_to_create, ask_to_use, created, used
from portal.gateways.passkeys import credential_of as credential_in
from portal.ordinance.finding import Refusal
from portal.schema.staff import Staff, StaffPasskey, StaffSignIn
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.staff.factors import refuse_intruders
from portal.services.staff.sign_in import StaffMember

NOT_THIS_ONE = "This passkey did not open the desk. Try again, or use the code of your app"
LAST_ONE = "This is the only second step you have: set up another one first"


def passkeys_of(session: Session, member: StaffMember) -> list[StaffPasskey]:
    """Somebody's passkeys, oldest first."""
    mine = select(StaffPasskey).where(StaffPasskey.staff_id == member.staff_id, StaffPasskey.removed_at.is_(None))
    return list(session.scalars(mine.order_by(StaffPasskey.created_at)))


def ask_for_new_passkey(session: Session, member: StaffMember, *, site: Site) -> str:
    """What the browser is told; its answer must sign a challenge that is good for this sign-in and once."""
    known = [one.credential_id for one in passkeys_of(session, member)]
    return _keep(session, member, ask_to_create(site, email=member.email, staff_id=member.staff_id, known=known))


def ask_for_passkey(session: Session, member: StaffMember, *, site: Site) -> str:
    """The same for a passkey that is there."""
    known = [one.credential_id for one in passkeys_of(session, member)]
    return _keep(session, member, ask_to_use(site, known=known))


def add_passkey(session: Session, member: StaffMember, *, answer: str, name: str, site: Site) -> StaffPasskey:
    """Keep a new passkey; raises Refused."""
    staff = session.get_one(Staff, member.staff_id, with_for_update=True)
    refuse_intruders(member)
    challenge = _spend(session, member)
    try:
        made = created(site, answer, challenge=challenge)
    except PasskeyRefused as no:
        raise _refused() from no
    passkey = StaffPasskey(
        staff_id=staff.id,
        credential_id=made.credential_id,
        public_key=made.public_key,
        sign_count=made.sign_count,
        name=name.strip() or "Passkey",
    )
    session.add(passkey)
    session.flush()
    record_event(session, "staff.passkey_added", staff, actor=f"officer:{member.email}")
    return passkey


def check_passkey(session: Session, member: StaffMember, *, answer: str, site: Site) -> None:
    """The passkey is one of theirs and signed the challenge; raises Refused."""
    challenge = _spend(session, member)
    try:
        mine = select(StaffPasskey).where(
            StaffPasskey.credential_id == credential_in(answer),
            StaffPasskey.staff_id == member.staff_id,
            StaffPasskey.removed_at.is_(None),
        )
        passkey = session.scalar(mine.with_for_update())
        if passkey is None:
            raise _refused()
        kept = Passkey(passkey.credential_id, passkey.public_key, passkey.sign_count)
        passkey.sign_count = used(site, answer, kept, challenge=challenge)
    except PasskeyRefused as no:
        raise _refused() from no


def remove_passkey(session: Session, member: StaffMember, *, passkey_id: UUID, clock: Clock) -> None:
    """It opens nothing from now on. The last second step stays."""
    mine = passkeys_of(session, member)
    found = next((one for one in mine if one.id == passkey_id), None)
    if found is None:
        raise NotTheirs("There is no such passkey")
    if not member.has_app and len(mine) == 1:
        raise Refused([Refusal("sign-in", LAST_ONE)])
    found.removed_at = clock.now()
    session.flush()
    staff = session.get_one(Staff, member.staff_id)
    record_event(session, "staff.passkey_removed", staff, actor=f"officer:{member.email}")


def _keep(session: Session, member: StaffMember, asked: Asked) -> str:
    mine = update(StaffSignIn).where(StaffSignIn.id == member.sign_in_id)
    session.execute(mine.values(challenge=asked.challenge))
    return asked.options


def _spend(session: Session, member: StaffMember) -> str:
    sign_in = session.get_one(StaffSignIn, member.sign_in_id, with_for_update=True, populate_existing=True)
    challenge, sign_in.challenge = sign_in.challenge, None
    session.flush()
    if challenge is None:
        raise _refused()
    return challenge


def _refused() -> Refused:
    return Refused([Refusal("sign-in", NOT_THIS_ONE)])

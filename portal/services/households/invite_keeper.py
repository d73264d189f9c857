"""A keeper invites somebody by e-mail: to keep an animal together, or to take over one that was given to them.

The link's token is kept hashed. It opens for fourteen days, once, for whoever signs in with the mailbox it was sent to.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.departures import ClaimState, OwnershipClaim
from portal.schema.household import InvitationKind, KeeperInvitation
from portal.services.messages.queue_message import queue_message
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import email_key

LASTS = timedelta(days=14)
MOST_OPEN = 5
LINK = "/invitations/{token}"
TOO_MANY = "Five invitations are open already. Take one of them back first"
ALREADY_CLAIMED = "The new owner has said yes already, and the city looks at it"
YOURSELF = "This is your own e-mail address. Enter the other person’s"
# An invitation to keep it together is about an animal that is kept; one to take it over, about one given away.
STATES = {InvitationKind.CO_KEEPER: AnimalState.KEPT, InvitationKind.NEW_OWNER: AnimalState.GIVEN_AWAY}
LETTERS = {InvitationKind.CO_KEEPER: "invited_to_keep", InvitationKind.NEW_OWNER: "invited_to_take_over"}


@dataclass(frozen=True, kw_only=True)
class Inviter:
    """The keeper who invites, and their account."""

    person_id: UUID | None
    account_id: UUID


def invite(
    session: Session, *, animal_id: UUID, kind: InvitationKind, email: str, inviter: Inviter, clock: Clock
) -> UUID:
    """Send the link. Whether the mailbox has an account makes no difference, so nobody learns whether it has.

    Who invites a mailbox again while their invitation is open sends nothing more: the form was sent twice.
    Raises NotTheirs for an animal that is not the inviter's or not in the state the invitation is about, or Refused.
    """
    animal = locked_animal(session, animal_id, person_id=inviter.person_id)
    if animal.state is not STATES[kind]:
        raise NotTheirs("No such animal")
    if is_claimed(session, animal.id):
        raise Refused([Refusal(Rule.TAG, ALREADY_CLAIMED)])
    if session.scalar(select(Account.email_key).where(Account.id == inviter.account_id)) == email_key(email):
        raise Refused([Refusal(Rule.OWNER, YOURSELF, "email")])
    still_open = invitations_of(session, animal_id=animal.id, clock=clock)
    for earlier in still_open:
        if earlier.invited_by == inviter.account_id and email_key(earlier.email or "") == email_key(email):
            return earlier.id
    if len(still_open) >= MOST_OPEN:
        raise Refused([Refusal(Rule.OWNER, TOO_MANY, "email")])
    token = new_token()
    invitation = KeeperInvitation(
        animal_id=animal.id,
        invited_by=inviter.account_id,
        kind=kind,
        email=email.strip(),
        token_hash=token_hash(token),
        expires_at=clock.now() + LASTS,
    )
    session.add(invitation)
    session.flush()
    record_event(session, "keeper.invited", animal, actor=keeper(inviter.person_id), invited_as=kind.value)
    context = {
        "animal": animal.name,
        "species": animal.species.value,
        "path": LINK.format(token=token),
        "until": (clock.today() + LASTS).isoformat(),
    }
    queue_message(
        session,
        to=email.strip(),
        template=LETTERS[kind],
        context=context,
        at=clock.now(),
        is_secret=True,
        asked_by=inviter.person_id,
    )
    return invitation.id


def withdraw_invitation(
    session: Session, *, animal_id: UUID, invitation_id: UUID, person_id: UUID | None, clock: Clock
) -> None:
    """Take one back: its link opens nothing any more. Any keeper of the animal may. Raises NotTheirs."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    invitation = session.scalar(
        select(KeeperInvitation)
        .where(KeeperInvitation.id == invitation_id, KeeperInvitation.animal_id == animal.id)
        .with_for_update()
    )
    if invitation is None:
        raise NotTheirs("No such invitation")
    if invitation.withdrawn_at is None and invitation.accepted_at is None:
        invitation.withdrawn_at = clock.now()
        session.flush()
        record_event(session, "keeper.invitation_withdrawn", animal, actor=keeper(person_id))


def withdraw_all(session: Session, animal_id: UUID, *, clock: Clock) -> None:
    """Every open invitation of an animal at once."""
    of_it = update(KeeperInvitation).where(KeeperInvitation.animal_id == animal_id)
    session.execute(
        of_it.where(KeeperInvitation.withdrawn_at.is_(None), KeeperInvitation.accepted_at.is_(None)).values(
            withdrawn_at=clock.now()
        )
    )


def invitations_of(session: Session, *, animal_id: UUID, clock: Clock) -> list[KeeperInvitation]:
    """The open invitations of an animal, newest first. Whose animal it is was asked before."""
    live = (
        select(KeeperInvitation)
        .join(Animal, Animal.id == KeeperInvitation.animal_id)
        .where(KeeperInvitation.animal_id == animal_id, is_live(clock))
    )
    return list(session.scalars(live.order_by(KeeperInvitation.created_at.desc(), KeeperInvitation.id)))


def is_claimed(session: Session, animal_id: UUID) -> bool:
    """Whether a new owner has said yes and the city has not decided yet."""
    waiting = exists().where(OwnershipClaim.animal_id == animal_id, OwnershipClaim.state == ClaimState.WAITING)
    return session.scalar(select(waiting)) is True


def is_live(clock: Clock) -> ColumnElement[bool]:
    """Neither taken back, used nor over; whoever sent it still keeps the animal; the animal is as it was ever since.

    For a query over invitations joined with their animals.
    """
    still_theirs = exists().where(
        Keeper.animal_id == KeeperInvitation.animal_id,
        Keeper.person_id == Account.person_id,
        Account.id == KeeperInvitation.invited_by,
        Keeper.until.is_(None),
    )
    as_it_was = or_(*(and_(KeeperInvitation.kind == kind, Animal.state == state) for kind, state in STATES.items()))
    # What was taken back at the counter, where no invitation may be touched, and told anew later is another departure.
    ever_since = or_(Animal.state_since.is_(None), KeeperInvitation.expires_at - LASTS >= Animal.state_since)
    return and_(
        KeeperInvitation.withdrawn_at.is_(None),
        KeeperInvitation.accepted_at.is_(None),
        KeeperInvitation.expires_at > clock.now(),
        func.coalesce(as_it_was, False),
        ever_since,
        still_theirs,
    )

"""Answer an invitation: keep an animal together with its keeper, or say that one that was given away is one's own now.

Until it is accepted the link tells the animal's name and species, and nothing of who sent it.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper, KeeperRole, Species
from portal.schema.departures import OwnershipClaim
from portal.schema.household import EmailChange, InvitationKind, KeeperInvitation
from portal.schema.people import Person
from portal.services.draft_answers import HomeAnswers, OwnerAnswers
from portal.services.households.invite_keeper import LASTS, is_live, withdraw_all
from portal.services.households.tell_gone import standing_departure
from portal.services.owners.ask_to_look import ask_about_application
from portal.services.owners.home import premises_for
from portal.services.owners.keepers_now import keepings
from portal.services.owners.record_owner import answers_of, person_of, record_owner
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash
from portal.services.signing_in.sign_in import email_key


@dataclass(frozen=True)
class Invited:
    """All that the link shows, and whose mailbox it was sent to; that is compared and never shown."""

    name: str
    species: Species
    kind: InvitationKind
    email: str
    sent_at: datetime


@dataclass(frozen=True)
class NewKeeper:
    """Who somebody without a record is, and where they live (90.04(B)(2))."""

    owner: OwnerAnswers
    home: HomeAnswers
    is_suspicious: bool = False


def look_at_invitation(session: Session, *, token: str, clock: Clock) -> Invited | None:
    """What the link shows; None for a wrong, used, withdrawn or expired one: they can't be told apart."""
    found = session.execute(_live(token, clock)).first()
    if found is None:
        return None
    invitation, animal = found
    return _shown(invitation, animal)


def is_invited(session: Session, invited: Invited, *, account_id: UUID) -> bool:
    """Whether it was sent to this account's mailbox: the one it has, or the one it still had on that day.

    The link proves the mailbox it came to, and a change of mailbox counts only once the old and the new one have both
    said yes, the old one by an officer's word where nobody reads it any more: so whoever has the link and the account
    is whoever was invited. What came to the old mailbox after the change is for whoever reads it by then.
    """
    mailbox = email_key(invited.email)
    if session.scalar(select(Account.email_key).where(Account.id == account_id)) == mailbox:
        return True
    had_until = select(EmailChange.old_email).where(
        EmailChange.account_id == account_id,
        EmailChange.old_confirmed_at.is_not(None),
        EmailChange.new_confirmed_at.is_not(None),
        EmailChange.ended_at >= invited.sent_at,
    )
    return any(email_key(old_email or "") == mailbox for old_email in session.scalars(had_until))


def accepted_before(session: Session, *, token: str, account_id: UUID) -> InvitationKind | None:
    """What this account said yes to with the link already: the form was sent twice, or the link opened once more."""
    mine = select(KeeperInvitation.kind).where(
        KeeperInvitation.token_hash == token_hash(token), KeeperInvitation.accepted_by == account_id
    )
    return session.scalar(mine)


def claim_made(session: Session, *, token: str, account_id: UUID) -> tuple[OwnershipClaim, Animal] | None:
    """What came of saying with the link, as this account, that the animal is one's own now."""
    mine = (
        select(OwnershipClaim, Animal)
        .join(Animal, Animal.id == OwnershipClaim.animal_id)
        .join(KeeperInvitation, KeeperInvitation.animal_id == Animal.id)
        .join(Account, Account.id == KeeperInvitation.accepted_by)
        .where(
            KeeperInvitation.token_hash == token_hash(token),
            KeeperInvitation.kind == InvitationKind.NEW_OWNER,
            Account.id == account_id,
            OwnershipClaim.claimed_by == Account.person_id,
        )
        .order_by(OwnershipClaim.created_at.desc())
    )
    found = session.execute(mine).first()
    return (found[0], found[1]) if found else None


def has_record(session: Session, *, account_id: UUID) -> bool:
    """Whether the city knows name and home of whoever this mailbox belongs to."""
    return answers_of(session, session.get_one(Account, account_id)) is not None


def accept_invitation(
    session: Session, *, token: str, account_id: UUID, new_keeper: NewKeeper | None, clock: Clock
) -> InvitationKind:
    """Accept it, once, as the person of this account; one without a record says who they are in `new_keeper`.

    Raises NotTheirs for a link that opens nothing, or that was sent to another mailbox.
    """
    account = session.get_one(Account, account_id, with_for_update=True, populate_existing=True)
    found = session.execute(_live(token, clock).with_for_update(of=(Animal, KeeperInvitation))).first()
    if found is None:
        raise NotTheirs("No such invitation")
    invitation, animal = found
    if not is_invited(session, _shown(invitation, animal), account_id=account.id):
        raise NotTheirs("This invitation was sent to somebody else")
    person = _person(session, account, new_keeper)
    invitation.accepted_by = account.id
    invitation.accepted_at = clock.now()
    session.flush()
    if invitation.kind is InvitationKind.CO_KEEPER:
        _keep_together(session, animal, person, clock=clock)
    else:
        _claim(session, animal, person, clock=clock)
    kind: InvitationKind = invitation.kind
    return kind


def _keep_together(session: Session, animal: Animal, person: Person, *, clock: Clock) -> None:
    if any(kept.person_id == person.id for kept in keepings(session, animal.id)):
        return
    tell_keepers(session, animal, template="keeper_joined", context={}, clock=clock)  # those who were there before
    session.add(Keeper(animal_id=animal.id, person_id=person.id, role=KeeperRole.CO_OWNER, since=clock.now()))
    session.flush()
    record_event(session, "keeper.joined", animal, actor=keeper(person.id), person_id=str(person.id))


def _claim(session: Session, animal: Animal, person: Person, *, clock: Clock) -> None:
    """The tag stays on the animal and the license stays in force; a person at the city looks at who keeps it now."""
    departure = standing_departure(session, animal.id)
    if departure is None:
        raise NotTheirs("Nobody gave this animal away")
    withdraw_all(session, animal.id, clock=clock)
    claim = OwnershipClaim(animal_id=animal.id, departure_id=departure.id, claimed_by=person.id)
    session.add(claim)
    session.flush()
    record_event(session, "ownership.claimed", claim, actor=keeper(person.id), animal_id=str(animal.id))
    tell_keepers(session, animal, template="new_owner_accepted", context={}, clock=clock)


def _person(session: Session, account: Account, new_keeper: NewKeeper | None) -> Person:
    """What the city knows already is not asked for again."""
    if answers_of(session, account) is not None:
        return session.get_one(Person, account.person_id)
    if new_keeper is None:
        raise ValueError("Somebody without a record says who they are")
    premises = premises_for(session, new_keeper.home, person=person_of(session, account))
    person = record_owner(session, account, new_keeper.owner, new_keeper.home, premises)
    if new_keeper.is_suspicious:
        ask_about_application(session, person)
    return person


def _shown(invitation: KeeperInvitation, animal: Animal) -> Invited:
    sent_at = invitation.expires_at - LASTS
    return Invited(animal.name, animal.species, invitation.kind, invitation.email or "", sent_at)


def _live(token: str, clock: Clock) -> Select[KeeperInvitation, Animal]:
    return (
        select(KeeperInvitation, Animal)
        .join(Animal, Animal.id == KeeperInvitation.animal_id)
        .where(KeeperInvitation.token_hash == token_hash(token), is_live(clock))
    )

"""People who keep an animal together or hand it on, put there by the deeds that do so in life."""

from dataclasses import dataclass, replace
from uuid import UUID

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.schema.departures import DepartureKind
from portal.schema.household import InvitationKind
from portal.services.households.accept_invitation import NewKeeper, accept_invitation, has_record
from portal.services.households.decide_claim import accept_claim, claims_waiting
from portal.services.households.invite_keeper import LETTERS, Inviter, invite
from portal.services.households.tell_gone import GoneAnswers, tell_gone
from tests.support.outbox import Outbox
from tests.support.registrations import HOME, OFFICER, OWNER, Registered, Registrations

GAVIN = replace(OWNER, name="Gavin Lind", phone="(320) 555-0177", phone_e164="+13205550177")
GAVINS_HOME = replace(HOME, line1="902 Utah Ave")


@dataclass
class Household:
    """Invites, accepts, gives away."""

    gateways: Gateways
    outbox: Outbox
    registrations: Registrations
    desk: Engine

    def invites(
        self, dog: Registered, email: str = "gavin@example.com", *, kind: InvitationKind = InvitationKind.CO_KEEPER
    ) -> str:
        """A keeper invites somebody; the path of the link."""
        inviter = Inviter(person_id=dog.person_id, account_id=dog.account_id)
        with Session(self.gateways.engine) as session, session.begin():
            invite(
                session,
                animal_id=dog.animal_id,
                kind=kind,
                email=email,
                inviter=inviter,
                clock=self.gateways.clock,
            )
        return self.path(email, kind)

    def path(self, email: str, kind: InvitationKind = InvitationKind.CO_KEEPER) -> str:
        """The newest invitation's link in a mailbox."""
        return str(self.outbox.messages(to=email, template=LETTERS[kind])[-1].context["path"])

    def joins(self, dog: Registered, email: str = "gavin@example.com") -> UUID:
        """Somebody is invited and says yes; their account."""
        return self._says_yes(self.invites(dog, email), email)

    def gives_away(self, dog: Registered) -> None:
        """A keeper tells that it has a new home."""
        given = GoneAnswers(animal_id=dog.animal_id, kind=DepartureKind.GIVEN_AWAY, happened_on=None, note=None)
        with Session(self.gateways.engine) as session, session.begin():
            tell_gone(session, given, person_id=dog.person_id, clock=self.gateways.clock)

    def claims(self, dog: Registered, email: str = "gavin@example.com") -> UUID:
        """A dog is given to somebody, who says yes; their account."""
        self.gives_away(dog)
        return self._says_yes(self.invites(dog, email, kind=InvitationKind.NEW_OWNER), email)

    def city_accepts(self) -> None:
        """An officer records every new owner that waits."""
        city, clock = self.gateways.city, self.gateways.clock
        with Session(self.desk) as session, session.begin():
            for view in claims_waiting(session):
                accept_claim(session, claim_id=view.claim.id, officer=OFFICER, city=city, clock=clock)

    def _says_yes(self, path: str, email: str) -> UUID:
        account_id = self.registrations.account(email)
        token = path.rpartition("/")[2]
        with Session(self.gateways.engine) as session, session.begin():
            who = None if has_record(session, account_id=account_id) else NewKeeper(GAVIN, GAVINS_HOME)
            accept_invitation(session, token=token, account_id=account_id, new_keeper=who, clock=self.gateways.clock)
        return account_id


@pytest.fixture
def household(gateways: Gateways, outbox: Outbox, registrations: Registrations, desk_engine: Engine) -> Household:
    """Puts keepers together: `household.joins(dog)`, `household.claims(dog)`."""
    return Household(gateways, outbox, registrations, desk_engine)

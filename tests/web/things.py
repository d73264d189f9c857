"""One of everything that an address can be about, nearly all of it Pat’s."""

from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.schema.animals import Animal
from portal.schema.departures import DepartureKind
from portal.schema.notices import Holding, NoticeKind, NoticeMatch
from portal.services.accounts.change_email import ask_for_email_change
from portal.services.animals.find_tag import TagNumber
from portal.services.certificates.ask_vet import Addressee, ask_vet
from portal.services.draft_answers import Registration
from portal.services.files.accept_upload import note_upload
from portal.services.households.tell_gone import GoneAnswers, tell_gone
from portal.services.notices.tell_found import Found, tell_found
from portal.services.notices.tell_seen import Seen, tell_seen
from portal.services.notices.tell_seen import Words as SeenWords
from portal.services.registering.keep_draft import keep, open_draft
from portal.services.reminders.signed_links import Purpose, signed
from portal.services.reports.file_report import Sender
from portal.services.signing_in.sign_in import SignInAsked, ask_to_sign_in
from portal.settings import Settings
from tests.support.dangerous import DangerousDogs
from tests.support.database import Database
from tests.support.household import Household
from tests.support.notices import notice
from tests.support.outbox import Outbox
from tests.support.pound import impounded
from tests.support.registrations import LATER, Registrations
from tests.support.reporting import ATTESTED, Reporting
from tests.web.dangerous.things import things_of
from tests.web.routes import Things


@pytest.fixture
def things(
    registrations: Registrations,
    household: Household,
    database: Database,
    outbox: Outbox,
    gateways: Gateways,
    settings: Settings,
    reporting: Reporting,
    dangerous: DangerousDogs,
) -> Things:
    """Pat has a licensed dog with a picture, one that died, a registration begun, and a link to sign in elsewhere."""
    account_id, clock = registrations.account("pat@example.com"), gateways.clock
    rex = registrations.animal("Rex")
    with Session(gateways.engine) as session, session.begin():
        files = [note_upload(session, registrations.stored(), account_id=account_id).id for _ in range(3)]
    max_ = registrations.dog("Max", certificate=LATER)
    given = registrations.dog("Bella", certificate=LATER)
    pepper = registrations.licensed("Pepper", photo_upload_id=files[0])
    with Session(gateways.engine) as session, session.begin():
        keep(session, open_draft(session, account_id=account_id), Registration(animals=(rex,)), clock=clock)
        asked = SignInAsked(email="pat@example.com", browser="another", next_path="/")
        ask_to_sign_in(session, asked, clock=clock, secret_key="a", base_url="")
        died = GoneAnswers(animal_id=max_.animal_id, kind=DepartureKind.DIED, happened_on=None, note=None)
        tell_gone(session, died, person_id=pepper.person_id, clock=clock)
        vet = Addressee(name="Prairie Vet", email="desk@clinic.example")
        animal = session.get_one(Animal, pepper.animal_id)
        vet_asked = ask_vet(session, animal=animal, person_id=pepper.person_id, addressee=vet, clock=clock)
        finder = Found(
            text="She is here.",
            place=None,
            phone=None,
            email=None,
            confined_at=None,
            photo_key=registrations.stored().thumbnail_key,
            is_suspicious=False,
        )
        relay_id = uuid4()
        tell_found(
            session, finder, tag=TagNumber(1, 2026), key=relay_id, token="finder", city=gateways.city, clock=clock
        )
    household.gives_away(given)
    household.invites(pepper, "mai@example.com")
    invitation_id = database.value("SELECT id FROM portal.keeper_invitation")
    invited = household.invites(registrations.dog("Rolf", email="rolf@example.com"), "pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        ask_for_email_change(session, account_id=account_id, new_email="new@example.com", clock=clock)
    [new_mailbox] = outbox.messages(to="new@example.com")
    photo_id = database.value("SELECT photo_id FROM animal_control.animal WHERE name = 'Pepper'")
    said_id = database.value("SELECT id FROM portal.relay_message")
    at_the_pound = impounded(database, animal_id=pepper.animal_id, photo_id=photo_id)
    missed, notice_talk = notice(database, link="the link of a finder"), uuid4()
    missing, match_id = missed.reference, uuid4()
    with Session(database.engine) as session, session.begin():
        session.add(NoticeMatch(id=match_id, lost_notice_id=missed.id, impoundment_id=at_the_pound.id, score=50))
    seen = Seen(
        words=SeenWords(text="She ran north."), holding=Holding.SIGHTED, place="Main Street", seen_at=clock.now()
    )
    with Session(gateways.engine) as session, session.begin():
        tell_seen(session, seen, reference=missing, key=notice_talk, token="seer", city=gateways.city, clock=clock)
    report = reporting.send()
    reporting.send(sender=Sender(attestation=ATTESTED, mailbox="robin@example.com"), place="Northside park")
    [to_confirm] = outbox.messages(to="robin@example.com")
    proof_code = "SELECT proof_code FROM animal_control.license WHERE id = :id"
    return Things(
        usual={
            "animal_id": pepper.animal_id,
            "certificate_id": pepper.vaccination_id,
            "order_id": pepper.order_id,
            "code": database.value(proof_code, id=pepper.license_id),
            "upload_id": files[2],
            "request_id": vet_asked.request_id,
            "token": outbox.link("pat@example.com").rpartition("/")[2],
            "number": 1,
            "relay_id": relay_id,
            "message_id": said_id,
            "invitation_id": invitation_id,
            "impoundment_id": at_the_pound.id,
        },
        instead={
            "register": {"animal_id": rex.id, "upload_id": files[1]},
            "dangerous": things_of(dangerous, pepper, database),
            "vet_link": {"token": vet_asked.token},
            "tags": {"token": "finder", "number": "2026-1"},
            "reports": {
                "reference": report.filed.reference,
                "token": report.token,
                "kind": "barking",
                "file_id": uuid4(),
                "episode_id": uuid4(),
            },
            "notices": {
                "kind": "lost",
                "reference": missing,
                "size": "photo",
                "token": "the link of a finder",
                "relay_id": notice_talk,
                "match_id": match_id,
            },
            "notices.write": {"reference": notice(database, "FOUND-00000", kind=NoticeKind.FOUND).reference},
            "reports.confirm_link": {"token": to_confirm.context["path"].rpartition("/")[2]},
            "dogs.new_owner": {"animal_id": given.animal_id},
            "invitations": {"token": invited.rpartition("/")[2]},
            "me": {"token": new_mailbox.context["path"].rpartition("/")[2]},
            "dogs.farewell": {"animal_id": max_.animal_id},
            "reminders": {"token": signed(account_id, Purpose.STOP, key=settings.secret_keys[0])},
            "reminders.open_page": {
                "token": signed(account_id, Purpose.OPEN, key=settings.secret_keys[0]),
                "wanted": "dogs",
            },
        },
    )

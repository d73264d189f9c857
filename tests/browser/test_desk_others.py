"""The rest of the desk at a real browser, each page as it opens and with its mistakes, on a tablet held either way."""

import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.dangerous import Change
from portal.ordinance.nuisances import Nuisance
from portal.schema.dangerous import Designated
from portal.schema.dangerous_notices import NoticeKind
from portal.schema.notices import NoticeState
from portal.schema.payment_questions import QuestionKind
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.dangerous.request_review import ReviewAsked, request_review
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from portal.services.payments.questions import Doubt, ask_about_charge
from portal.views.desk.identity import IDLE
from tests.support.desk import OFFICER, app_code
from tests.support.notices import notice
from tests.support.registrations import LATER
from tests.support.screens import ANSWERED_BADLY, keys

UPRIGHT = {"width": 768, "height": 1024}
RABIES = """
    INSERT INTO animal_control.rabies_notice (clinic_id, sent_by, called, animal, place, owner, what, phone)
    VALUES (:clinic, 'amy@prairie.example', 'yes, at 9 a.m.', 'A gray cat without a tag', '1310 Idaho Ave',
            'Nobody knows', 'It bit two people and died this morning.', '(320) 555-0142')
"""


@pytest.fixture
def waiting(registrations, filings, dangerous, database, desk_engine, gateways, clock):
    """One of each that waits."""
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    clinic = filings.clinic()
    filings.file(clinic, owner_address="Elsewhere 12, Benson", owner_name="P. Obrien", key="one")
    filings.match()
    database.run(RABIES, clinic=clinic)
    notice(database, state=NoticeState.CHECKING, flagged_for="a link in the text")
    city, mine = gateways.city, {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    hearing = HearingAsked(key=uuid4(), kind=Designated.DANGEROUS, dog="Pepper", name="Pat", signed_name="Pat")
    review = ReviewAsked(key=uuid4(), changes=(Change.AGE,), told="Old now.", signed_name="Pat")
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.DEATH,
        happens_on=date(2026, 11, 24),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
    )

    def ask(session):
        request_hearing(session, hearing, designation=None, person_id=pepper.person_id, city=city, clock=clock)
        request_review(session, review, **mine, city=city, clock=clock)
        tell_dangerous_notice(session, told, **mine, city=city, clock=clock)

    dangerous.by_owner(ask)
    registrations.dog("Rex", email="gavin@example.com", certificate=LATER)
    database.run(
        "UPDATE portal.outgoing_message SET failed_at = :at, last_error = '550 no such user' WHERE id ="
        " (SELECT id FROM portal.outgoing_message WHERE NOT is_secret AND NOT is_confidential LIMIT 1)",
        at=clock.now() - timedelta(hours=1),
    )
    found = "The processor took it, and the portal knows no payment of it"
    with Session(desk_engine) as session, session.begin():
        doubt = Doubt(kind=QuestionKind.UNMATCHED, told=found, amount_cents=1000)
        ask_about_charge(session, "pi_stray", doubt, actor="system")


def test_each_kind_of_item_looks_right_as_it_opens_and_with_its_mistakes(open_desk, gallery, waiting):
    screen = open_desk(viewport=UPRIGHT).visit("/desk")
    gallery.look(screen.arrive("Queue"), "desk-all-upright")
    for kind, button in (
        ("filing", "Send back to the clinic"),
        ("rabies", None),
        ("review", "Keep it"),
        ("dangerous_notice", None),
        ("pet_notice", "Take it down"),
        ("hearing", "Set the hearing"),
        ("bounced", None),
        ("payment_question", "Settle it"),
    ):
        screen.visit(f"/desk?kind={kind}")
        keys(screen, "j", "Enter")
        screen.page.wait_for_url(re.compile(r"/desk/[a-z-]+/"))
        gallery.look(screen, f"desk-one-{kind}")
        if button:
            with screen.complaining(ANSWERED_BADLY):
                screen.press(button).is_told()
                gallery.look(screen, f"desk-one-{kind}-with-mistakes")


def test_reports_are_merged_by_keyboard_and_what_repeats_stands_on_a_map(open_desk, gallery, reporting, clock):
    now = clock.now()
    clock.move_to(now - timedelta(days=40))
    reporting.send(Nuisance.AT_LARGE, latitude=45.31512, longitude=-95.60012)
    reporting.send(Nuisance.LITTER, place="18 Kansas Ave", latitude=45.3160, longitude=-95.6010)
    clock.move_to(now)
    first, second = reporting.send(), reporting.send(narrative="The brown dog again")
    screen = open_desk().visit(f"/desk/reports/{second.id}")
    keys(screen, "m")
    screen.arrive(f"Merge {second.filed.reference} into another report")
    with screen.complaining(ANSWERED_BADLY):
        gallery.look_at_mistakes(screen, "desk-merge", button="Merge it")
    screen.answer(into=str(first.id), why="The same brown dog.")
    gallery.look(screen.press("Merge it", leads_to="Barking: 1312 Idaho Ave, Benson, MN 56215"), "desk-merged")
    keys(screen, "p")
    gallery.look(screen.arrive("What repeats at 1312 Idaho Ave, Benson, MN 56215"), "desk-repeats")
    screen.visit(f"/desk/reports/{second.id}")
    keys(screen, "m")
    screen.arrive(f"Take {second.filed.reference} apart again")
    screen.answer(why="It was another dog.").press(
        "Take it apart", leads_to="Barking: 1312 Idaho Ave, Benson, MN 56215"
    )


def test_what_was_typed_comes_back_after_signing_in(open_desk, gallery, reporting, clock, outbox, gateways):
    sent = reporting.send()
    screen = open_desk().visit(f"/desk/reports/{sent.id}").answer(words="We went there at nine.")
    clock.move_to(clock.now() + IDLE + timedelta(minutes=1))
    screen.press("Say how it stands", leads_to="Sign in to the desk")
    gallery.look(screen, "desk-signed-out")
    screen.answer(email=OFFICER).press("Send me a code", leads_to="Type the code we sent you")
    code = outbox.messages(to=OFFICER, template="staff_code")[-1].context["code"]
    screen.answer(code=code).press("Go on", leads_to="The second step")
    screen.answer(code=app_code(gateways)).press("Sign in", leads_to="Barking: 1312 Idaho Ave, Benson, MN 56215")
    gallery.look(screen, "desk-typed-back")
    assert screen.page.get_by_label("Write to the reporter").input_value() == "We went there at nine."

"""Reminders as the worker sends them: what they say, whom they reach, who is left in peace (issue 4, example 24)."""

import threading
from dataclasses import replace
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from portal.ordinance.licensing import Situation
from portal.schema.departures import DepartureKind
from portal.schema.licenses import Delivery
from portal.schema.reminders import Reminder
from portal.services.draft_answers import Registration
from portal.services.households.tell_gone import GoneAnswers, tell_gone
from portal.services.licensing.renew_licenses import RenewalAsked, renew_licenses
from portal.services.messages.reminder_choices import Choices, choose, stop_reminders
from portal.services.registering.keep_draft import keep, open_draft
from portal.worker.jobs import deliver_letters
from portal.worker.reminders import send_reminders
from tests.support.portal import CHICAGO
from tests.support.registrations import LATER

PAT, GAVIN = "pat@example.com", "gavin@example.com"
PHONE = "+13205550142"
REMINDERS = (
    "SELECT recipient, template FROM portal.outgoing_message WHERE template LIKE 'reminder%' ORDER BY created_at, id"
)


def never():
    return False


def at(year, month, day, hour=10):
    return datetime(year, month, day, hour, tzinfo=CHICAGO)


@pytest.fixture
def reminded(parts, clock, database):
    """Let the worker remind at a moment; whom it wrote to then, and in which letter."""

    def reminded(moment=None):
        clock.move_to(moment or clock.at)
        before = len(database.rows(REMINDERS))
        send_reminders(parts, never)
        return sorted((row.recipient, row.template) for row in database.rows(REMINDERS)[before:])

    return reminded


@pytest.fixture
def committed(gateways):
    """One transaction of the web process."""

    def committed(deed, *args, **more):
        with Session(gateways.engine) as session, session.begin():
            return deed(session, *args, **more)

    return committed


@pytest.fixture
def early(clock):
    """Long before anything is due."""
    clock.move_to(at(2026, 7, 1))


@pytest.fixture
def keep_together(database):
    """Somebody else keeps an animal too."""

    def keep_together(registered, other):
        database.run(
            "INSERT INTO animal_control.keeper (animal_id, person_id, role, since) VALUES (:a, :p, 'co_owner', :at)",
            a=registered.animal_id,
            p=other.person_id,
            at=at(2026, 7, 1),
        )

    return keep_together


def test_a_household_gets_one_letter_for_all_its_dogs(early, registrations, reminded, outbox):
    for name in ("Pepper", "Rex"):
        registrations.licensed(name)
    assert reminded(at(2026, 11, 1)) == []
    assert reminded(at(2026, 11, 2)) == [(PAT, "reminder_renewal")]
    (letter,) = outbox.letters(template="reminder_renewal")
    assert letter.subject == "Renew the license of Pepper and Rex by December 31, 2026"
    assert "Renew for 2027." in letter.text
    assert letter.text.count("/gone\n") == 2
    assert reminded(at(2026, 11, 2, 11)) == []


def test_a_license_of_two_years_is_renewed_when_both_are_over(parts, registrations, clock, database, outbox):
    """T15"""
    registrations.licensed(license_year=2027)
    database.run("UPDATE animal_control.license SET valid_until = :last", last=date(2028, 12, 31))
    policy = parts.gateways.city.license
    policy = replace(policy, year_start=replace(policy.year_start, years=2, since=2027))
    of_two_years = replace(parts, gateways=replace(parts.gateways, city=replace(parts.gateways.city, license=policy)))
    for moment, letters in ((at(2027, 12, 15), 0), (at(2028, 12, 15), 1)):
        clock.move_to(moment)
        send_reminders(of_two_years, never)
        assert len(outbox.letters(template="reminder_renewal")) == letters
    (letter,) = outbox.letters(template="reminder_renewal")
    assert letter.subject == "Renew the license of Pepper by December 31, 2028"
    assert "Renew for 2029-2030." in letter.text


def test_the_letter_can_be_stopped_by_the_mail_program(early, registrations, reminded, outbox, settings):
    registrations.licensed()
    reminded(at(2026, 12, 1))
    (letter,) = outbox.letters(template="reminder_renewal")
    assert letter.unsubscribe_url.startswith(f"{settings.base_url}/reminders/stop/")
    assert letter.unsubscribe_url.endswith("/one-click")
    assert all(letter.unsubscribe_url is None for letter in outbox.letters(template="license_issued"))


def test_the_letter_itself_leads_to_renewing_and_to_stopping(early, registrations, reminded, visitor, outbox, settings):
    registrations.licensed()
    reminded(at(2026, 12, 24))
    (letter,) = outbox.letters(template="reminder_renewal")
    links = [line.removeprefix(settings.base_url) for line in letter.text.split() if "/reminders/" in line]
    assert [visitor.visit(link).h1 for link in links] == [
        "Go on from your reminder",
        "Go on from your reminder",
        "Stop reminders?",
    ]


def test_everyone_who_keeps_the_dog_and_has_an_account_is_told(early, registrations, reminded, keep_together):
    pepper = registrations.licensed()
    keep_together(pepper, registrations.licensed("Bella", email=GAVIN))
    assert reminded(at(2026, 12, 1)) == [(GAVIN, "reminder_renewal"), (PAT, "reminder_renewal")]


def test_a_missed_day_is_caught_up_with_the_newest_step_alone(early, registrations, reminded, database):
    registrations.licensed()
    assert reminded(at(2026, 12, 26)) == [(PAT, "reminder_renewal")]
    assert [(one.step_days, one.due_on) for one in database.all(Reminder)] == [(7, date(2026, 12, 31))]
    assert reminded(at(2026, 12, 27)) == []


def test_after_the_end_it_says_that_the_license_has_ended(early, registrations, reminded, outbox):
    registrations.licensed()
    assert reminded(at(2027, 1, 5)) == [(PAT, "reminder_renewal")]
    assert outbox.letters(template="reminder_renewal")[0].subject == "The license of Pepper has ended"


def test_long_after_the_end_nobody_is_written_to(early, registrations, reminded):
    registrations.licensed()
    assert reminded(at(2027, 1, 20)) == []


def test_nobody_is_reminded_at_night(early, registrations, reminded):
    registrations.licensed()
    assert reminded(at(2026, 12, 1, 8)) == []
    assert reminded(at(2026, 12, 1, 21)) == []
    assert reminded(at(2026, 12, 2, 9)) == [(PAT, "reminder_renewal")]


def test_who_renewed_is_left_in_peace(early, registrations, reminded, committed, gateways):
    pepper = registrations.licensed()
    gateways.clock.move_to(at(2026, 11, 10))
    asked = RenewalAsked(animal_ids=(pepper.animal_id,), year=2027, delivery=Delivery.MAIL)
    assert committed(
        renew_licenses,
        asked,
        account_id=pepper.account_id,
        person_id=pepper.person_id,
        submission_key=uuid4(),
        city=gateways.city,
        clock=gateways.clock,
    )
    assert reminded(at(2026, 12, 1)) == []


@pytest.mark.parametrize("kind", list(DepartureKind))
def test_a_dog_that_is_gone_is_never_asked_about(early, registrations, reminded, committed, clock, kind):
    pepper = registrations.licensed()
    gone = GoneAnswers(animal_id=pepper.animal_id, kind=kind, happened_on=None, note=None)
    committed(tell_gone, gone, person_id=pepper.person_id, clock=clock)
    assert reminded(at(2026, 12, 1)) == []
    assert reminded(at(2029, 6, 11)) == []


def test_a_dog_whose_license_is_waived_needs_no_renewal(early, registrations, reminded):
    registrations.dog("Guide", situation=Situation.ASSISTANCE_DOG)
    assert reminded(at(2026, 12, 1)) == []


def test_whoever_stopped_reminders_or_closed_the_account_gets_none(
    early, registrations, reminded, committed, database, clock
):
    pepper = registrations.licensed()
    registrations.licensed("Bella", email=GAVIN)
    committed(stop_reminders, account_id=pepper.account_id, clock=clock)
    database.run("UPDATE portal.account SET closed_at = now() WHERE email = :email", email=GAVIN)
    assert reminded(at(2026, 12, 1)) == []


def test_example_24_a_certificate_is_reminded_of_before_it_lapses(early, registrations, reminded, outbox):
    """Due 12 June 2029 by its label, and three years after 12 June 2026: the license stays, people are told in time."""
    registrations.licensed()
    assert reminded(at(2029, 5, 12)) == []
    for day in (at(2029, 5, 13), at(2029, 5, 29), at(2029, 6, 11)):
        assert reminded(day) == [(PAT, "reminder_certificate")]
    assert reminded(at(2029, 6, 12)) == []
    letter = outbox.letters(template="reminder_certificate")[0]
    assert letter.subject == "The rabies certificate of Pepper runs out soon"
    assert "is good until June 12, 2029" in letter.text
    assert "stays good to the end of its year" in letter.text


def test_cats_certificates_count_too(early, registrations, reminded):
    minka = registrations.dog("Minka", situation=Situation.CAT, license_year=None)
    registrations.accept(minka)
    assert reminded(at(2029, 5, 13)) == [(PAT, "reminder_certificate")]


def test_nobody_is_asked_for_a_certificate_that_an_officer_has_on_the_table(early, registrations, reminded, database):
    pepper = registrations.licensed()
    database.run(
        "INSERT INTO animal_control.vaccination (animal_id, source, evidence, dose, vaccine_type, needs_review)"
        " VALUES (:id, 'owner', 'certificate', 'booster', 'unknown', false)",
        id=pepper.animal_id,
    )
    assert reminded(at(2029, 5, 13)) == []


def test_an_order_is_reminded_of_three_and_ten_days_after(clock, registrations, reminded, outbox, database):
    """Orders are dated by the database, so this one is moved to the day of the test."""
    rex = registrations.dog("Rex")
    database.run("UPDATE animal_control.fee_order SET created_at = :at", at=clock.at)
    opened = clock.at
    days = {days: reminded(opened + timedelta(days=days)) for days in range(1, 30)}
    assert {day: told for day, told in days.items() if ("reminder_unpaid_order") in [what for _, what in told]} == {
        3: [(PAT, "reminder_unpaid_order")],
        10: [(PAT, "reminder_unpaid_order")],
    }
    letter = outbox.letters(template="reminder_unpaid_order")[0]
    assert "$10.00 for Rex is not paid yet" in letter.text
    registrations.pay(rex)


def test_an_application_is_reminded_of_after_its_last_change(clock, registrations, reminded, committed, outbox):
    account_id = registrations.account(PAT)

    def touch():
        begun = Registration(animals=(registrations.animal("Biscuit"),))
        committed(lambda session: keep(session, open_draft(session, account_id=account_id), begun, clock=clock))

    touch()
    begun = clock.at
    assert reminded(begun + timedelta(days=1)) == []
    assert reminded(begun + timedelta(days=2)) == [(PAT, "reminder_unfinished")]
    clock.move_to(begun + timedelta(days=5))
    touch()
    assert reminded(begun + timedelta(days=6)) == []
    assert reminded(begun + timedelta(days=7)) == [(PAT, "reminder_unfinished")]
    assert reminded(begun + timedelta(days=14)) == []
    assert reminded(begun + timedelta(days=19)) == [(PAT, "reminder_unfinished")]
    assert "You began to register Biscuit" in outbox.letters(template="reminder_unfinished")[0].text


def test_example_5_a_puppy_is_reminded_of_when_it_is_six_months_old(clock, registrations, reminded, outbox):
    registrations.dog("Pip", born_on=date(2026, 8, 1), wants_license=False, license_year=None, certificate=LATER)
    assert reminded(at(2027, 1, 31)) == []
    assert reminded(at(2027, 2, 1)) == [(PAT, "reminder_puppy")]
    assert reminded(at(2027, 2, 2)) == []
    assert "Pip is six months old and needs a dog license from February 2, 2027" in outbox.letters()[-1].text


def test_example_4_an_age_that_was_estimated_is_told_as_such(clock, registrations, reminded, outbox):
    about = {"born_on": None, "age_months": 5, "age_estimated_on": date(2026, 11, 20)}
    registrations.dog("Pip", **about, wants_license=False, license_year=None, certificate=LATER)
    assert reminded(at(2026, 12, 20)) == [(PAT, "reminder_puppy")]
    assert "Pip is about six months old" in outbox.letters()[-1].text


def test_two_workers_at_once_send_each_letter_once(early, registrations, parts, clock, database):
    for number in range(40):
        registrations.licensed("Pepper", email=f"pat{number}@example.com")
    clock.move_to(at(2026, 12, 1))
    workers = [threading.Thread(target=send_reminders, args=[parts, never]) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(database.rows(REMINDERS)) == 40


def test_a_text_goes_to_whoever_agreed_and_tells_nothing(
    early, registrations, reminded, committed, clock, parts, texts, settings
):
    pepper = registrations.licensed()
    committed(choose, Choices(wants_texts=True, phone=PHONE), account_id=pepper.account_id, clock=clock)
    assert reminded(at(2026, 12, 1)) == [(PHONE, "reminder"), (PAT, "reminder_renewal")]
    deliver_letters(parts, never)
    assert [text.to for text in texts.taken] == [PHONE, PHONE]
    assert texts.taken[-1].words == (
        f"You have a message from the City of Benson animal portal: {settings.base_url}/dogs. Reply STOP to stop."
    )


def test_two_kinds_of_reminders_on_one_day_send_one_text(early, registrations, reminded, committed, clock, database):
    """It says the same of both."""
    pepper = registrations.licensed()
    committed(choose, Choices(wants_texts=True, phone=PHONE), account_id=pepper.account_id, clock=clock)
    registrations.dog("Rex")
    database.run("UPDATE animal_control.fee_order SET created_at = :at", at=at(2026, 11, 28))
    assert reminded(at(2026, 12, 1)) == [
        (PHONE, "reminder"),
        (PAT, "reminder_renewal"),
        (PAT, "reminder_unpaid_order"),
    ]


def test_a_text_that_could_not_go_waits_for_the_morning(early, registrations, reminded, committed, clock, parts, texts):
    pepper = registrations.licensed()
    committed(choose, Choices(wants_texts=True, phone=PHONE), account_id=pepper.account_id, clock=clock)
    deliver_letters(parts, never)
    texts.taken.clear()
    texts.is_away = True
    reminded(at(2026, 12, 1, 19))
    deliver_letters(parts, never)
    texts.is_away = False
    clock.move_to(at(2026, 12, 1, 22))
    deliver_letters(parts, never)
    assert texts.taken == []
    clock.move_to(at(2026, 12, 2, 9))
    deliver_letters(parts, never)
    assert [text.to for text in texts.taken] == [PHONE]


def test_a_text_queued_before_stop_was_said_is_not_sent(early, registrations, reminded, committed, clock, parts, texts):
    pepper = registrations.licensed()
    committed(choose, Choices(wants_texts=True, phone=PHONE), account_id=pepper.account_id, clock=clock)
    deliver_letters(parts, never)
    reminded(at(2026, 12, 1))
    committed(choose, Choices(), account_id=pepper.account_id, clock=clock)
    deliver_letters(parts, never)
    assert len(texts.taken) == 1


def test_a_day_of_reminders_takes_few_statements(early, registrations, parts, clock, database):
    """However many letters there are."""
    for number in range(30):
        registrations.licensed("Pepper", email=f"pat{number}@example.com")
    clock.move_to(at(2026, 12, 1))
    sent = []

    def watch(*told):
        sent.append(told[2])

    event.listen(parts.gateways.engine, "before_cursor_execute", watch)
    send_reminders(parts, never)
    event.remove(parts.gateways.engine, "before_cursor_execute", watch)
    assert len(database.rows(REMINDERS)) == 30
    assert len(sent) <= 11

"""Letters that came back: whose they were, how else to reach them, and nothing of what they say."""

from datetime import timedelta
from pathlib import Path

import pytest

import portal
from portal.services.desk.bounced import FOR_CLERKS
from portal.services.reports.file_report import Sender
from tests.support.reporting import ATTESTED


@pytest.fixture
def came_back(database, clock):
    """The mail server gave up on every letter there is."""

    def came_back():
        database.run(
            "UPDATE portal.outgoing_message SET failed_at = :at, last_error = '550 no such user'",
            at=clock.now() - timedelta(hours=1),
        )

    return came_back


def test_a_letter_that_came_back_is_dealt_with_once(clerk, officer, registrations, came_back, database):
    registrations.dog("Pepper")
    came_back()
    line = "Letter to pat@example.com came back"
    for person in (officer, clerk):
        person.visit("/desk?kind=bounced").click(line)
    assert "550 no such user" in clerk.text
    assert "Dealt with by" not in clerk.text
    assert "Pat O’Brien" in clerk.text
    assert "(320) 555-0100 x12" in clerk.text
    officer.submit(button="They are told another way")
    clerk.submit(button="They are told another way", status=409)
    assert "Message handled, November 30, 2026" in clerk.text
    assert line not in clerk.visit("/desk").links


def test_codes_and_letters_about_reports_are_never_shown(officer, reporting, registrations, came_back, database):
    reporting.send(sender=Sender(attestation=ATTESTED, mailbox="robin@example.com"))
    registrations.account("pat@example.com")
    came_back()
    assert "Nothing waits." in officer.visit("/desk?kind=bounced").text
    for row in database.rows("SELECT id FROM portal.outgoing_message"):
        officer.visit(f"/desk/bounced/{row.id}", status=404)


FINDERS = """
    INSERT INTO portal.outgoing_message (recipient, template, context, is_secret, not_before)
    VALUES ('robin@example.com', 'finder_link', '{}', true, now())
"""


def test_the_mailbox_of_whoever_found_an_animal_is_never_shown(officer, came_back, database):
    database.run(FINDERS)
    came_back()
    assert "robin@example.com" not in officer.visit("/desk?kind=bounced").text
    assert "Nothing waits." in officer.text


def test_who_invited_somebody_is_told_that_the_link_came_back(clerk, household, came_back, registrations, database):
    """The link is kept nowhere: it is not sent again, and Pat can ask anew."""
    household.invites(registrations.dog("Pepper"), "gavin@exmaple.com")
    came_back()
    clerk.visit("/desk?kind=bounced").click("Letter to gavin@exmaple.com came back")
    assert "Asked for by" in clerk.text
    assert "(320) 555-0100 x12" in clerk.text
    assert "Call Pat O’Brien: they can ask anew on their own page" in clerk.text
    assert "Send it again" not in clerk.text
    letter = clerk.path
    form = clerk.page.form(button="They are told another way")
    again = form.filled({}, button="They are told another way") | {"again": "gavin@exmaple.com"}
    assert clerk.client.post(letter, data=again, base_url=clerk.origin).status_code == 409
    clerk.submit(button="They are told another way")
    assert "Letter to gavin@exmaple.com came back" not in clerk.visit("/desk?kind=bounced").links
    assert f"Dealt with by {clerk.email}" in clerk.visit(letter).text


def test_every_letter_with_a_link_for_somebody_else_says_who_asked_for_it(
    resident, registrations, dangerous, household, database
):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    here = f"/dogs/{pepper.animal_id}"
    vets = {"clinic": "another", "clinic_name": "Prairie Vets", "clinic_email": "clinic@exmaple.com"}
    resident.visit(f"{here}/ask").submit(vets, button="Ask this clinic")
    resident.visit(f"{here}/dangerous/rows/insurance/link").submit(addressee="Agent", email="agent@exmaple.com")
    resident.visit("/me/email").submit(new_email="pat@exmaple.com")
    household.invites(pepper, "gavin@exmaple.com")
    asked = database.rows(
        "SELECT recipient, asked_by FROM portal.outgoing_message WHERE recipient LIKE '%@exmaple.com'"
    )
    mailboxes = {f"{name}@exmaple.com" for name in ("clinic", "agent", "pat", "gavin")}
    assert {(row.recipient, row.asked_by) for row in asked} == {(mailbox, pepper.person_id) for mailbox in mailboxes}


def test_a_clerk_does_not_read_of_a_designation_in_the_kind_of_a_letter(
    clerk, officer, resident, registrations, dangerous, came_back
):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    link = f"/dogs/{pepper.animal_id}/dangerous/rows/insurance/link"
    resident.visit(link).submit(addressee="Agent", email="agent@exmaple.com")
    came_back()
    for person in (clerk, officer):
        person.visit("/desk?kind=bounced")
        assert "a letter with a link" in person.text
        assert "ask for evidence" not in person.text
        person.click("Letter to agent@exmaple.com came back")
    assert "a letter with a link" in clerk.text
    assert "evidence" not in clerk.text
    assert "ask for evidence" in officer.text


# Every kind of letter that a clerk is not told of, a second time: dangerous dogs, what an officer asks for or decides,
# the pound, clinics. Those with a link have no name at the desk but that; the last are never shown there.
FOR_OFFICERS = {
    *("dog_designated", "declared_elsewhere", "statement_dismissed", "reminder_dangerous", "dangerous_dog_certified"),
    *("requirement_open", "photograph_set", "dangerous_notice", "affidavit_asked"),
    *("hearing_received", "hearing_requested", "hearing_set", "review_received", "review_decided"),
    *("certificate_demanded", "at_the_pound", "suspected_rabies", "known_already"),
    *("new_owner_accepted", "new_owner_recorded", "new_owner_rejected", "ownership_accepted", "ownership_rejected"),
    *("clinic_asked", "clinic_approved", "clinic_refused", "clinic_member", "clinic_member_changed"),
}
WITH_A_LINK = {
    *("ask_for_evidence", "ask_vet", "invited_to_keep", "invited_to_take_over"),
    *("mailbox_asked", "email_change_new", "email_change_old"),
}
NEVER_SHOWN = {
    *("sign_in", "staff_code", "report_link", "report_confirm", "report_news", "report_urgent"),
    *("finder_link", "finder_answer", "finder_thanks"),
}
LETTERS = Path(portal.__file__).parent / "templates" / "messages"
CAME_BACK = """
    INSERT INTO portal.outgoing_message (recipient, template, context, not_before, failed_at, last_error)
    SELECT 'pat@example.com', kind, '{}', now(), now(), '550 no such user' FROM unnest(CAST(:kinds AS text[])) AS kind
"""


def test_of_every_kind_of_letter_it_is_said_whether_a_clerk_is_told_of_it():
    kinds = {page.stem for page in LETTERS.glob("*.html")} - {"layout", "_gone"}
    said = (FOR_CLERKS, FOR_OFFICERS, WITH_A_LINK, NEVER_SHOWN)
    assert kinds == set().union(*said)
    assert len(kinds) == sum(map(len, said)), "and once"


def test_a_clerk_reads_of_what_officers_see_alone_that_it_is_a_letter(clerk, officer, database):
    database.run(CAME_BACK, kinds=sorted(FOR_OFFICERS))
    queue = clerk.visit("/desk?kind=bounced").text
    for letter in database.rows("SELECT id, replace(template, '_', ' ') AS kind FROM portal.outgoing_message"):
        page = f"/desk/bounced/{letter.id}"
        assert letter.kind not in (queue + clerk.visit(page).text).lower()
        assert "a letter" in clerk.text
        assert letter.kind in officer.visit(page).text


def test_a_clerk_reads_what_kind_of_letter_it_is_where_it_is_theirs(clerk, database):
    database.run(CAME_BACK, kinds=sorted(FOR_CLERKS))
    clerk.visit("/desk?kind=bounced")
    assert [kind for kind in FOR_CLERKS if kind.replace("_", " ") not in clerk.text] == []


NEW = "patricia@example.com"


def test_a_new_mailbox_counts_once_it_has_said_yes_and_gets_the_letter(
    clerk, registrations, came_back, arrive, outbox, database
):
    registrations.dog("Pepper")
    came_back()
    clerk.visit("/desk?kind=bounced").click("Letter to pat@example.com came back")
    letter = clerk.path
    clerk.click("Give them another e‑mail address").submit(new_email="pat@example.com", status=422)
    clerk.submit(new_email=NEW)
    assert f"{NEW} was asked, and has not said yes yet." in clerk.text
    assert database.value("SELECT email FROM portal.account") == "pat@example.com"
    assert outbox.templates(to="pat@example.com")[-1] == "mailbox_told"
    [asked] = outbox.messages(to=NEW, template="mailbox_asked")
    arrive(NEW).visit(asked.context["path"]).submit()
    assert database.value("SELECT email FROM portal.account") == NEW
    assert database.value("SELECT email FROM animal_control.person") == NEW
    clerk.visit(letter)
    assert f"They have proved a new mailbox since: {NEW}." in clerk.text
    clerk.submit(button=f"Send it again to {NEW}")
    assert outbox.templates(to=NEW)[-1] == outbox.templates(to="pat@example.com")[0]
    clerk.visit(letter)
    assert f"Dealt with by {clerk.email}" in clerk.text
    kinds = database.rows("SELECT kind, actor FROM animal_control.event WHERE actor LIKE 'officer:%' ORDER BY id")
    assert [(row.kind, row.actor) for row in kinds if "mailbox" in row.kind or "message" in row.kind] == [
        ("account.mailbox_asked", f"officer:{clerk.email}"),
        ("message.sent_again", f"officer:{clerk.email}"),
    ]


def test_a_new_mailbox_that_is_not_there_either_is_asked_for_once_more_by_staff(
    clerk, registrations, came_back, outbox
):
    """Pat cannot ask anew on their own page: nothing arrives in the old mailbox, not even a code to sign in."""
    registrations.dog("Pepper")
    came_back()
    clerk.visit("/desk?kind=bounced").click("Letter to pat@example.com came back")
    clerk.click("Give them another e‑mail address").submit(new_email="pat@exmaple.com")
    came_back()
    clerk.visit("/desk?kind=bounced").click("Letter to pat@exmaple.com came back")
    assert "on their own page" not in clerk.text
    assert "Call Pat O’Brien and ask for another e‑mail address" in clerk.text
    clerk.click("their record").click("Another e‑mail address").submit(new_email=NEW)
    assert outbox.templates(to=NEW) == ["mailbox_asked"]


def test_a_letter_goes_out_again_once_and_to_no_other_mailbox(clerk, officer, registrations, came_back, database):
    registrations.dog("Pepper")
    came_back()
    for person in (officer, clerk):
        person.visit("/desk?kind=bounced").click("Letter to pat@example.com came back")
    form = clerk.page.form(button="Send it again to pat@example.com")
    sent = form.filled({}, button="Send it again to pat@example.com") | {"again": "robin@example.com"}
    assert clerk.client.post(clerk.path, data=sent, base_url=clerk.origin).status_code == 409
    officer.submit(button="Send it again to pat@example.com")
    clerk.submit(button="Send it again to pat@example.com", status=409)
    copies = "SELECT count(*) FROM portal.outgoing_message WHERE failed_at IS NULL"
    assert database.value(copies) == 1


def test_phone_and_address_are_corrected_for_them_and_they_are_told(
    clerk, officer, registrations, came_back, outbox, database
):
    registrations.dog("Pepper")
    came_back()
    for person in (officer, clerk):
        person.visit("/desk?kind=bounced").click("Letter to pat@example.com came back")
        person.click("Correct the phone or address of Pat O’Brien")
    clerk.submit(phone="320-555-0177", line1="1400 Utah Ave", mailing_address="PO Box 9\nBenson, MN 56215")
    assert clerk.path.startswith("/desk/bounced/")
    assert "(320) 555-0177" in clerk.text or "320-555-0177" in clerk.text
    assert "PO Box 9" in clerk.text
    officer.submit(phone="320-555-0178", status=409)
    assert database.value("SELECT phone_e164 FROM animal_control.person") == "+13205550177"
    told = outbox.messages(to="pat@example.com")[-2:]
    assert {letter.template for letter in told} == {"record_changed", "moved"}
    assert all(letter.context["by_city"] for letter in told)
    home = "SELECT line1 FROM animal_control.animal JOIN animal_control.premises ON premises.id = animal.premises_id"
    assert database.value(home) == "1400 Utah Ave"
    changes = database.rows("SELECT actor FROM animal_control.event WHERE kind IN ('person.changed', 'person.moved')")
    assert {row.actor for row in changes} == {f"officer:{clerk.email}"}

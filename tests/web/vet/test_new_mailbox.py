"""Whoever files for a clinic and changes their mailbox: what that means for the clinic, and who is told of it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from portal.schema.clinics import Clinic
from portal.services.accounts.change_email import confirm_email_change
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.staff import add_member, follow_mailbox
from tests.support.owing import committed
from tests.web.vet.conftest import VET, join

NEW = "karin.new@clinic.example"
COLLEAGUE = "nils@clinic.example"
CURRENT = "SELECT email FROM portal.clinic_member WHERE until IS NULL ORDER BY email"
ACTORS = "SELECT actor FROM animal_control.event WHERE kind = 'clinic.member_changed'"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
PLACE = "is on the staff of Prairie Vet Clinic"


def links(outbox):
    """What each of the two mailboxes was sent."""
    sent = ((VET, "email_change_old"), (NEW, "email_change_new"))
    return [outbox.messages(to=mailbox, template=template)[-1].context["path"] for mailbox, template in sent]


def somebody_waits(database):
    """Until one transaction waits for another."""
    until = time.monotonic() + 60
    while not database.value(WAITS):
        assert time.monotonic() < until, "nobody waits"
        time.sleep(0.01)


def change_mailbox(vet, arrive, outbox):
    vet.visit("/me/email").submit(new_email=NEW)
    for link in links(outbox):
        arrive().visit(link).submit()


def test_a_member_who_proves_another_mailbox_files_from_that_one(vet, arrive, outbox, database):
    change_mailbox(vet, arrive, outbox)
    assert "Prairie Vet Clinic" in arrive(NEW).sign_in(then="/vet").text
    assert "Prairie Vet Clinic" not in arrive(VET).sign_in(then="/vet").text
    changed = "SELECT count(*) FROM animal_control.event WHERE kind = 'clinic.member_changed'"
    assert database.value(changed) == 1


def test_one_who_filed_from_both_mailboxes_files_from_the_one_that_is_left(
    vet, filings, clinic_id, arrive, outbox, database
):
    join(filings, clinic_id, NEW)
    change_mailbox(vet, arrive, outbox)
    assert [row.email for row in database.rows(CURRENT)] == [NEW]


def test_before_anybody_says_yes_each_page_says_that_the_place_at_the_clinic_goes_along(vet, arrive, outbox, resident):
    """An office’s only mailbox, with which somebody registered a dog of their own."""
    assert PLACE in vet.visit("/me/email").text
    vet.submit(new_email=NEW)
    for link in links(outbox):
        assert PLACE in arrive().visit(link).text
    assert "on the staff of" not in resident.visit("/me/email").text


def test_both_mailboxes_and_all_others_who_file_for_the_clinic_are_told(vet, filings, clinic_id, arrive, outbox):
    join(filings, clinic_id, COLLEAGUE)
    change_mailbox(vet, arrive, outbox)
    for mailbox in (VET, NEW):
        [letter] = outbox.letters(to=mailbox, template="email_changed")
        assert "The new mailbox is on the staff of Prairie Vet Clinic too" in letter.text
        assert outbox.messages(to=mailbox, template="clinic_member_changed") == []
    [told] = outbox.messages(to=COLLEAGUE, template="clinic_member_changed")
    assert (told.context["clinic"], told.context["old_email"], told.context["new_email"]) == (
        "Prairie Vet Clinic",
        VET,
        NEW,
    )
    colleague = arrive(COLLEAGUE).sign_in(then=told.context["path"])
    assert f"Remove {NEW}" in colleague.links


def test_who_files_for_no_clinic_reads_nothing_of_one(resident, arrive, outbox):
    resident.visit("/me/email").submit(new_email="pat.new@example.com")
    for mailbox, template in (("pat@example.com", "email_change_old"), ("pat.new@example.com", "email_change_new")):
        arrive().visit(outbox.messages(to=mailbox, template=template)[-1].context["path"]).submit()
    [letter] = outbox.letters(to="pat@example.com", template="email_changed")
    assert "staff" not in letter.text


def test_the_event_names_the_person_and_not_the_clinic(vet, registrations, arrive, outbox, database):
    person_id = registrations.dog("Pepper", email=VET).person_id
    change_mailbox(vet, arrive, outbox)
    assert [row.actor for row in database.rows(ACTORS)] == [f"keeper:{person_id}"]


@pytest.fixture
def last_yes(vet, arrive, outbox, gateways):
    """The old mailbox has said yes; the new one does."""
    vet.visit("/me/email").submit(new_email=NEW)
    old, new = links(outbox)
    arrive().visit(old).submit()

    def last_yes():
        with committed(gateways.engine) as session:
            return confirm_email_change(session, token=new.rpartition("/")[2], clock=gateways.clock)

    return last_yes


def test_a_mailbox_that_a_colleague_adds_at_the_same_moment_is_on_the_staff_once(
    last_yes, clinic_id, gateways, database
):
    colleague = ClinicStaff(clinic_id, "Prairie Vet Clinic", COLLEAGUE)
    with ThreadPoolExecutor(1) as karin:
        with committed(gateways.engine) as session:
            add_member(session, colleague, email=NEW, clock=gateways.clock)
            said = karin.submit(last_yes)
            somebody_waits(database)
        assert said.result() is True
    assert [row.email for row in database.rows(CURRENT)] == [NEW]


def test_a_colleague_who_adds_it_a_moment_too_late_waits_and_adds_nothing(vet, clinic_id, gateways, database):
    """Neither holds what the other waits for."""
    colleague = ClinicStaff(clinic_id, "Prairie Vet Clinic", COLLEAGUE)

    def adds():
        with committed(gateways.engine) as session:
            add_member(session, colleague, email=NEW, clock=gateways.clock)

    with ThreadPoolExecutor(1) as nils:
        with committed(gateways.engine) as session:
            session.get_one(Clinic, clinic_id, with_for_update=True)
            said = nils.submit(adds)
            somebody_waits(database)
            follow_mailbox(session, old_email=VET, new_email=NEW, actor="keeper", clock=gateways.clock)
        said.result()
    assert [row.email for row in database.rows(CURRENT)] == [NEW]

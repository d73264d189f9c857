"""What does not agree is found on a schedule, lands on the desk once, and goes by itself when it agrees again."""

from datetime import timedelta
from io import BytesIO

import pytest

from portal.gateways.payments.processor import EventKind
from portal.gateways.storage.store import new_key
from portal.services.watching.note_job import note_job
from portal.worker.reconciling import compare, compare_files, fetch_events
from tests.worker.test_catching_up import event, receive
from tests.worker.test_payments import begin, never  # noqa: F401 - somebody is sent to the card page

OPEN = "SELECT kind, subject FROM portal.finding WHERE mended_at IS NULL AND resolved_at IS NULL ORDER BY subject"


@pytest.fixture
def found(database):
    """What is open, by kind and subject."""
    return lambda: [(row.kind, row.subject) for row in database.rows(OPEN)]


@pytest.fixture
def paid(registrations, begin, card_page, app):  # noqa: F811
    """A license paid by card, whose events came."""
    attempt = begin(registrations.dog())
    card_page.pay(attempt.page)
    card_page.deliver(app)
    return attempt


def lose(card_page):
    """What the processor sends does not come."""
    card_page.waiting()
    card_page.webhooks.deliveries.clear()


def state(database):
    return database.value("SELECT state FROM animal_control.payment")


@pytest.mark.parametrize(("deed", "becomes"), [("refund", "refunded"), ("dispute", "disputed")])
def test_what_the_city_did_in_the_dashboard_is_known_although_no_event_came(
    parts, paid, card_page, database, clock, found, deed, becomes
):
    card_page.deed(paid.page, deed)
    lose(card_page)
    fetch_events(parts, never)
    assert state(database) == "paid"  # it may still come by itself
    clock.move_to(clock.now() + timedelta(minutes=11))
    fetch_events(parts, never)
    assert state(database) == becomes
    assert found() == [("events_not_delivered", "processor")]


def test_an_event_that_comes_both_ways_changes_things_once(parts, paid, card_page, database, clock, app):
    card_page.deed(paid.page, "refund", amount="4.00")
    clock.move_to(clock.now() + timedelta(minutes=11))
    fetch_events(parts, never)
    fetch_events(parts, never)
    card_page.deliver(app)
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 400
    told = "SELECT count(*) FROM animal_control.event WHERE kind = 'payment.partly_refunded'"
    assert database.value(told) == 1


def test_events_that_come_by_themselves_again_are_no_finding_any_more(parts, paid, card_page, database, clock, found):
    card_page.deed(paid.page, "dispute")
    lose(card_page)
    clock.move_to(clock.now() + timedelta(minutes=11))
    fetch_events(parts, never)
    assert found() == [("events_not_delivered", "processor")]
    database.run("UPDATE portal.processor_event SET received_at = :at", at=clock.now() - timedelta(hours=25))
    fetch_events(parts, never)
    assert found() == []


def test_only_what_is_new_is_asked_for(parts, gateways, clock, monkeypatch, card_page):
    asked = []
    monkeypatch.setattr(type(card_page.processor), "events_since", lambda _self, moment: asked.append(moment) or [])
    fetch_events(parts, never)
    with parts.transaction() as session:
        note_job(session, name="processor events", every_seconds=900, is_done=True, clock=clock)
    clock.move_to(clock.now() + timedelta(hours=5))
    fetch_events(parts, never)
    first, second = asked
    assert clock.now() - first == timedelta(days=29, hours=28)
    assert clock.now() - second == timedelta(hours=29)


def test_a_license_that_is_paid_and_proved_and_does_not_issue_is_found_once_and_mended(
    parts, registrations, database, found
):
    dog = registrations.dog()
    registrations.pay(dog)
    database.run("CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$")
    database.run("CREATE TRIGGER fails BEFORE INSERT ON animal_control.tag EXECUTE FUNCTION public.fail()")
    database.run("UPDATE animal_control.vaccination SET state = 'accepted', decided_at = now()")
    try:
        compare(parts, never)
        compare(parts, never)
        assert found() == [("paid_not_issued", str(dog.license_id))]
    finally:
        database.run("DROP TRIGGER fails ON animal_control.tag")
        database.run("DROP FUNCTION public.fail()")
    compare(parts, never)
    assert found() == []
    assert database.value("SELECT state FROM animal_control.license") == "issued"


def test_messages_nobody_takes_and_events_that_wait_are_found(parts, gateways, queue, database, clock, found):
    receive(gateways, event(EventKind.DISPUTED, id="evt_late", charge_reference="pi_unknown"))
    receive(gateways, event(EventKind.DISPUTED, id="evt_new", charge_reference="pi_unknown"))
    dated = "UPDATE portal.processor_event SET received_at = :at WHERE id = :id"
    database.run(dated, id="evt_late", at=clock.now() - timedelta(hours=25))
    database.run(dated, id="evt_new", at=clock.now() - timedelta(hours=20))
    for number in range(3):
        queue(f"gavin{number}@example.com")
    compare(parts, never)
    assert found() == [("event_waits", "evt_late")]
    clock.move_to(clock.now() + timedelta(minutes=61))
    compare(parts, never)
    assert found() == [("messages_stuck", "email"), ("event_waits", "evt_late")]
    assert database.value("SELECT facts->'count' FROM portal.finding WHERE kind = 'messages_stuck'") == 3


def test_a_row_without_its_file_and_files_nobody_knows_are_found(parts, registrations, database, files, clock, found):
    registrations.dog()
    key = database.value("SELECT key FROM animal_control.document_page")
    compare_files(parts, never)
    assert found() == []
    content = files.files.pop(key)
    stray = new_key("elsewhere")
    files.put(stray, BytesIO(b"?"))
    files.modified[stray] = clock.now() - timedelta(days=2)
    compare_files(parts, never)
    assert found() == [("missing_file", key), ("unknown_files", "elsewhere")]
    files.files[key] = content
    files.delete(stray)
    compare_files(parts, lambda: True)
    assert len(found()) == 2, "a round that was cut off mends nothing"
    compare_files(parts, never)
    assert found() == []


def test_what_staff_dealt_with_stays_so_while_it_lasts_and_is_new_when_it_comes_back(
    parts, registrations, database, files, found
):
    registrations.dog()
    key = database.value("SELECT key FROM animal_control.document_page")
    content = files.files.pop(key)
    compare_files(parts, never)
    database.run("UPDATE portal.finding SET resolved_at = now(), resolved_by = 'a', reason = 'asked for it again'")
    compare_files(parts, never)
    assert found() == []
    files.files[key] = content
    compare_files(parts, never)
    files.files.pop(key)
    compare_files(parts, never)
    assert found() == [("missing_file", key)]
    assert database.value("SELECT reason FROM portal.finding") is None
    assert database.value("SELECT count(*) FROM portal.finding") == 1

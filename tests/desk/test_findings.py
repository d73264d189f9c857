"""What does not agree at the desk: what it is, what to do about it, and why it may stay."""

import pytest
from sqlalchemy.orm import Session

from portal.gateways.database.connections import connect
from portal.schema.operating import FindingKind
from portal.schema.roles import WORKER
from portal.services.desk.findings import WHAT_TO_DO, WORDS
from portal.services.watching.findings import Found, note_found, note_mended


@pytest.fixture
def worker_engine(database):
    """Connections as the worker has them."""
    engine = connect(database.url, role=WORKER, pool_size=1)
    yield engine
    engine.dispose()


@pytest.fixture
def note(worker_engine, clock):
    """The worker finds something."""

    def note(found_kind, subject, **facts):
        with Session(worker_engine) as session, session.begin():
            note_found(session, found_kind, Found(subject, clock.now(), facts))

    return note


@pytest.fixture
def missing(registrations, database, note):
    """A page of a certificate whose file is gone."""
    registrations.dog("Rex")
    key = database.value("SELECT key FROM animal_control.document_page")
    note(FindingKind.MISSING_FILE, key)
    return key


def test_it_is_in_the_queue_and_says_what_to_do_and_of_which_dog(clerk, missing):
    clerk.visit("/desk").click("A file is missing")
    assert missing in clerk.text
    assert "Rex" in clerk.text
    assert "Restore it from a backup" in clerk.text


def test_an_event_that_waits_says_what_it_tells_and_nothing_that_is_not_so_yet(clerk, note):
    note(FindingKind.EVENT_WAITS, "evt_late", kind="disputed")
    clerk.visit("/desk").click("The card processor tells of something the portal does not know")
    assert "A payment is disputed" in clerk.text
    assert "evt_late" in clerk.text
    for not_yet in ("Not given", "Dealt with by", "Because"):
        assert not_yet not in clerk.text


def test_it_is_dealt_with_for_a_reason_that_is_kept(clerk, missing, database):
    clerk.visit("/desk").click("A file is missing")
    clerk.submit(button="It is dealt with", status=422)
    assert clerk.errors == ["Say what was done about it"]
    clerk.submit(reason="Their clinic filed it again.", button="It is dealt with")
    assert "A file is missing" not in clerk.visit("/desk").links
    [kept] = database.rows("SELECT resolved_by, reason FROM portal.finding")
    assert (kept.resolved_by, kept.reason) == (clerk.email, "Their clinic filed it again.")
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'finding.resolved'") == 1


def test_what_was_mended_meanwhile_is_not_decided(clerk, missing, worker_engine, clock):
    clerk.visit("/desk").click("A file is missing")
    with Session(worker_engine) as session, session.begin():
        note_mended(session, FindingKind.MISSING_FILE, still=[], clock=clock)
    clerk.submit(reason="Looked at it.", button="It is dealt with", status=409)
    assert "Agrees again since" in clerk.text


def test_finding_it_again_does_not_disturb_whoever_reads_it(clerk, missing, note):
    clerk.visit("/desk").click("A file is missing")
    note(FindingKind.MISSING_FILE, missing)
    clerk.submit(reason="Looked at it.", button="It is dealt with")


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_its_words_and_a_page(clerk, note, database, kind):
    subject = "00000000-0000-4000-8000-000000000000" if kind is FindingKind.PAID_NOT_ISSUED else "one"
    note(kind, subject, count=1_200)
    clerk.visit("/desk").click(WORDS[kind])
    assert WHAT_TO_DO[kind] in clerk.text
    assert "1,200" in clerk.text

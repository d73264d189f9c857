"""The queue: what waits of every kind, what is due first of all, and few statements for it."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.services.desk.certificates import CERTIFICATES
from portal.services.desk.fee_questions import FEE_QUESTIONS
from portal.services.desk.findings import FINDINGS
from portal.services.desk.hearings import HEARINGS
from portal.services.desk.queue import SHOWN_OF_ALL, in_order, look, place_in_queue
from portal.services.desk.reports import REPORTS

QUESTIONS = """
    INSERT INTO animal_control.fee_question (fee, text, created_at)
    SELECT 'license', n::text, CAST(:now AS timestamptz) - n * interval '1 hour'
    FROM generate_series(CAST(:first AS int), CAST(:last AS int)) n
"""
FOUND = """
    INSERT INTO portal.finding (kind, subject, since)
    SELECT 'missing_file', n::text, CAST(:now AS timestamptz) - n * interval '1 hour'
    FROM generate_series(CAST(:first AS int), CAST(:last AS int)) n
"""
# Asked for one a day; every third was held and is to be decided, every other third was upheld a day later.
HEARD = """
    INSERT INTO animal_control.hearing_request
        (reference, kind, dog, name, signed_name, asked_at, hold_by, held_on, decide_by, outcome, decided_on)
    SELECT n::text, 'dangerous', 'Pepper', 'Pat', 'Pat', day, day + 14, CASE WHEN n % 3 > 0 THEN day + 13 END,
           CASE WHEN n % 3 > 0 THEN day + 23 END, CASE WHEN n % 3 = 2 THEN 'upheld' END,
           CASE WHEN n % 3 = 2 THEN day + 14 END
    FROM generate_series(1, 30) n, LATERAL (SELECT DATE '2026-10-01' + n) of (day)
"""
# Of each twelve one is a bite, and one more a bite whose reporter was asked.
REPORTED = """
    INSERT INTO animal_control.report
        (reference, kind, state, place_text, place_key, animal_description, whose_text, narrative, created_at)
    SELECT n::text, CASE WHEN n % 12 < 2 THEN 'bite' ELSE 'barking' END,
           CASE WHEN n % 12 = 1 THEN 'waiting' ELSE 'received' END, n || ' Idaho Ave', n || ' idaho ave', '', '', '',
           CAST(:now AS timestamptz) - n * interval '1 hour'
    FROM generate_series(1, 40) n
"""
TAKEN_BACK = """
    UPDATE animal_control.clinic_filing SET state = 'withdrawn', vaccination_id = :vaccination, decided_at = :taken
    WHERE id = :filing
"""
CAME = """
    UPDATE animal_control.vaccination
    SET state = 'accepted', needs_review = true, created_at = :came, decided_at = :came, decided_by = 'clinic'
    WHERE id = :vaccination
"""


def first_of(queue, desk_engine, gateways, clock, limit=10):
    with Session(desk_engine) as session:
        found = queue.find(session, city=gateways.city, clock=clock, limit=limit)
    return [line.item_id for line in found]


def in_their_order(queue, desk_engine, gateways, clock):
    """All of a kind, in the order of the queue."""
    with Session(desk_engine) as session:
        found = queue.find(session, city=gateways.city, clock=clock, limit=1_000)
    return [line.item_id for line in sorted(found, key=place_in_queue)]


def test_every_count_comes_with_one_statement_and_kinds_without_items_cost_none(officer, database, queries, clock):
    officer.visit("/desk")
    with queries() as of_none:
        officer.visit("/desk")
    database.run(QUESTIONS, now=clock.now(), first=1, last=70)
    with queries() as of_one:
        officer.visit("/desk")
    assert "Questions about fees 70" in officer.links
    assert "These are the 25 that are due first, of 70." in officer.text
    database.run(FOUND, now=clock.now(), first=1, last=5)
    with queries() as of_two:
        officer.visit("/desk")
    # One for the kind, and one again for that of which much is due.
    assert (len(of_one) - len(of_none), len(of_two) - len(of_none)) == (2, 3)
    with queries() as of_a_kind:
        officer.visit("/desk?kind=finding")
    assert len(of_a_kind) == len(of_none) + 1
    assert "What does not agree 5" in officer.links
    assert "Questions about fees 70" in officer.links


@pytest.mark.parametrize(
    ("questions", "found"),
    [
        pytest.param((1, 70), (71, 140), id="all of one kind before all of the other"),
        pytest.param((1, 70), (30, 100), id="some of each, and more than is looked at first"),
        pytest.param((1, 9), (200, 300), id="one kind has few"),
        pytest.param((1, 12), (1, 12), id="both together are less than a page"),
    ],
)
def test_what_is_due_first_is_what_all_of_it_in_order_begins_with(
    database, desk_engine, gateways, clock, questions, found
):
    for rows, (first, last) in ((QUESTIONS, questions), (FOUND, found)):
        database.run(rows, now=clock.now(), first=first, last=last)
    about = {"city": gateways.city, "clock": clock}
    with Session(desk_engine) as session:
        looked = in_order(look(session, [FEE_QUESTIONS, FINDINGS], **about))[:SHOWN_OF_ALL]
        everything = [line for queue in (FEE_QUESTIONS, FINDINGS) for line in queue.find(session, **about, limit=1_000)]
    everything.sort(key=lambda line: (line.due_on, line.since))
    assert [line.item_id for _, line in looked] == [line.item_id for line in everything[:SHOWN_OF_ALL]]


def test_the_first_hearings_are_those_that_are_due_first(database, desk_engine, gateways, clock):
    database.run(HEARD)
    about = {"city": gateways.city, "clock": clock}
    with Session(desk_engine) as session:
        first = HEARINGS.find(session, **about, limit=10)
        everything = HEARINGS.find(session, **about, limit=1_000)
    everything = sorted(everything, key=lambda line: (line.due_on, line.since))
    assert [line.item_id for line in first] == [line.item_id for line in everything[:10]]


def test_the_first_reports_are_those_that_are_due_first(database, desk_engine, gateways, clock):
    """A bite whose reporter was asked is due sooner than barking that came before it."""
    database.run(REPORTED, now=clock.now())
    assert first_of(REPORTS, desk_engine, gateways, clock) == in_their_order(REPORTS, desk_engine, gateways, clock)[:10]


def test_the_first_certificates_are_those_that_are_due_first(
    registrations, filings, database, desk_engine, gateways, clock
):
    """The clinic took back first what it filed last."""
    dogs = [registrations.animal(f"Dog {number}") for number in range(12)]
    filed = registrations.dogs(dogs)
    clinic = filings.clinic()
    for number, dog in enumerate(filed):
        filing = filings.file(clinic, animal_name=dog.name, key=str(number))
        came, taken = clock.now() - timedelta(days=number), clock.now() + timedelta(days=number)
        database.run(TAKEN_BACK, filing=filing, vaccination=dog.vaccination_id, taken=taken)
        database.run(CAME, vaccination=dog.vaccination_id, came=came)
    found = first_of(CERTIFICATES, desk_engine, gateways, clock)
    assert found == [dog.vaccination_id for dog in reversed(filed)][:10]
    assert found == in_their_order(CERTIFICATES, desk_engine, gateways, clock)[:10]

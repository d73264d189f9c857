"""Licenses are issued once, each under its own number, whoever comes first (case C1, P3)."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind
from portal.schema.licenses import License, LicenseCounter, LicenseState, Tag
from portal.services.certificates.decide_certificate import accept_certificate
from portal.services.licensing.issue_license import issue_ready
from tests.support.owing import CITY, accept_all, committed, letters, license_numbers, owe, take_at_counter

ROUNDS = 50


def at_once(*deeds):
    """All of them at the same moment; what any of them raises is raised here."""
    start = Barrier(len(deeds))

    def run(deed):
        start.wait()
        return deed()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return [future.result() for future in [pool.submit(run, deed) for deed in deeds]]


def test_ten_licenses_issued_at_the_same_moment_get_ten_numbers(desk):
    people = [owe(desk.engine, clock=desk.clock, accepted=True) for _ in range(10)]
    at_once(*(lambda owed=owed: take_at_counter(desk.engine, owed, clock=desk.clock) for owed in people))
    numbers = [number for owed in people for number in license_numbers(desk.engine, owed)]
    assert sorted(numbers) == list(range(1, 11))
    with Session(desk.engine) as session:
        assert sorted(session.scalars(select(Tag.number))) == list(range(1, 11))


def test_numbers_begin_anew_with_each_year(desk):
    for year in (2026, 2027, 2027):
        owed = owe(desk.engine, clock=desk.clock, year=year, accepted=True)
        take_at_counter(desk.engine, owed, clock=desk.clock)
    with Session(desk.engine) as session:
        counted = session.execute(select(LicenseCounter.year, LicenseCounter.last_number).order_by(LicenseCounter.year))
        assert [tuple(row) for row in counted] == [(2026, 1), (2027, 2)]


def test_a_payment_and_an_acceptance_at_the_same_moment_issue_exactly_once(desk):
    """Both ways round, fifty times, on two dogs of one order whose certificates two officers accept."""
    for turn in range(ROUNDS):
        owed = owe(desk.engine, "Pepper", "Rex", clock=desk.clock)
        attempt = desk.begin(owed)
        paid = desk.event(EventKind.PAID, attempt.payment_id, amount_cents=2000)
        deeds = [lambda paid=paid: desk.tell(paid)]
        deeds += [lambda key=key: accept(desk, key) for key in owed.vaccination_ids]
        at_once(*(deeds if turn % 2 else reversed(deeds)))
        assert None not in license_numbers(desk.engine, owed)
        assert letters(desk.engine, owed, "license_issued") == 2
    with Session(desk.engine) as session:
        assert sorted(session.scalars(select(Tag.number))) == list(range(1, 2 * ROUNDS + 1))
        issued = select(func.count()).where(License.state == LicenseState.ISSUED)
        assert session.scalars(issued).one() == 2 * ROUNDS


def accept(desk, vaccination_id):
    with committed(desk.engine) as session:
        accept_certificate(
            session, vaccination_id=vaccination_id, officer="o@benson.example", city=CITY, clock=desk.clock
        )


@pytest.mark.parametrize("is_paid_first", [True, False], ids=["paid, then accepted", "accepted, then paid"])
def test_only_both_payment_and_certificate_issue_a_license(desk, is_paid_first):
    """90.04(B)(3), (B)(5)"""
    owed = owe(desk.engine, clock=desk.clock)
    deeds = [
        lambda: take_at_counter(desk.engine, owed, clock=desk.clock),
        lambda: accept_all(desk.engine, owed, clock=desk.clock),
    ]
    first, second = deeds if is_paid_first else reversed(deeds)
    first()
    assert license_numbers(desk.engine, owed) == [None]
    second()
    assert license_numbers(desk.engine, owed) == [1]


def test_issuing_again_gives_no_second_number(desk):
    owed = owe(desk.engine, clock=desk.clock, accepted=True)
    take_at_counter(desk.engine, owed, clock=desk.clock)
    with committed(desk.engine) as session:
        assert issue_ready(session, owed.license_ids, clock=desk.clock) == []
    assert license_numbers(desk.engine, owed) == [1]


def test_a_license_that_was_not_committed_uses_up_no_number(desk):
    lost, kept = (owe(desk.engine, clock=desk.clock) for _ in range(2))
    take_at_counter(desk.engine, lost, clock=desk.clock)
    with Session(desk.engine) as session:
        accept_certificate(
            session, vaccination_id=lost.vaccination_ids[0], officer="o@benson.example", city=CITY, clock=desk.clock
        )
        assert session.get_one(License, lost.license_ids[0]).number == 1
        session.rollback()
    take_at_counter(desk.engine, kept, clock=desk.clock)
    accept_all(desk.engine, kept, clock=desk.clock)
    assert license_numbers(desk.engine, kept) == [1]


def test_a_license_issued_within_its_year_begins_on_that_day(desk):
    owed = owe(desk.engine, clock=desk.clock, year=2026, accepted=True)
    take_at_counter(desk.engine, owed, clock=desk.clock)
    with Session(desk.engine) as session:
        license_ = session.get_one(License, owed.license_ids[0])
        assert (license_.valid_from.isoformat(), license_.valid_until.isoformat()) == ("2026-11-30", "2026-12-31")


def test_a_certificate_accepted_long_ago_does_not_prove_a_vaccination_that_has_lapsed(desk):
    """90.04(B)(3): the dog is vaccinated on the day the license is issued; three years are over by then."""
    owed = owe(desk.engine, clock=desk.clock, accepted=True)
    desk.clock.move_to(desk.clock.at.replace(year=desk.clock.at.year + 4))
    take_at_counter(desk.engine, owed, clock=desk.clock)
    assert license_numbers(desk.engine, owed) == [None]

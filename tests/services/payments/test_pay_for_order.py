"""What an order costs and how it may be paid (90.04(B)(4), 90.18; examples 37, 38; case P7)."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind
from portal.ordinance.licensing import Situation
from portal.schema.animals import Sex
from portal.schema.licenses import License
from portal.schema.orders import OrderLine
from portal.schema.people import Person, PersonKind, Premises, PremisesKind
from portal.services.draft_answers import AnimalAnswers
from portal.services.orders.open_order import open_order
from portal.services.orders.standing import order_of
from portal.services.payments.pay_at_counter import choose_counter, take_counter_payment
from portal.services.payments.pay_by_card import PAGE_LASTS, give_up_attempt
from portal.services.refusal import NotTheirs, Refused
from portal.services.registering.register_animal import register_animal
from tests.support.owing import committed, order_state, owe, payment_states, take_at_counter
from tests.support.paying import CITY

TEN_TO_MIDNIGHT = datetime(2027, 1, 1, 5, 50, tzinfo=UTC)  # 31 December 2026, 23:50 in Chicago
OLD = replace(CITY.fees[0], effective_from=date(2026, 1, 1), resolution="Resolution 2025-9", license_cents=1000)
NEW = replace(CITY.fees[0], effective_from=date(2027, 1, 1), resolution="Resolution 2026-14", license_cents=1200)


def quoted(desk, *, year):
    """Someone applies now for a year; the order's key and its keeper's."""
    city = replace(CITY, fees=(OLD, NEW))
    with committed(desk.engine) as session:
        home = Premises(kind=PremisesKind.STREET, line1="W1234 Hwy 12", city="Benson", state="MN", postal_code="56215")
        session.add(home)
        session.flush()
        person = Person(kind=PersonKind.PERSON, name="Null", home_premises_id=home.id)
        session.add(person)
        session.flush()
        answers = AnimalAnswers(
            id=uuid4(), situation=Situation.RESIDENT_DOG, name="Rex", sex=Sex.MALE, license_year=year
        )
        charge = register_animal(session, answers, person=person, account_id=uuid4(), city=city, clock=desk.clock)
        return open_order(session, person=person, charges=[charge], actor="test", clock=desk.clock).id


def lines_of(desk, order_id):
    with Session(desk.engine) as session:
        lines = select(OrderLine).where(OrderLine.order_id == order_id)
        return [(line.description, line.amount_cents, line.resolution) for line in session.scalars(lines)]


@pytest.mark.parametrize("year", [2026, 2027])
def test_quoted_before_midnight_and_paid_after_it_costs_what_was_quoted_for_the_year_chosen(desk, year):
    """Example 37"""
    desk.clock.move_to(TEN_TO_MIDNIGHT)
    order_id = quoted(desk, year=year)
    desk.clock.move_to(TEN_TO_MIDNIGHT + timedelta(minutes=20))
    with committed(desk.engine) as session:
        reference = order_of(session, person_id=person_of(session, order_id), order_id=order_id).order.reference
        take_counter_payment(session, reference=reference, officer="desk@benson.example", clock=desk.clock)
    assert lines_of(desk, order_id) == [(f"Dog license {year}: Rex", 1000, "Resolution 2025-9")]
    with Session(desk.engine) as session:
        assert session.scalars(select(License.year)).all() == [year]


def test_from_the_first_of_january_the_new_resolution_is_quoted(desk):
    """Example 38"""
    desk.clock.move_to(TEN_TO_MIDNIGHT)
    old = quoted(desk, year=2027)
    desk.clock.move_to(TEN_TO_MIDNIGHT + timedelta(minutes=10))
    new = quoted(desk, year=2027)
    assert lines_of(desk, old) == [("Dog license 2027: Rex", 1000, "Resolution 2025-9")]
    assert lines_of(desk, new) == [("Dog license 2027: Rex", 1200, "Resolution 2026-14")]


def person_of(session, order_id):
    return session.scalars(select(Person.id)).one()


def test_the_processor_is_asked_for_each_line_as_quoted(desk):
    owed = owe(desk.engine, "Pepper", "Rex", clock=desk.clock)
    request = desk.begin(owed).request
    assert sorted((line.description, line.amount_cents) for line in request.lines) == [
        ("Dog license 2027: Pepper", 1000),
        ("Dog license 2027: Rex", 1000),
    ]
    assert request.return_url == f"http://localhost:8000/pay/{owed.order_id}/return"
    assert request.expires_at == desk.clock.now() + PAGE_LASTS


def test_asked_again_the_processor_is_asked_the_same(desk):
    owed = owe(desk.engine, "Pepper", "Rex", clock=desk.clock)
    first = desk.begin(owed)
    desk.clock.move_to(desk.clock.now() + timedelta(minutes=5))
    assert desk.begin(owed) == first


@pytest.mark.parametrize(
    ("is_open", "after", "is_same"),
    [
        pytest.param(True, timedelta(hours=1, minutes=59), True, id="a page is used to its end"),
        pytest.param(True, PAGE_LASTS, False, id="and no longer"),
        pytest.param(False, timedelta(hours=1, minutes=28), True, id="one still to open needs its half hour"),
        pytest.param(False, timedelta(hours=1, minutes=29), False, id="or another is made"),
    ],
)
def test_an_attempt_is_continued_as_long_as_its_page_can_be_open(desk, is_open, after, is_same):
    owed = owe(desk.engine, clock=desk.clock)
    first = desk.begin(owed)
    if is_open:
        desk.open_page(first)
    desk.clock.move_to(desk.clock.now() + after)
    assert (desk.begin(owed).payment_id == first.payment_id) is is_same
    assert payment_states(desk.engine, owed.order_id).count("pending") == 1


def test_an_attempt_that_was_refused_is_followed_by_another(desk):
    owed = owe(desk.engine, clock=desk.clock)
    first = desk.begin(owed)
    with committed(desk.engine) as session:
        give_up_attempt(session, payment_id=first.payment_id)
    assert desk.begin(owed).payment_id != first.payment_id
    assert sorted(payment_states(desk.engine, owed.order_id)) == ["failed", "pending"]


def test_giving_up_never_touches_a_page_that_opened_meanwhile(desk):
    owed = owe(desk.engine, clock=desk.clock)
    first = desk.begin(owed)
    desk.open_page(first)
    with committed(desk.engine) as session:
        give_up_attempt(session, payment_id=first.payment_id)
    assert payment_states(desk.engine, owed.order_id) == ["pending"]


def test_another_person_cannot_begin_to_pay_or_choose_the_counter(desk):
    mine, theirs = owe(desk.engine, clock=desk.clock), owe(desk.engine, clock=desk.clock)
    with pytest.raises(NotTheirs):
        desk.begin(replace(theirs, person_id=mine.person_id))
    with pytest.raises(NotTheirs), committed(desk.engine) as session:
        choose_counter(session, order_id=theirs.order_id, person_id=mine.person_id, clock=desk.clock)


def test_nothing_due_never_goes_to_the_processor(desk):
    """P7"""
    owed = owe(desk.engine, clock=desk.clock, cents=0)
    assert (order_state(desk.engine, owed.order_id), payment_states(desk.engine, owed.order_id)) == ("paid", ["paid"])
    with pytest.raises(Refused):
        desk.begin(owed)


def test_the_counter_takes_the_money_once_by_a_reference_however_it_is_typed(desk):
    owed = owe(desk.engine, clock=desk.clock)
    with committed(desk.engine) as session:
        reference = order_of(session, person_id=owed.person_id, order_id=owed.order_id).order.reference
    typed = reference.lower().replace("-", " ")
    with committed(desk.engine) as session:
        take_counter_payment(session, reference=typed, officer="desk@benson.example", clock=desk.clock)
    with pytest.raises(Refused, match="paid already"):
        take_at_counter(desk.engine, owed, clock=desk.clock)
    with pytest.raises(NotTheirs), committed(desk.engine) as session:
        take_counter_payment(session, reference="0000-0000", officer="desk@benson.example", clock=desk.clock)
    assert payment_states(desk.engine, owed.order_id) == ["paid"]


def test_a_bank_debit_on_its_way_is_not_paid_a_second_time_by_card(desk):
    owed = owe(desk.engine, clock=desk.clock)
    attempt = desk.begin(owed)
    desk.tell(desk.event(EventKind.UNPAID, attempt.payment_id))
    with pytest.raises(Refused, match="on its way"):
        desk.begin(owed)

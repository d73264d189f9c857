"""T20: a waiver is confirmed and nothing is due, or declined and the fee is (90.04(C))."""

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.licensing import Situation
from portal.services.licensing.decide_waiver import confirm_waiver, decline_waiver, waivers_waiting
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.services.refusal import NotTheirs, Refused

OFFICER = "officer@benson.example"
LICENSE = "SELECT state, number, waiver_state, basis FROM animal_control.license"
OPEN_ORDER = "SELECT reference, total_cents, id FROM animal_control.fee_order WHERE state = 'open'"


@pytest.fixture
def assistance_dog(registrations):
    return registrations.dog("Biscuit", situation=Situation.ASSISTANCE_DOG)


@pytest.fixture
def at_the_desk(desk_engine, gateways):
    """Call a service as the desk does, in the desk's own role."""

    def call(deed, **arguments):
        with Session(desk_engine) as session, session.begin():
            deed(session, officer=OFFICER, clock=gateways.clock, **arguments)

    return call


def confirm(at_the_desk, dog):
    at_the_desk(confirm_waiver, license_id=dog.license_id)


def decline(at_the_desk, dog, gateways, reason="Please call us about the training."):
    at_the_desk(decline_waiver, license_id=dog.license_id, reason=reason, city=gateways.city)


def license_of(database):
    (row,) = database.rows(LICENSE)
    return row.state, row.number, row.waiver_state


def test_a_claimed_waiver_waits_for_the_officer_even_when_the_certificate_is_accepted(
    registrations, assistance_dog, database, desk_engine
):
    registrations.accept(assistance_dog)
    assert license_of(database) == ("applied", None, "claimed")
    with Session(desk_engine) as session:
        assert [animal.name for _, animal in waivers_waiting(session)] == ["Biscuit"]


def test_confirmed_before_or_after_the_certificate_the_license_issues_once(
    registrations, assistance_dog, database, at_the_desk, outbox, desk_engine
):
    confirm(at_the_desk, assistance_dog)
    assert license_of(database) == ("applied", None, "confirmed")
    registrations.accept(assistance_dog)
    assert license_of(database) == ("issued", 1, "confirmed")
    assert outbox.templates().count("license_issued") == 1
    with Session(desk_engine) as session:
        assert waivers_waiting(session) == []


def test_declined_the_fee_is_due_and_the_keeper_is_told_where_to_pay(
    assistance_dog, database, at_the_desk, gateways, outbox
):
    decline(at_the_desk, assistance_dog, gateways)
    (order,) = database.rows(OPEN_ORDER)
    (letter,) = outbox.letters(template="waiver_declined")
    assert order.total_cents == 1000
    assert "Please call us about the training." in letter.text
    assert f"/pay/{order.id}" in letter.text
    assert order.reference in letter.text
    assert "$10.00" in letter.text


def test_declined_the_license_issues_once_the_fee_is_paid_and_not_before(
    registrations, assistance_dog, database, at_the_desk, gateways
):
    """The order of $0.00 it was applied for with is paid, and does not count."""
    decline(at_the_desk, assistance_dog, gateways)
    registrations.accept(assistance_dog)
    assert license_of(database) == ("applied", None, "declined")
    (order,) = database.rows(OPEN_ORDER)
    at_the_desk(take_counter_payment, reference=order.reference)
    assert license_of(database) == ("issued", 1, "declined")


def test_what_is_decided_is_not_decided_again(assistance_dog, at_the_desk, gateways, database):
    confirm(at_the_desk, assistance_dog)
    with pytest.raises(Refused, match="decided already: it is confirmed"):
        decline(at_the_desk, assistance_dog, gateways)
    assert database.rows(OPEN_ORDER) == []


def test_declining_says_why_and_a_license_with_a_fee_has_no_waiver(
    registrations, assistance_dog, at_the_desk, gateways, database
):
    with pytest.raises(Refused, match="Say why"):
        decline(at_the_desk, assistance_dog, gateways, reason="  ")
    with pytest.raises(Refused, match="No waiver is claimed"):
        confirm(at_the_desk, registrations.dog("Rex", email="gavin@example.com"))
    with pytest.raises(NotTheirs):
        at_the_desk(confirm_waiver, license_id=assistance_dog.animal_id)
    assert {row.waiver_state for row in database.rows(LICENSE)} == {"claimed", None}

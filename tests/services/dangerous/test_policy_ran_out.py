"""A policy counts through its last day; from the next on its owner is asked for another (90.13(H)(5), 347.51)."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from portal.ordinance.dangerous import Requirement, RowState
from portal.schema.dangerous_requirements import Decision
from portal.services.dangerous.certify_dangerous_dog import years_ready
from portal.services.refusal import Refused
from tests.support.dangerous import POLICY
from tests.support.portal import CHICAGO


@pytest.fixture
def day(clock):
    """It is noon of another day: `day(7, 1)` of 2027."""
    return lambda month, day, year=2027: clock.move_to(datetime(year, month, day, 12, tzinfo=CHICAGO))


@pytest.fixture
def pepper(registrations, dangerous, day):
    """Everything is accepted; its license stays so, which is another matter. The policy ends on June 30."""
    day(11, 12, year=2026)
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    dangerous.decide(pepper, Requirement.LICENSE, Decision.WAIVED, reason="Licensed at the counter.")
    return pepper


def test_on_the_day_after_the_policy_ended_the_list_asks_for_the_next(dangerous, pepper, day):
    dangerous.certify(pepper)
    day(6, 30)
    assert dangerous.row(pepper, Requirement.INSURANCE).state is RowState.ACCEPTED
    assert dangerous.row(pepper, Requirement.INSURANCE).ran_out_on is None
    day(7, 1)
    assert Requirement.INSURANCE in [row.requirement for row in dangerous.seen(pepper).open_rows]
    assert dangerous.row(pepper, Requirement.INSURANCE).ran_out_on == date(2027, 6, 30)


def test_no_certificate_is_issued_on_a_policy_that_ran_out_and_one_is_on_the_next(dangerous, pepper, day, gateways):
    day(7, 1)
    assert dangerous.at_desk(years_ready, city=gateways.city) == []
    with pytest.raises(Refused, match="surety bond or liability insurance"):
        dangerous.certify(pepper)
    dangerous.send(pepper, Requirement.INSURANCE, replace(POLICY, last_day=date(2028, 6, 30)))
    dangerous.decide(pepper, Requirement.INSURANCE)
    assert len(dangerous.at_desk(years_ready, city=gateways.city)) == 1
    dangerous.certify(pepper)
    assert dangerous.seen(pepper).year.certificate_until == date(2027, 11, 11)


def test_an_officer_who_waived_insurance_asks_for_no_other_policy(dangerous, pepper, day):
    dangerous.decide(pepper, Requirement.INSURANCE, Decision.REOPENED, reason="To look again.")
    dangerous.decide(pepper, Requirement.INSURANCE, Decision.WAIVED, reason="The city insures it.")
    day(7, 1)
    assert dangerous.row(pepper, Requirement.INSURANCE).state is RowState.WAIVED

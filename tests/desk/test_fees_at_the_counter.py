"""Where the council has set two fees and a late one, the counter names each before the clerk presses (90.18)."""

from dataclasses import replace
from datetime import date

import pytest

from portal.desk_app import create_desk
from portal.ordinance.fees import LateFee, LicenseTiers
from portal.schema.staff import StaffRole
from portal.settings import Desk
from tests.support.desk import CLERK
from tests.support.registrations import CERTIFICATE


@pytest.fixture
def desk_app(settings, desk_gateways, desk_listener, finish, gateways, page_checker):
    """The desk of a city with other fees."""
    [fees] = gateways.city.fees
    others = (replace(fees, tiers=LicenseTiers(1200, 2400), late=LateFee(700, 30), duplicate_tag_cents=0),)
    changed = replace(desk_gateways, city=replace(gateways.city, fees=others), clock=gateways.clock)
    yield finish(create_desk(replace(settings, desk=Desk.ALONE), gateways=changed))
    page_checker.check_rest()


def test_each_dog_has_its_own_fee_and_the_late_one_is_said(working, registrations, clock):
    pepper = registrations.licensed("Pepper", is_altered=True)
    registrations.licensed("Rex", is_altered=False)
    registrations.dog("Zoe", wants_license=False, license_year=None)
    clock.move_to(clock.at.replace(year=2027, month=3, day=1))
    clerk = working(CLERK, StaffRole.CLERK)
    clerk.visit(f"/desk/people/{pepper.person_id}/renew")
    for told in ("Pepper$12.00 for the license year, whole or part", "Rex$24.00 for the license year, whole or part"):
        assert told in clerk.text
    assert "For 2027 a late fee of $7.00 comes on top for Pepper." in clerk.text
    assert "For 2027 a late fee of $7.00 comes on top for Rex." in clerk.text
    assert "comes on top for Zoe" not in clerk.text, "it had no license before"


@pytest.mark.parametrize(("day", "is_late"), [(15, False), (16, True)])
def test_a_young_dog_is_late_from_the_day_it_needed_a_license(working, registrations, clock, day, is_late):
    """90.04(B)(1): born July 15, it needed one from January 16; late is more than 30 days after that."""
    given = replace(CERTIFICATE, given_on=date(2026, 11, 15), due_on=date(2027, 11, 15))
    pup = registrations.licensed("Pip", born_on=date(2026, 7, 15), certificate=given)
    clock.move_to(clock.at.replace(year=2027, month=2, day=day))
    clerk = working(CLERK, StaffRole.CLERK).visit(f"/desk/people/{pup.person_id}/renew")
    assert ("comes on top for Pip" in clerk.text) is is_late
    clerk.submit()
    assert ("Late fee 2027: Pip" in clerk.text) is is_late, "what was named is what is charged"


def test_a_tag_that_costs_nothing_is_issued_at_once_and_the_feed_names_who_wrote_it_down(
    working, registrations, database
):
    pepper = registrations.licensed("Pepper")
    database.run("UPDATE animal_control.tag SET state = 'sent', sent_at = now()")
    clerk = working(CLERK, StaffRole.CLERK).visit(f"/desk/dogs/{pepper.animal_id}/duplicate-tag")
    assert "A duplicate tag costs nothing." in clerk.text
    clerk.submit(loss="lost")
    assert "The new tag is on the list of tags to send." in clerk.page.html
    ended = "SELECT actor FROM animal_control.event WHERE kind = 'tag.lost'"
    assert database.value(ended) == f"officer:{clerk.email}"

"""Where the council has set two fees and a late one, the counter names each before the clerk presses (90.18)."""

from dataclasses import replace

import pytest

from portal.desk_app import create_desk
from portal.ordinance.fees import LateFee, LicenseTiers
from portal.schema.staff import StaffRole
from portal.settings import Desk
from tests.support.desk import CLERK


@pytest.fixture
def desk_app(settings, desk_gateways, desk_listener, finish, gateways, page_checker):
    """The desk of a city with other fees."""
    [fees] = gateways.city.fees
    others = (replace(fees, tiers=LicenseTiers(1200, 2400), late=LateFee(700, 30)),)
    changed = replace(desk_gateways, city=replace(gateways.city, fees=others), clock=gateways.clock)
    yield finish(create_desk(replace(settings, desk=Desk.ALONE), gateways=changed))
    page_checker.check_rest()


def test_each_dog_has_its_own_fee_and_the_late_one_is_said(working, registrations, clock):
    pepper = registrations.licensed("Pepper", is_altered=True)
    registrations.licensed("Rex", is_altered=False)
    clock.move_to(clock.at.replace(year=2027, month=3, day=1))
    clerk = working(CLERK, StaffRole.CLERK)
    clerk.visit(f"/desk/people/{pepper.person_id}/renew")
    assert "Pepper$12.00 for the year, whole or part Rex$24.00 for the year, whole or part" in clerk.text
    assert "For 2027 a late fee of $7.00 comes on top for a dog that had a license before." in clerk.text

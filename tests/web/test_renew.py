"""After the first year a resident needs one minute a year (90.04(B))."""

from dataclasses import replace
from datetime import date
from uuid import uuid4

import pytest

from portal.ordinance.fees import LateFee, LicenseTiers
from portal.ordinance.licensing import Situation
from portal.schema.licenses import License
from portal.schema.orders import Order
from tests.support.registering import answer_eligibility
from tests.support.registrations import CERTIFICATE, LATER


@pytest.fixture
def pepper(resident, registrations):
    """Licensed for 2026, with a certificate that runs on."""
    return registrations.licensed()


def years(database):
    return sorted((row.year, row.state.value, row.number) for row in database.all(License))


def test_a_license_is_renewed_in_one_page_and_one_payment(resident, pepper, registrations, database):
    resident.visit(f"/dogs/{pepper.animal_id}").click("License for 2027").submit()
    assert resident.h1 == "Pay $10.00"
    [order] = [order for order in database.all(Order) if order.state == "open"]
    registrations.take(order.reference)
    assert years(database) == [(2026, "issued", 1), (2027, "issued", 1)]


def test_a_dog_without_a_fee_is_told_so_before_it_is_renewed(resident, registrations, database):
    registrations.licensed("Rex")
    guide = registrations.dog("Biscuit", situation=Situation.ASSISTANCE_DOG)
    resident.visit(f"/dogs/{guide.animal_id}/renew")
    assert "No fee for Biscuit, on the same grounds as before" in resident.text
    assert "No fee for Rex" not in resident.text
    resident.submit()
    assert [order.total_cents for order in database.all(Order) if order.state == "open"] == [1000], "Rex’s alone"


def test_a_year_that_no_dog_lacks_is_not_offered(resident, pepper, registrations):
    resident.visit(f"/dogs/{pepper.animal_id}/renew")
    assert "January 1, 2027 to December 31, 2027" in resident.text
    assert "January 1, 2026" not in resident.text
    assert "Change your address or phone" in resident.links
    registrations.dog("Pip", wants_license=False, license_year=None)
    resident.visit(f"/dogs/{pepper.animal_id}/renew")
    assert "January 1, 2026 to December 31, 2026" in resident.text, "Pip lacks it"


def test_the_dogs_of_a_household_are_renewed_together(resident, pepper, registrations, database):
    registrations.licensed("Rex")
    resident.visit(f"/dogs/{pepper.animal_id}/renew").submit()
    assert resident.h1 == "Pay $20.00"


def test_a_second_renewal_of_the_same_year_is_politely_refused(resident, pepper, database):
    form = resident.visit(f"/dogs/{pepper.animal_id}/renew").page
    resident.submit()
    resident.page = form
    resident.submit(submission_key=str(uuid4()), status=422)
    assert resident.errors == ["Pepper has a license for 2027 already. You don’t need to renew it again"]
    assert resident.visit(f"/dogs/{pepper.animal_id}/renew").h1 == "Nothing to renew"


def test_the_same_form_twice_gives_the_same_order(resident, pepper, database):
    form = resident.visit(f"/dogs/{pepper.animal_id}/renew").page
    resident.submit()
    first = resident.path
    resident.page = form
    resident.submit()
    assert resident.path == first
    assert len(database.all(Order)) == 2, "the first year's and one more"


def test_a_lapsed_license_is_renewed_into_the_year_it_is_now(arrive, pepper, clock):
    clock.move_to(clock.at.replace(year=2028, month=3, day=1))
    resident = arrive().sign_in(then=f"/dogs/{pepper.animal_id}")
    assert "License for 2026 is over" in resident.text
    resident.click("Renew")
    assert "2028" in resident.text
    assert "2026" not in resident.text


def test_around_new_year_the_years_are_named_with_their_days(resident, registrations):
    """Example 37: the person chooses the year."""
    puppy = registrations.dog("Pip", wants_license=False, license_year=None, certificate=LATER)
    resident.visit(f"/dogs/{puppy.animal_id}/renew")
    assert "January 1, 2026 to December 31, 2026" in resident.text
    assert "January 1, 2027 to December 31, 2027" in resident.text
    resident.submit(status=422)
    assert resident.errors == ["Choose a license year"]


def test_a_puppy_that_was_only_kept_gets_its_license_later(arrive, registrations, clock, database):
    """Example 5: saved, not charged; it applies once it is old enough."""
    puppy = registrations.dog(
        "Pip", born_on=date(2026, 8, 31), wants_license=False, license_year=None, certificate=LATER
    )
    clock.move_to(clock.at.replace(year=2027, month=3, day=2))
    resident = arrive().sign_in(then=f"/dogs/{puppy.animal_id}")
    resident.click("Apply now").submit(license_year="2027")
    assert resident.h1 == "Pay $10.00"


def test_a_renewal_waits_for_a_certificate_that_runs(arrive, registrations, clock, database):
    """90.04(B)(3): paid, and not issued on a vaccination that is over three years old."""
    old = registrations.licensed(certificate=CERTIFICATE)
    clock.move_to(clock.at.replace(year=2029, month=12, day=1))
    resident = arrive().sign_in(then=f"/dogs/{old.animal_id}/renew")
    assert "Send one for Pepper" in resident.links
    resident.submit(license_year="2029")
    [order] = [order for order in database.all(Order) if order.state == "open"]
    registrations.take(order.reference)
    assert (2029, "applied", None) in years(database)


def test_another_residents_dog_is_not_there_to_renew(another_resident, resident, pepper, database):
    another_resident.visit(f"/dogs/{pepper.animal_id}/renew", status=404)
    answer_eligibility(another_resident)
    assert len(database.all(License)) == 1


@pytest.fixture
def with_fees(arrive, make_app, gateways):
    """Pat, in a city whose resolution says more about the license fee."""

    def with_fees(**more):
        [fees] = gateways.city.fees
        app = make_app(city=replace(gateways.city, fees=(replace(fees, **more),)))
        return arrive(app=app).sign_in(then="/dogs")

    return with_fees


def test_a_dog_first_licensed_for_the_next_year_was_not_late_for_this_one(with_fees, registrations):
    dog = registrations.licensed(license_year=2027)
    pat = with_fees(late=LateFee(700, 30)).visit(f"/dogs/{dog.animal_id}").click("License for 2026")
    assert "late fee" not in pat.text
    assert pat.submit().h1 == "Pay $10.00"


@pytest.mark.parametrize(("on", "cost"), [((2, 10), "$10.00"), ((2, 15), "$10.00"), ((2, 16), "$17.00")])
def test_late_is_counted_from_the_day_a_young_dog_needed_its_license(with_fees, registrations, clock, on, cost):
    """90.04(B)(1): born July 15, licensed early, it needed one from January 16; late is more than 30 days after."""
    given = replace(CERTIFICATE, given_on=date(2026, 11, 15), due_on=date(2027, 11, 15))
    pup = registrations.licensed("Pip", born_on=date(2026, 7, 15), certificate=given)
    clock.move_to(clock.at.replace(year=2027, month=on[0], day=on[1]))
    pat = with_fees(late=LateFee(700, 30)).visit(f"/dogs/{pup.animal_id}/renew")
    assert ("For 2027 a late fee of $7.00 comes on top for Pip." in pat.text) is (cost == "$17.00")
    assert pat.submit().h1 == f"Pay {cost}"


def test_the_fee_of_each_dog_is_told_where_it_depends_on_the_dog(with_fees, registrations):
    pepper = registrations.licensed("Pepper", is_altered=True)
    registrations.licensed("Rex", is_altered=False)
    pat = with_fees(tiers=LicenseTiers(altered_cents=800, intact_cents=1500)).visit(f"/dogs/{pepper.animal_id}/renew")
    assert "Pepper: $8.00" in pat.text
    assert "Rex: $15.00" in pat.text
    assert pat.submit().h1 == "Pay $23.00"


def test_a_neutered_dog_alone_is_quoted_its_own_fee(with_fees, registrations):
    pepper = registrations.licensed("Pepper", is_altered=True)
    pat = with_fees(tiers=LicenseTiers(altered_cents=800, intact_cents=1500)).visit(f"/dogs/{pepper.animal_id}/renew")
    assert "A license costs $8.00 a year for each dog" in pat.text


def test_a_city_with_licenses_of_two_years_renews_once_for_both(
    arrive, make_app, gateways, pepper, registrations, database
):
    """T15. What was issued for a year before the first of two runs for that year."""
    start = replace(gateways.city.license.year_start, years=2, since=2027)
    city = replace(gateways.city, license=replace(gateways.city.license, year_start=start))
    pat = arrive(app=make_app(city=city)).sign_in(then=f"/dogs/{pepper.animal_id}")
    assert "2026" in pat.text
    pat.click("License for 2027-2028")
    assert "January 1, 2027 to December 31, 2028" in pat.text
    assert "A license costs $10.00 for two years for each dog, whole or part" in pat.text
    assert pat.submit().h1 == "Pay $10.00"
    [asked] = [one for one in database.all(License) if one.year == 2027]
    assert (asked.valid_from, asked.valid_until) == (date(2027, 1, 1), date(2028, 12, 31))

"""A lost tag is replaced under the same number (90.04(B)(5), example 36)."""

import pytest

from portal.schema.licenses import Tag
from portal.schema.orders import Order
from portal.schema.tag_requests import TagRequest


@pytest.fixture
def licensed(resident, registrations):
    """Pepper of Pat, licensed."""
    return registrations.licensed()


def test_a_lost_tag_is_paid_for_and_replaced_under_its_number(resident, licensed, registrations, database):
    resident.visit(f"/dogs/{licensed.animal_id}").click("Get a new tag")
    assert "$5.00" in resident.text
    assert "§ 90.04(B)(5)" in resident.text
    assert "It replaces the tag for 2026: 2026-1." in resident.text
    resident.submit(loss="lost", delivery="pick_up")
    assert resident.h1 == "Pay $5.00"
    assert [tag.state for tag in database.all(Tag)] == ["to_send"], "nothing changes before it is paid"
    [order] = [order for order in database.all(Order) if order.total_cents == 500]
    registrations.take(order.reference)
    old, new = sorted(database.all(Tag), key=lambda tag: tag.issue)
    assert (old.state, new.state) == ("lost", "to_send")
    assert (new.year, new.number, new.issue) == (old.year, old.number, 2)
    assert new.delivery == "pick_up"


def test_asking_twice_by_accident_gives_one_order(resident, licensed, database):
    for _ in range(2):
        resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(loss="destroyed")
    assert len(database.all(TagRequest)) == 1
    assert len([order for order in database.all(Order) if order.total_cents == 500]) == 1


def test_a_tag_that_is_not_paid_yet_is_found_again_on_the_page_of_the_dog_and_of_all_dogs(
    resident, licensed, registrations, database
):
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(loss="lost")
    resident.visit("/dogs").click("Pay for Pepper’s new tag")
    assert resident.h1 == "Pay $5.00"
    resident.visit(f"/dogs/{licensed.animal_id}").click("Pay for the new tag")
    assert resident.h1 == "Pay $5.00"
    [order] = [order for order in database.all(Order) if order.total_cents == 500]
    registrations.take(order.reference)
    assert "Pay for Pepper’s new tag" not in resident.visit("/dogs").links
    assert "Get a new tag" in resident.visit(f"/dogs/{licensed.animal_id}").links


def test_the_tag_of_this_year_is_told_of_when_the_next_year_is_licensed_too(resident, licensed):
    resident.visit(f"/dogs/{licensed.animal_id}/renew").submit(license_year="2027")
    resident.visit(f"/dogs/{licensed.animal_id}")
    assert "2026: number 1, November 30, 2026 to December 31, 2026. Tag goes in the mail" in resident.text


def test_where_two_years_are_licensed_one_chooses_which_tag_it_is(resident, licensed, registrations, database):
    resident.visit(f"/dogs/{licensed.animal_id}/renew").submit(license_year="2027")
    [renewed] = [order for order in database.all(Order) if order.state == "open"]
    registrations.take(renewed.reference)
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(loss="lost", status=422)
    assert resident.errors == ["Choose which year’s tag"]
    resident.submit(license_year="2027", loss="lost")
    assert "Duplicate tag 2027-1: Pepper" in resident.text


def test_a_tag_can_not_move_to_another_dog_and_the_page_says_what_to_do(resident, licensed):
    """Example 35."""
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag")
    assert "can’t be moved to another" in resident.text
    assert "Register another dog" in resident.links


def test_a_dog_without_a_license_has_no_tag_to_replace(resident, registrations):
    applied = registrations.dog()
    resident.visit(f"/dogs/{applied.animal_id}/duplicate-tag").submit(loss="lost", status=422)
    assert resident.errors == ["There is no license in force to replace a tag for. Apply for a license first"]


def test_what_became_of_the_tag_is_asked(resident, licensed):
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(status=422)
    assert resident.errors == ["Choose lost or broken"]


def test_another_residents_dog_does_not_exist(another_resident, resident, licensed):
    another_resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag", status=404)

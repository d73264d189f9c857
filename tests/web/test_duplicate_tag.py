"""A lost tag is replaced under the same number (90.04(B)(5), example 36)."""

import pytest

from portal.schema.licenses import Tag
from portal.schema.orders import Order
from portal.schema.tag_requests import TagRequest
from portal.services.desk.send_tags import send_tags
from portal.services.licensing.duplicate_tag import NOT_OUT_YET
from tests.support.owing import committed
from tests.support.registrations import OFFICER


@pytest.fixture
def not_out(resident, registrations):
    """Pepper of Pat, licensed; the tag has not gone out yet."""
    return registrations.licensed()


@pytest.fixture
def licensed(not_out, mail_tags):
    """Pepper of Pat, licensed, with its tag."""
    mail_tags()
    return not_out


@pytest.fixture
def mail_tags(desk_engine, clock, database):
    """Every tag that waits goes out."""

    def mail_tags():
        with committed(desk_engine) as session:
            waiting = [tag.id for tag in database.all(Tag) if tag.state == "to_send"]
            send_tags(session, waiting, officer=OFFICER, clock=clock)

    return mail_tags


def test_a_lost_tag_is_paid_for_and_replaced_under_its_number(resident, licensed, registrations, database):
    resident.visit(f"/dogs/{licensed.animal_id}").click("Get a new tag")
    assert "$5.00" in resident.text
    assert "§ 90.04(B)(5)" in resident.text
    assert "It replaces the tag for 2026: 2026-1." in resident.text
    resident.submit(loss="lost", delivery="pick_up")
    assert resident.h1 == "Pay $5.00"
    assert [tag.state for tag in database.all(Tag)] == ["sent"], "nothing changes before it is paid"
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
    assert "2026: number 1, November 30, 2026 to December 31, 2026. Tag sent" in resident.text


def test_where_two_years_are_licensed_one_chooses_which_tag_it_is(resident, licensed, registrations, database):
    resident.visit(f"/dogs/{licensed.animal_id}/renew").submit(license_year="2027")
    [renewed] = [order for order in database.all(Order) if order.state == "open"]
    registrations.take(renewed.reference)
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(loss="lost", status=422)
    assert resident.errors == ["Choose which year’s tag"]
    assert "Tag 2027-1 has not gone out yet" in resident.text
    resident.submit(license_year="2027", loss="lost", status=422)
    assert resident.errors == [NOT_OUT_YET]
    resident.submit(license_year="2027", loss="lost", insists=True)
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


def test_of_a_tag_that_has_not_gone_out_yet_one_is_told_before_one_pays(resident, not_out, database):
    resident.visit(f"/dogs/{not_out.animal_id}").click("Get a new tag")
    assert "Tag 2026-1 has not gone out yet" in resident.text
    assert "Tag goes in the mail by December 4, 2026. To 1310 Idaho Ave" in resident.text
    assert "It is not lost, and there is nothing to pay for it." in resident.text
    resident.submit(loss="lost", told="Never came.", status=422)
    assert resident.errors == [NOT_OUT_YET]
    assert resident.page.values["told"] == ["Never came."]
    assert database.all(TagRequest) == []


def test_who_wants_another_one_all_the_same_gets_it_and_the_first_stays_at_the_desk(
    resident, not_out, registrations, clerk, database
):
    resident.visit(f"/dogs/{not_out.animal_id}/duplicate-tag").submit(loss="lost", insists=True)
    clerk.visit("/desk/tags")
    assert "2026-1: Pepper" in clerk.text
    assert "The duplicate is not paid yet. Until it is, this one counts and goes out." in clerk.text
    [order] = [order for order in database.all(Order) if order.total_cents == 500]
    registrations.take(order.reference)
    clerk.visit("/desk/tags")
    assert "2026-1, issue 2: Pepper" in clerk.text
    assert "Keep 2026-1 here: it never went out, and does not count any more." in clerk.text
    clerk.submit(button="Mark as mailed")
    assert "1 tag marked as mailed." in clerk.page.html
    resident.visit(f"/pay/{order.id}/receipt")
    assert "the new tag 2026-1, issue 2, was mailed" in resident.text


@pytest.mark.parametrize(
    ("delivery", "way"),
    [("mail", "goes in the mail within 4 business days"), ("pick_up", "waits for you within 4 business days at")],
)
def test_the_receipt_of_a_duplicate_says_what_happens_next(
    resident, licensed, registrations, database, outbox, delivery, way
):
    resident.visit(f"/dogs/{licensed.animal_id}/duplicate-tag").submit(loss="lost", delivery=delivery)
    [order] = [order for order in database.all(Order) if order.total_cents == 500]
    registrations.take(order.reference)
    resident.visit(f"/pay/{order.id}/receipt")
    assert f"Pepper: the new tag 2026-1, issue 2, {way}" in resident.text
    assert "Every earlier tag of 2026 does not count any more" in resident.text
    letter = outbox.letters(to="pat@example.com", template="receipt")[-1]
    assert "The new tag is on the list of tags to send." in letter.text
    assert "We issue the license" not in letter.text

"""A designated dog died, moved away or has a new home: told once, and in writing too (90.13(H)(12), (14), (N))."""

from datetime import date

import pytest

from portal.ordinance.dangerous import Designated
from portal.schema.dangerous_notices import DangerousNotice
from tests.web.dangerous.test_telling import MOVE, NEW_OWNER, PAT

NEEDED = "Animal control needs this in writing too"


@pytest.fixture
def here(pepper, dangerous):
    dangerous.designated(pepper)
    return f"/dogs/{pepper.animal_id}"


def test_who_tells_that_a_designated_dog_died_is_asked_for_the_notice_and_still_gives_it(resident, here, database):
    """Example 56, told on the other page first."""
    resident.visit(f"{here}/gone")
    assert "a death in writing too" in resident.text
    resident.submit(kind="died", happened_on=date(2026, 11, 11))
    assert resident.h1 == "We’re sorry Pepper died"
    assert NEEDED in resident.text
    assert "Write that it died, by Friday, December 11, 2026." in resident.text
    assert "new owner" not in resident.text
    resident.click("Write the notice")
    assert resident.page.values["happens_on-day"] == ["11"]
    assert resident.page.values["owner_address"] == ["1310 Idaho Ave"]
    resident.submit(owner_name="Pat O’Brien", signed_name="Pat O’Brien")
    assert resident.h1 == "Animal control has your notice"
    assert "tell us on its own page" not in resident.links
    [told] = database.all(DangerousNotice)
    assert (told.kind, told.is_late) == ("death", False)
    resident.visit(f"{here}/farewell")
    assert NEEDED not in resident.text
    assert told.reference in resident.links


def test_the_notice_can_be_written_before_the_dog_is_told_to_be_gone(resident, here):
    resident.visit(f"{here}/gone").click("Write that notice first").click("Pepper died")
    resident.submit(**PAT, happens_on=date(2026, 11, 11))
    resident.click("tell us on its own page").submit(kind="died")
    assert NEEDED not in resident.text


def test_a_move_that_was_announced_is_confirmed_from_the_farewell(resident, here, database):
    resident.visit(f"{here}/dangerous/tell/move").submit(**MOVE, happens_on=date(2026, 11, 30))
    [announced] = database.all(DangerousNotice)
    resident.visit(f"{here}/gone").submit(kind="left_city", happened_on=date(2026, 11, 12))
    assert "You wrote to us before it happened; now confirm that it did" in resident.text
    resident.click("Confirm it").submit(signed_name="Pat O’Brien", happens_on=date(2026, 11, 12))
    assert {one.confirms_id for one in database.all(DangerousNotice)} == {None, announced.id}
    assert NEEDED not in resident.visit(f"{here}/farewell").text


def test_who_gave_a_dangerous_dog_away_tells_who_has_it_now(resident, here, database):
    resident.visit(f"{here}/gone").submit(kind="given_away", happened_on=date(2026, 11, 12))
    assert "who has it now" in resident.text
    assert "Once the new owner is recorded, you find it under Animals no longer with you" in resident.text
    assert "and you need not" not in resident.text
    resident.click("Write the notice").submit(**NEW_OWNER, happens_on=date(2026, 11, 12))
    assert [one.new_owner_name for one in database.all(DangerousNotice)] == ["Mai Yang"]


def test_what_a_former_owner_wrote_is_not_the_notice_of_the_next_one_who_gives_it_away(
    resident, arrive, here, pepper, household, database
):
    """Nor is it shown to them: it names who gave the dog, and where they live."""
    resident.visit(f"{here}/dangerous/tell/transfer").submit(**NEW_OWNER, happens_on=date(2026, 11, 12))
    [told] = database.all(DangerousNotice)
    household.claims(pepper)
    household.city_accepts()
    gavin = arrive("gavin@example.com").sign_in(then=f"{here}/gone")
    gavin.submit(kind="given_away", happened_on=date(2026, 11, 12))
    assert NEEDED in gavin.text
    assert "You wrote to us before it happened" not in gavin.text
    assert told.reference not in gavin.text
    assert "Write the notice" in gavin.links


def test_a_move_within_the_city_is_not_the_notice_that_a_dog_left_it(resident, here):
    within = MOVE | {"new_address": "1320 Idaho Ave, Benson", "leaves_city": "no"}
    resident.visit(f"{here}/dangerous/tell/move").submit(**within, happens_on=date(2026, 11, 20))
    resident.visit(f"{here}/gone").submit(kind="left_city", happened_on=date(2026, 11, 12))
    assert NEEDED in resident.text
    assert "You wrote to us before it happened" not in resident.text
    assert "Write the notice" in resident.links


def test_the_death_of_a_potentially_dangerous_dog_needs_no_notice_and_its_move_does(resident, pepper, dangerous):
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    here = f"/dogs/{pepper.animal_id}"
    assert NEEDED not in resident.visit(f"{here}/gone").submit(kind="died").text
    resident.submit(button="Take it back")
    assert NEEDED in resident.visit(f"{here}/gone").submit(kind="left_city").text


def test_of_a_dog_that_is_gone_a_letter_leads_to_what_was_told_of_it(resident, another_resident, here):
    resident.visit(f"{here}/gone").submit(kind="died", happened_on=date(2026, 11, 11))
    assert resident.visit(f"{here}/dangerous").path == f"{here}/dangerous/tell"
    assert [link for link in resident.links if link.startswith("Pepper")] == ["Pepper died"]
    another_resident.visit(f"{here}/dangerous", status=404)
    another_resident.visit(f"{here}/dangerous/tell", status=404)


def test_of_a_dog_that_nobody_designated_no_notice_is_asked_for(resident, pepper):
    here = f"/dogs/{pepper.animal_id}"
    assert "in writing" not in resident.visit(f"{here}/gone").text
    assert NEEDED not in resident.submit(kind="died").text


def test_who_moves_with_a_designated_dog_is_told_of_the_notice_before_and_after(resident, here):
    resident.visit("/me/address")
    assert "at least 14 days before" in resident.text
    assert "Write the notice about Pepper" in resident.links
    resident.submit(line1="1320 Idaho Ave")
    assert "Pepper is a designated dog: animal control needs its move in writing too." in resident.text
    resident.click("Write the notice, or see the one you wrote")
    assert resident.path == f"{here}/dangerous/tell"


def test_who_leaves_a_designated_dog_to_the_others_is_told_of_the_notice(resident, here):
    resident.visit(f"{here}/leave")
    assert "at least 14 days before" in resident.text
    resident.click("Write that notice first")
    assert resident.path == f"{here}/dangerous/tell"

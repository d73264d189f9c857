"""A designated dog is another's by now, and whoever gave it away still writes the notice (90.13(H)(12), (14), (N))."""

from datetime import date, timedelta
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Designated
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, see_notice, tell_dangerous_notice
from portal.services.refusal import NotTheirs
from tests.support.registrations import OFFICER
from tests.web.dangerous.test_telling import NEW_OWNER

TODAY = date(2026, 11, 12)
MISSING = "animal control needs it in writing too"
ASKED = "no notice of yours about the new owner is here yet"


@pytest.fixture
def hand_over(pepper, household):
    """Pat gives Pepper to Gavin, who says yes, and an officer records it; where Pepper's pages are."""

    def hand_over():
        household.claims(pepper)
        household.city_accepts()
        return f"/dogs/{pepper.animal_id}/dangerous"

    return hand_over


@pytest.fixture
def recorded(pepper, dangerous, hand_over):
    """Pepper was designated before, and nothing was written."""
    dangerous.designated(pepper)
    return hand_over()


def test_who_gave_it_away_is_asked_for_the_notice_and_writes_it(resident, recorded, database, outbox):
    [letter] = outbox.letters(to="pat@example.com", template="new_owner_recorded")
    for part in (letter.text, letter.html):
        assert ASKED in part
        assert f"{recorded}/tell/transfer" in part
        assert "90.13(H)(14)" in part
    assert MISSING in resident.visit("/dogs/past").text
    resident.click("Pepper").click("Pepper gets a new owner, or got one")
    assert resident.page.values["owner_address"] == ["1310 Idaho Ave"]
    resident.submit(**NEW_OWNER, happens_on=TODAY)
    assert resident.h1 == "Animal control has your notice"
    [told] = database.all(DangerousNotice)
    assert (told.kind, told.new_owner_name, told.is_late) == ("transfer", "Mai Yang", False)
    assert MISSING not in resident.visit("/dogs/past").text
    assert told.reference in resident.visit(recorded).text


def test_a_potentially_dangerous_dog_is_told_of_by_its_own_section(resident, pepper, dangerous, hand_over, outbox):
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    given = hand_over()
    [letter] = outbox.letters(to="pat@example.com", template="new_owner_recorded")
    assert "90.13(N)" in letter.text
    resident.visit(f"{given}/tell/transfer").submit(**NEW_OWNER, happens_on=TODAY)
    assert resident.h1 == "Animal control has your notice"


def test_who_wrote_it_before_is_asked_for_nothing_and_reads_it_still(
    resident, pepper, dangerous, hand_over, outbox, database
):
    dangerous.designated(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous/tell/transfer").submit(**NEW_OWNER, happens_on=TODAY)
    [told] = database.all(DangerousNotice)
    given = hand_over()
    [letter] = outbox.letters(to="pat@example.com", template="new_owner_recorded")
    assert "in writing" not in letter.text
    assert told.reference in resident.visit(f"{given}/told/{told.id}").text


def test_nothing_else_of_the_dog_is_theirs_and_nobody_elses_is_the_notice(resident, arrive, registrations, recorded):
    registrations.dog("Rex", email="mai@example.com")
    stranger = arrive("mai@example.com").sign_in()
    for page in ("tell/death", "tell/move", "notice", "review", "rows/insurance", "renew"):
        resident.visit(f"{recorded}/{page}", status=404)
    for page in ("tell", "tell/transfer"):
        stranger.visit(f"{recorded}/{page}", status=404)


def test_whoever_gave_it_away_can_tell_of_nothing_but_that(pepper, recorded, dangerous, gateways):
    died = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.DEATH,
        happens_on=TODAY,
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
    )
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    city, clock = gateways.city, gateways.clock
    with pytest.raises(NotTheirs):
        dangerous.by_owner(lambda session: tell_dangerous_notice(session, died, **mine, city=city, clock=clock))


def test_what_they_write_is_told_to_them_and_not_to_the_new_owner(
    resident, arrive, recorded, dangerous, database, outbox
):
    resident.visit(f"{recorded}/tell/transfer").submit(**NEW_OWNER, happens_on=TODAY)
    [told] = database.all(DangerousNotice)
    assert outbox.templates(to="pat@example.com")[-1] == "dangerous_notice"
    dangerous.at_desk(see_notice, notice_id=told.id, officer=OFFICER, asks_affidavit=True)
    assert outbox.templates(to="pat@example.com")[-1] == "affidavit_asked"
    resident.visit(recorded).click("print the form")
    assert not {"dangerous_notice", "affidavit_asked"} & set(outbox.templates(to="gavin@example.com"))
    gavin = arrive("gavin@example.com").sign_in(then=f"{recorded}/tell")
    assert "What has changed for Pepper?" in gavin.text
    assert told.reference not in gavin.text


def test_what_the_dog_is_designated_as_later_is_not_told_to_who_gave_it_away(
    resident, pepper, dangerous, hand_over, outbox
):
    given = hand_over()
    dangerous.designated(pepper)
    [letter] = outbox.letters(to="pat@example.com", template="new_owner_recorded")
    assert "in writing" not in letter.text
    for page in ("", "/tell", "/tell/transfer"):
        resident.visit(f"{given}{page}", status=404)
    assert "Pepper" not in resident.visit("/dogs/past").text


def test_those_who_kept_it_together_may_each_write_it_and_who_had_left_may_not(
    arrive, pepper, dangerous, household, hand_over, clock
):
    dangerous.designated(pepper)
    household.joins(pepper, "mai@example.com")
    household.joins(pepper, "ole@example.com")
    ole = arrive("ole@example.com").sign_in(then=f"/dogs/{pepper.animal_id}/leave").submit()
    clock.move_to(clock.at + timedelta(minutes=5))
    given = hand_over()
    ole.visit(f"{given}/tell", status=404)
    mai = arrive("mai@example.com").sign_in(then=f"{given}/tell/transfer")
    mai.submit(**NEW_OWNER, happens_on=TODAY)
    assert mai.h1 == "Animal control has your notice"

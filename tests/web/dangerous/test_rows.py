"""Showing that a requirement is met: what is below a figure is stored and told, and nothing typed is lost (58, 59)."""

import pytest

from portal.forms.slips import IF_IT_IS_RIGHT, UNLIKE_A_CHIP
from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous_requirements import Decision, RequirementEvidence
from tests.support.documents import corners, saved

PHOTO = (saved(corners(64, 48), "JPEG"), "policy.jpg")


@pytest.fixture
def rows(pepper, dangerous):
    """Where the rows of Pepper’s registration are."""
    dangerous.designated(pepper)
    return f"/dogs/{pepper.animal_id}/dangerous/rows"


def test_a_policy_below_the_figure_is_stored_told_and_shown_on_the_list(resident, rows, database):
    """Example 58."""
    resident.visit(f"{rows}/insurance").submit(
        files=PHOTO, company="Prairie Mutual", number="L-1", amount_cents="$100,000"
    )
    assert resident.h1 == "Pepper: dangerous dog"
    assert "At least $300,000.00 is needed; this says $100,000.00" in resident.text
    [sent] = database.all(RequirementEvidence)
    assert sent.is_unmet
    assert sent.measures["amount_cents"] == 100_000_00
    assert sent.document_id is not None


def test_an_enclosure_is_measured_one_figure_at_a_time(resident, rows, dangerous, pepper):
    resident.visit(f"{rows}/enclosure").submit(
        confined="pen",
        exits_only_with_help="yes",
        floor_square_feet="30 sq ft",
        height_feet="5' 6\"",
        wire_gauge="12 ga",
        opening_inches="1 3/4",
        has_concrete_floor="yes",
    )
    told = dangerous.row(pepper, Requirement.ENCLOSURE).evidence
    assert {finding["field"] for finding in told.findings if not finding.get("needs_review")} == {
        "floor_square_feet",
        "wire_gauge",
    }
    resident.visit(f"{rows}/enclosure")
    assert resident.page.values["height_feet"] == ["5.5"]
    assert "At least 32 square feet of floor; this says 30" in resident.text


@pytest.mark.parametrize("requirement", ["enclosure", "insurance", "restraint"])
def test_a_page_that_nobody_touched_is_nothing_to_send(resident, rows, database, requirement):
    resident.visit(f"{rows}/{requirement}").submit(status=422)
    assert resident.errors == ["Add a photo or a PDF, or answer one of the questions"]
    assert database.all(RequirementEvidence) == []


def test_a_dollar_short_of_the_figure_is_shown_as_it_was_typed(resident, rows):
    resident.visit(f"{rows}/insurance").submit(amount_cents="$299,999.99")
    resident.visit(f"{rows}/insurance")
    assert resident.page.values["amount_cents"] == ["299,999.99"]


def test_a_measure_that_is_no_number_is_asked_for_again_and_the_photo_is_kept(resident, rows, database):
    resident.visit(f"{rows}/enclosure").submit(files=PHOTO, height_feet="about five", status=422)
    assert resident.errors == ["Enter a number, like 5"]
    assert "We have policy.jpg." in resident.text
    resident.submit(height_feet="5")
    [sent] = database.all(RequirementEvidence)
    assert sent.document_id is not None


@pytest.mark.parametrize("row", ["sterilization", "enclosure", "insurance"])
def test_an_empty_form_is_told_what_can_be_sent(resident, rows, row):
    resident.visit(f"{rows}/{row}").submit(status=422)
    assert resident.errors == ["Add a photo or a PDF, or answer one of the questions"]


def test_the_signs_need_two_photos_which_are_shown_as_pages(resident, rows, pepper, dangerous):
    resident.visit(f"{rows}/signs").submit(
        files=PHOTO, rear=(saved(corners(48, 64), "JPEG"), "rear.jpg"), has_symbol="yes"
    )
    resident.visit(f"{rows}/signs")
    evidence_id = dangerous.row(pepper, Requirement.SIGNS).evidence.id
    for number in (0, 1, 2):
        answer = resident.client.get(f"/dogs/{pepper.animal_id}/dangerous/evidence/{evidence_id}/{number}.jpg")
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert resident.client.get(f"/dogs/{pepper.animal_id}/dangerous/evidence/{evidence_id}/3.jpg").status_code == 404


def test_a_photo_of_ones_own_helps_and_the_officers_row_stays_open(resident, rows, pepper, dangerous):
    """Example 59."""
    resident.visit(f"{rows}/photograph").submit(files=PHOTO)
    assert "Your photo helps. Animal control still has to photograph the dog itself" in resident.text
    assert not dangerous.row(pepper, Requirement.PHOTOGRAPH).is_settled


def test_pressing_twice_sends_once(resident, rows, database):
    form = resident.visit(f"{rows}/microchip").page
    resident.submit(maker="HomeAgain", number="985112003456781")
    resident.page = form
    resident.submit(maker="HomeAgain", number="985112003456781")
    assert len(database.all(RequirementEvidence)) == 1


def test_a_number_that_is_no_microchip_or_that_of_another_dog_is_noticed_where_it_is_typed(
    resident, rows, registrations, database
):
    """90.13(H)(8). Said once, and taken when it is sent again as it is."""
    registrations.dog("Rex", microchip="985112003456789")
    resident.visit(f"{rows}/microchip").submit(maker="HomeAgain", number="98511200345", status=422)
    assert resident.errors == [f"{UNLIKE_A_CHIP}. {IF_IT_IS_RIGHT}"]
    assert resident.page.values["maker"] == ["HomeAgain"]
    resident.submit(number="985 112 003 456 789", status=422)
    [mistake] = resident.errors
    assert mistake.startswith("Rex has this number too")
    assert database.all(RequirementEvidence) == []
    resident.submit()
    [sent] = database.all(RequirementEvidence)
    assert sent.measures["number"] == "985 112 003 456 789"


def test_what_came_back_says_why_and_starts_from_what_was_sent(resident, rows, dangerous, pepper):
    dangerous.send(pepper, Requirement.INSURANCE)
    dangerous.decide(pepper, Requirement.INSURANCE, Decision.SENT_BACK, reason="The page with the amount is missing.")
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous")
    assert "The page with the amount is missing." in resident.text
    resident.click("Send another (Insurance or bond)")
    assert "It came back" in resident.text
    assert resident.page.values["company"] == ["Prairie Mutual"]
    assert resident.page.values["amount_cents"] == ["300,000"]


def test_whoever_was_slower_is_told_what_changed_loses_nothing_and_can_send_all_the_same(
    resident, rows, dangerous, pepper, database
):
    """Two officers and one owner at once: a plain page with 409, and nothing lost."""
    dangerous.send(pepper, Requirement.INSURANCE)
    resident.visit(f"{rows}/insurance")
    dangerous.decide(pepper, Requirement.INSURANCE, Decision.SENT_BACK, reason="The amount can’t be read.")
    resident.submit(files=PHOTO, company="Lakes Casualty", status=409)
    assert resident.title.startswith("Error: ")
    assert "This has changed since you opened it" in resident.text
    assert "The amount can’t be read." in resident.text
    assert resident.page.values["company"] == ["Lakes Casualty"]
    assert "We have policy.jpg." in resident.text
    assert len(database.all(RequirementEvidence)) == 1
    resident.submit(button="Send it all the same")
    newest = dangerous.row(pepper, Requirement.INSURANCE).evidence
    assert newest.number == 2
    assert newest.measures["company"] == "Lakes Casualty"
    assert newest.document_id is not None


def test_an_approval_belongs_to_the_file_that_was_looked_at(resident, rows, dangerous, pepper):
    dangerous.send(pepper, Requirement.INSURANCE)
    dangerous.decide(pepper, Requirement.INSURANCE)
    resident.visit(f"{rows}/insurance")
    assert "Accepted" in resident.text
    resident.submit(company="Lakes Casualty")
    assert "Insurance or bond officer is checking" in resident.text


def test_the_fee_is_asked_beyond_the_license_and_paid_like_any_other(resident, rows, pepper):
    resident.visit(f"{rows}/fee")
    assert "State law allows at most $500." in resident.text
    resident.submit(button="Pay $300.00")
    assert resident.h1 == "Pay $300.00"
    assert "Dangerous dog registration" in resident.text


def test_the_license_and_the_rabies_shot_are_read_and_not_asked_for(resident, rows):
    resident.visit(f"{rows}/license")
    assert "nothing has to be sent here" in resident.text
    assert "Rabies certificate good to June 12, 2029." in resident.text


def test_a_row_that_is_none_is_not_there(resident, rows):
    resident.visit(f"{rows}/breed", status=404)

"""90.04(B) and (C): who needs a license, and from which day."""

from datetime import date

import pytest

from portal.ordinance.finding import for_the_person
from portal.ordinance.licensing import (
    AgeEstimate,
    Answers,
    MovedFrom,
    Need,
    Situation,
    birth_date,
    birth_refusals,
    eligibility,
    needed_from,
    six_month_date,
)

TODAY = date(2026, 11, 20)


def ask(situation: Situation, **answers):
    return eligibility(Answers(situation=situation, **answers), on=TODAY)


def rules(found) -> list[str]:
    return [finding.rule for finding in found.findings]


@pytest.mark.parametrize(
    ("born_on", "six_months", "first_day"),
    [
        pytest.param("2026-08-31", "2027-02-28", "2027-03-01", id="90.04(B)(1) example 1"),
        pytest.param("2027-08-31", "2028-02-29", "2028-03-01", id="90.04(B)(1) example 2"),
        pytest.param("2026-08-28", "2027-02-28", "2027-03-01", id="90.04(B)(1) example 3: the 28th"),
        pytest.param("2026-08-29", "2027-02-28", "2027-03-01", id="90.04(B)(1) example 3: the 29th"),
        pytest.param("2026-05-20", "2026-11-20", "2026-11-21", id="90.04(B)(1) over six months begins the day after"),
    ],
)
def test_a_license_is_needed_from_the_day_after_six_months(born_on, six_months, first_day):
    born = date.fromisoformat(born_on)
    assert six_month_date(born).isoformat() == six_months
    assert needed_from(born).isoformat() == first_day


@pytest.mark.parametrize(
    ("born_on", "need"),
    [
        pytest.param(date(2026, 5, 20), Need.NOT_YET, id="90.04(B)(1) six months old today"),
        pytest.param(date(2026, 5, 19), Need.NEEDED, id="90.04(B)(1) six months old yesterday"),
        pytest.param(date(2026, 7, 20), Need.NOT_YET, id="90.04(B)(1) example 5: a four-month puppy"),
        pytest.param(None, Need.NEEDED, id="90.04(B)(1) a grown dog of unknown birth"),
    ],
)
def test_a_resident_dog_is_judged_by_its_age(born_on, need):
    assert ask(Situation.RESIDENT_DOG, born_on=born_on).need is need


def test_a_puppy_is_told_its_day_that_it_may_apply_earlier_and_that_it_counts():
    found = ask(Situation.RESIDENT_DOG, born_on=date(2026, 8, 31))
    assert found.needed_from == date(2027, 3, 1)
    assert found.findings[0].sentence == (
        "Not required yet: a license is needed from Monday, March 1, 2027, "
        "the day after the dog is six months old. You may apply earlier"
    )
    assert rules(found) == ["90.04(B)(1)", "90.09(A)"]
    assert not found.needs_review


def test_an_estimated_age_is_kept_with_its_day_and_refuses_nobody():
    """90.04(B)(1), example 4."""
    found = ask(Situation.RESIDENT_DOG, age=AgeEstimate(months=5, as_of=TODAY))
    assert (found.need, found.needed_from, found.is_needed_from_estimated) == (Need.NOT_YET, date(2026, 12, 21), True)
    assert "about Monday, December 21, 2026" in found.findings[0].sentence


@pytest.mark.parametrize(
    ("stated", "age_months", "estimated_on", "born_on"),
    [
        pytest.param(date(2024, 6, 1), 30, date(2026, 11, 30), date(2024, 6, 1), id="stated: no estimate counts"),
        pytest.param(None, 6, date(2026, 11, 30), date(2026, 5, 30), id="645.14 six months before the estimate"),
        pytest.param(None, 6, date(2026, 8, 31), date(2026, 2, 28), id="645.14 no 31st in that month"),
        pytest.param(None, None, None, None, id="neither is known"),
    ],
)
def test_the_birth_date_that_counts(stated, age_months, estimated_on, born_on):
    assert birth_date(stated, age_months=age_months, estimated_on=estimated_on) == born_on


def test_somebody_who_only_says_puppy_is_not_asked_to_pay():
    found = ask(Situation.PUPPY)
    assert (found.need, found.needed_from) == (Need.NOT_YET, None)


def test_somebody_who_says_puppy_of_a_dog_over_six_months_is_told_it_needs_a_license():
    assert ask(Situation.PUPPY, born_on=date(2026, 1, 1)).need is Need.NEEDED


@pytest.mark.parametrize(
    ("situation", "need", "rule", "needs_review"),
    [
        pytest.param(Situation.CAT, Need.EXEMPT, "90.04(B)(1)", False, id="90.04(B)(1) example 6: a cat"),
        pytest.param(
            Situation.OTHER_SERVICE_DOG, Need.FREE_RECORD, "ADA-service-animals", True, id="90.04(C) example 7"
        ),
        pytest.param(Situation.POLICE_DOG, Need.FREE_RECORD, "90.04(C)", True, id="90.04(C) example 8"),
        pytest.param(Situation.VISITING, Need.EXEMPT, "90.04(B)(6)", False, id="90.04(B)(6) example 9"),
        pytest.param(Situation.DOG_SHOW, Need.EXEMPT, "90.04(B)(6)", False, id="90.04(B)(6) example 10"),
        pytest.param(Situation.ASSISTANCE_DOG, Need.FREE_RECORD, "90.04(C)", False, id="90.04(C) by attestation"),
    ],
)
def test_the_waivers_rest_on_a_persons_word_and_leave_the_vaccination(situation, need, rule, needs_review):
    found = ask(situation)
    assert (found.need, found.findings[0].rule, found.needs_review) == (need, rule, needs_review)
    assert "90.04(D)(1)" in rules(found)


def test_a_visitor_still_keeps_the_dog_on_a_leash_and_no_days_are_counted():
    """90.04(B)(6), example 9."""
    found = ask(Situation.VISITING)
    assert "90.04(A)" in rules(found)
    assert found.needed_from is None


def test_a_license_from_willmar_does_not_carry_over_and_no_grace_is_invented():
    """90.04(B)(1), example 11."""
    found = ask(Situation.RESIDENT_DOG, born_on=date(2020, 1, 1), moved_from=MovedFrom.MINNESOTA)
    assert found.need is Need.NEEDED
    assert any("no grace period is stated" in finding.sentence for finding in found.findings)
    assert "R.1721.0500" not in rules(found)


def test_a_dog_from_south_dakota_is_told_of_the_import_rule():
    """90.04(B)(3), Minn. R. 1721.0500, example 12."""
    found = ask(Situation.RESIDENT_DOG, born_on=date(2020, 1, 1), moved_from=MovedFrom.ANOTHER_STATE)
    assert "R.1721.0500" in rules(found)


@pytest.mark.parametrize("situation", [Situation.RESIDENT_DOG, Situation.VISITING])
def test_a_dog_declared_dangerous_elsewhere_can_go_on_and_is_seen_by_a_person(situation):
    """90.13(H)(11), example 13."""
    found = ask(situation, born_on=date(2020, 1, 1), is_declared_dangerous_elsewhere=True)
    assert found.needs_review
    assert "90.13(H)(11)" in rules(found)


def test_only_a_birth_in_the_future_is_refused():
    assert birth_refusals(born_on=TODAY, on=TODAY) == []
    assert birth_refusals(born_on=None, on=TODAY) == []
    (refusal,) = birth_refusals(born_on=date(2026, 12, 1), on=TODAY)
    assert (refusal.rule, refusal.field) == ("90.04(B)(1)", "born_on")
    assert "in the future" in refusal.sentence


@pytest.mark.parametrize("situation", Situation)
def test_every_situation_has_a_reading_that_the_person_may_see(situation):
    found = ask(situation)
    assert for_the_person(found.findings) == found.findings != ()

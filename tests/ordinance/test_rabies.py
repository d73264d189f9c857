"""90.04(D): three dates kept apart, and who decides when they do not agree."""

from datetime import date

import pytest

from portal.ordinance.certificates import (
    ORDINANCE_FIELDS,
    STATE_FIELDS,
    Certificate,
    CertificateField,
    Dose,
    Evidence,
    VaccineType,
    missing_fields,
)
from portal.ordinance.rabies import Assessment, Gate, Outcome, assess

TODAY = date(2026, 11, 20)


def of(on: date = TODAY, gate: Gate = Gate.STRICTEST, **says) -> Assessment:
    says.setdefault("given_on", date(2025, 6, 12))
    return assess(Certificate(**says), on=on, gate=gate)


def sentences(found: Assessment) -> str:
    return " | ".join(finding.sentence for finding in found.findings)


def test_a_booster_with_a_running_due_date_is_current_with_nothing_to_say():
    found = of(due_on=date(2028, 6, 12), duration_years=3, dose=Dose.BOOSTER)
    assert found == Assessment(
        Outcome.CURRENT, date(2028, 6, 12), date(2028, 6, 12), date(2028, 6, 12), date(2025, 6, 12), (), ()
    )
    assert found.earliest_due == date(2028, 6, 12)


def test_a_first_dose_of_a_three_year_product_is_current_and_its_booster_is_told():
    """90.04(D), example 22."""
    found = of(given_on=TODAY, due_on=date(2029, 11, 20), duration_years=3, dose=Dose.FIRST)
    assert found.outcome is Outcome.CURRENT
    assert found.immunized_from == date(2026, 12, 18)
    assert found.science_due == found.earliest_due == date(2027, 11, 20)
    assert found.ordinance_until == found.certificate_due == date(2029, 11, 20)
    assert "a booster is due on November 20, 2027" in sentences(found)


def test_a_first_dose_whose_booster_was_missed_still_passes_and_is_told():
    found = of(on=date(2028, 1, 10), given_on=TODAY, due_on=date(2029, 11, 20), duration_years=3, dose=Dose.FIRST)
    assert found.outcome is Outcome.CURRENT
    assert "a booster was due on November 20, 2027" in sentences(found)


def test_somebody_who_does_not_know_is_asked_whether_it_was_the_first():
    """90.04(D), example 22."""
    found = of(given_on=TODAY, due_on=date(2029, 11, 20), duration_years=3)
    assert [finding.field for finding in found.findings] == ["dose"]
    assert (found.outcome, found.science_due, found.immunized_from) == (Outcome.CURRENT, None, date(2026, 12, 18))


@pytest.mark.parametrize(
    ("on", "outcome"),
    [
        pytest.param(date(2027, 2, 28), Outcome.REVIEW, id="90.04(D)(1) example 23: Sunday the 28th still runs"),
        pytest.param(date(2027, 3, 1), Outcome.NOT_CURRENT, id="90.04(D)(1) example 23: not rolled to Monday"),
    ],
)
def test_three_years_from_a_leap_day_do_not_roll(on, outcome):
    found = of(on=on, given_on=date(2024, 2, 29), due_on=date(2027, 2, 27), dose=Dose.BOOSTER)
    assert (found.ordinance_until, found.outcome) == (date(2027, 2, 28), outcome)


@pytest.mark.parametrize(
    ("gate", "outcome"),
    [
        pytest.param(Gate.STRICTEST, Outcome.REVIEW, id="90.04(D)(1) example 25: a person decides"),
        pytest.param(Gate.ORDINANCE, Outcome.CURRENT, id="90.04(D)(1) the three years alone"),
        pytest.param(Gate.CERTIFICATE, Outcome.NOT_CURRENT, id="90.04(D)(1) the printed date alone"),
    ],
)
def test_a_one_year_product_fourteen_months_old_depends_on_the_citys_gate(gate, outcome):
    found = of(gate=gate, given_on=date(2025, 9, 20), due_on=date(2026, 9, 20), duration_years=1, dose=Dose.BOOSTER)
    assert found.outcome is outcome
    assert "September 20, 2026, has passed" in sentences(found)
    assert "runs until September 20, 2028" in sentences(found)
    assert found.refusals == ()


@pytest.mark.parametrize(
    ("due_on", "gate", "outcome"),
    [
        pytest.param(TODAY, Gate.STRICTEST, Outcome.CURRENT, id="due today"),
        pytest.param(date(2026, 11, 19), Gate.STRICTEST, Outcome.REVIEW, id="due yesterday"),
        pytest.param(None, Gate.STRICTEST, Outcome.REVIEW, id="no due date, strictest"),
        pytest.param(None, Gate.CERTIFICATE, Outcome.REVIEW, id="no due date, certificate"),
        pytest.param(None, Gate.ORDINANCE, Outcome.CURRENT, id="no due date, ordinance"),
    ],
)
def test_the_printed_due_date_is_the_last_day(due_on, gate, outcome):
    assert of(gate=gate, due_on=due_on, dose=Dose.BOOSTER).outcome is outcome


def test_a_four_year_product_past_three_years_goes_to_a_person():
    found = of(given_on=date(2023, 6, 1), due_on=date(2027, 6, 1), duration_years=4, dose=Dose.BOOSTER)
    assert found.outcome is Outcome.REVIEW
    assert "more than three years old" in sentences(found)


def test_a_vaccination_past_both_dates_is_not_current_and_can_still_be_sent():
    found = of(given_on=date(2020, 6, 1), due_on=date(2023, 6, 1), dose=Dose.BOOSTER)
    assert (found.outcome, found.refusals) == (Outcome.NOT_CURRENT, ())
    assert "You can go on" in sentences(found)


def test_a_vaccination_dated_tomorrow_is_refused_beside_its_date():
    """90.04(B)(3), example 20."""
    found = of(given_on=date(2026, 11, 21), due_on=date(2029, 11, 21))
    (refusal,) = found.refusals
    assert (refusal.rule, refusal.field) == ("90.04(B)(3)", "given_on")
    assert "in the future" in refusal.sentence
    assert (found.outcome, found.ordinance_until, found.immunized_from) == (Outcome.REVIEW, None, None)


def test_a_vaccination_dated_today_is_no_future():
    assert of(given_on=TODAY, due_on=date(2027, 11, 20)).refusals == ()


def test_the_last_years_of_the_calendar_are_refused_like_any_future():
    assert of(given_on=date.max, due_on=date.max, duration_years=3).refusals != ()


def test_a_vaccination_before_the_birth_is_refused_unless_the_birth_is_a_guess():
    (refusal,) = of(born_on=date(2025, 7, 1)).refusals
    assert "before the birth date" in refusal.sentence
    guessed = of(born_on=date(2025, 7, 1), is_birth_estimated=True, due_on=date(2028, 6, 12))
    assert (guessed.refusals, guessed.outcome) == ((), Outcome.REVIEW)


def test_a_vaccine_that_lasts_no_year_is_refused():
    assert [refusal.field for refusal in of(duration_years=0).refusals] == ["duration_years"]


@pytest.mark.parametrize(
    ("given_on", "outcome"),
    [
        pytest.param(date(2026, 11, 10), Outcome.REVIEW, id="90.04(D) example 21: ten weeks old"),
        pytest.param(date(2026, 11, 30), Outcome.REVIEW, id="the day before three months"),
        pytest.param(date(2026, 12, 1), Outcome.CURRENT, id="three months old"),
    ],
)
def test_a_puppy_vaccinated_before_three_months_is_kept_and_flagged(given_on, outcome):
    found = of(
        on=date(2026, 12, 10),
        born_on=date(2026, 9, 1),
        given_on=given_on,
        due_on=date(2027, 12, 1),
        dose=Dose.FIRST,
    )
    assert (found.outcome, found.refusals) == (outcome, ())
    assert ("below the minimum age" in sentences(found)) is (outcome is Outcome.REVIEW)


@pytest.mark.parametrize("vaccine_type", VaccineType)
def test_every_type_of_vaccine_is_accepted(vaccine_type):
    """90.04(D)(1), example 26: an inactivated vaccine is good."""
    assert of(due_on=date(2028, 6, 12), vaccine_type=vaccine_type).outcome is Outcome.CURRENT


def test_the_words_live_modified_are_a_note_to_staff_where_the_city_asks_for_it():
    certificate = Certificate(given_on=date(2025, 6, 12), due_on=date(2028, 6, 12), dose=Dose.BOOSTER)
    (note,) = assess(certificate, on=TODAY, notes_live_modified=True).findings
    assert (note.rule, note.is_for_staff, note.needs_review) == ("90.04(D)(1)", True, False)


def test_a_dose_the_owner_gave_is_explained_and_goes_to_a_person():
    """90.04(B)(3), example 28."""
    found = of(evidence=Evidence.OWNER_GIVEN, due_on=date(2028, 6, 12), dose=Dose.BOOSTER)
    assert (found.outcome, found.refusals) == (Outcome.REVIEW, ())
    assert "when a veterinarian gives it" in sentences(found)


def test_a_letter_that_vaccination_would_harm_goes_to_a_person_without_asking_for_a_date():
    """90.04(D)(1), example 29."""
    found = of(evidence=Evidence.MEDICAL_LETTER, given_on=None)
    assert (found.outcome, found.refusals, found.earliest_due) == (Outcome.REVIEW, (), None)
    assert [finding.field for finding in found.findings] == ["evidence"]


def test_a_certificate_without_its_date_is_asked_for_it_and_not_refused():
    found = of(given_on=None, due_on=date(2028, 6, 12))
    assert (found.outcome, found.refusals) == (Outcome.REVIEW, ())
    assert found.findings[0].field == "given_on"


def test_a_due_date_equal_to_the_given_date_is_a_conflict_and_the_vial_says_nothing():
    """Case D5: given 3 March 2025, three-year product, vial good to January 2026, sent in September 2025."""
    found = of(
        on=date(2025, 9, 15),
        given_on=date(2025, 3, 3),
        due_on=date(2025, 3, 3),
        duration_years=3,
        dose=Dose.BOOSTER,
        vaccine_expires_on=date(2026, 1, 31),
    )
    assert (found.ordinance_until, found.certificate_due) == (date(2028, 3, 3), date(2025, 3, 3))
    assert (found.outcome, found.refusals) == (Outcome.REVIEW, ())
    assert [finding.sentence for finding in found.findings] == [
        "The due date is the same as the vaccination date. Check it against the certificate"
    ]


@pytest.mark.parametrize("gate", Gate)
def test_no_gate_lets_a_conflict_pass_without_a_person(gate):
    same = of(gate=gate, on=date(2025, 9, 15), given_on=date(2025, 3, 3), due_on=date(2025, 3, 3))
    assert same.outcome is Outcome.REVIEW


@pytest.mark.parametrize(
    ("says", "field"),
    [
        pytest.param({"due_on": date(2025, 6, 1)}, "due_on", id="D5 due before it was given"),
        pytest.param({"due_on": date(2027, 1, 12), "duration_years": 3}, "due_on", id="D5 due does not fit the years"),
        pytest.param({"due_on": date(2029, 6, 13)}, "due_on", id="D5 due later than any vaccine lasts"),
        pytest.param({"due_on": date(2028, 6, 12), "duration_years": 2}, "duration_years", id="D5 no such product"),
        pytest.param({"due_on": date(2028, 6, 12), "duration_years": 40}, "duration_years", id="D5 forty years"),
        pytest.param(
            {"due_on": date(2028, 6, 12), "vaccine_expires_on": date(2025, 6, 1)},
            "vaccine_expires_on",
            id="D5 old vial",
        ),
    ],
)
def test_dates_that_do_not_agree_are_shown_and_flagged_never_refused(says, field):
    found = of(dose=Dose.BOOSTER, **says)
    assert (found.outcome, found.refusals) == (Outcome.REVIEW, ())
    assert [finding.field for finding in found.findings if finding.needs_review] == [field]


@pytest.mark.parametrize(
    ("dose", "due_on", "outcome"),
    [
        pytest.param(Dose.FIRST, date(2026, 12, 12), Outcome.REVIEW, id="neither one year nor three"),
        pytest.param(Dose.FIRST, date(2026, 6, 12), Outcome.REVIEW, id="one year, and it has passed"),
        pytest.param(Dose.BOOSTER, date(2028, 6, 11), Outcome.CURRENT, id="printed a day short"),
        pytest.param(Dose.BOOSTER, date(2028, 6, 30), Outcome.CURRENT, id="printed to the end of the month"),
    ],
)
def test_a_clinic_may_print_a_day_or_a_month_more_or_less(dose, due_on, outcome):
    assert of(dose=dose, due_on=due_on, duration_years=3).outcome is outcome


def test_a_first_dose_of_a_three_year_product_may_be_due_in_one_year():
    found = of(given_on=date(2026, 6, 12), due_on=date(2027, 6, 12), duration_years=3, dose=Dose.FIRST)
    assert found.outcome is Outcome.CURRENT
    assert not any(finding.field == "due_on" for finding in found.findings)


def test_missing_fields_are_warnings_that_name_them():
    shown = frozenset(ORDINANCE_FIELDS) - {CertificateField.SEX, CertificateField.SIGNATURE}
    found = of(due_on=date(2028, 6, 12), dose=Dose.BOOSTER, shown=shown | frozenset(STATE_FIELDS))
    assert found.outcome is Outcome.CURRENT
    (warning,) = found.findings
    assert (warning.rule, warning.needs_review) == ("90.04(D)(2)", False)
    assert warning.sentence == "The certificate does not show its sex and the veterinarian's signature"


def test_the_wider_state_fields_are_a_warning_of_their_own():
    found = missing_fields(frozenset(CertificateField) - {CertificateField.SERIAL_NUMBER})
    assert [(finding.rule, finding.sentence) for finding in found] == [
        ("R.1721.0540", "The certificate does not show the vaccine's serial number")
    ]


def test_the_ordinance_has_nine_fields_and_a_whole_certificate_has_no_warning():
    assert len(ORDINANCE_FIELDS) == 9
    assert missing_fields(frozenset(CertificateField)) == ()

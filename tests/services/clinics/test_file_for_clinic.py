"""Filing for a clinic: once for a key, only with the nine fields, and what the ordinance noticed is kept."""

from datetime import date

import pytest

from portal.ordinance.certificates import VaccineType
from portal.schema.clinics import ClinicFiling
from portal.services.clinics.file_for_clinic import ORDINANCE_FIELDS
from portal.services.clinics.filing_answers import FilingAnswers, answers_of
from portal.services.refusal import Refused
from tests.support.filings import PEPPER


def refused(filings, **changed) -> set[str | None]:
    """The answers that stop a filing."""
    with pytest.raises(Refused) as no:
        filings.file(filings.clinic(), **changed)
    return {refusal.field for refusal in no.value.refusals}


@pytest.mark.parametrize("field", ORDINANCE_FIELDS)
def test_each_of_the_nine_fields_is_needed(filings, database, field):
    """90.04(D)(2)."""
    empty = {"sex": None, "given_on": None, "vaccine_type": VaccineType.UNKNOWN}.get(field, "")
    assert refused(filings, **{field: empty}) == {field}
    assert database.counts().get("animal_control.clinic_filing") is None


def test_everything_that_is_missing_is_told_at_once(filings):
    empty = {"owner_name": "", "animal_name": "", "weight": None, "sex": None}
    assert refused(filings, **empty) == set(empty)


@pytest.mark.parametrize(
    ("changed", "fields"),
    [
        pytest.param({"given_on": date(2026, 12, 1)}, {"given_on"}, id="90.04(B)(3) tomorrow"),
        pytest.param({"duration_years": 0}, {"duration_years"}, id="R.1721.0540 lasts no year"),
    ],
)
def test_the_impossible_is_refused(filings, changed, fields):
    assert refused(filings, **changed) == fields


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"given_on": date(2026, 11, 30)}, id="today"),
        pytest.param({"due_on": date(2026, 10, 12)}, id="D5 due on the day it was given"),
        pytest.param({"due_on": date(2026, 1, 1)}, id="due before it was given"),
        pytest.param({"due_on": None}, id="no due date"),
        pytest.param({"duration_years": 2}, id="no vaccine is licensed for two years"),
        pytest.param({"vaccine_expires_on": date(2020, 1, 1)}, id="the vial had expired"),
        pytest.param({"given_on": date(2019, 1, 1), "due_on": date(2022, 1, 1)}, id="long over"),
    ],
)
def test_everything_else_is_taken_and_what_was_noticed_is_kept(filings, database, changed):
    filings.file(filings.clinic(), **changed)
    detail = database.value("SELECT detail FROM animal_control.event WHERE kind = 'filing.received'")
    assert detail["channel"] == "page"
    assert isinstance(detail["findings"], list)
    assert detail["statement"]


def test_a_disagreement_of_dates_is_in_the_feed(filings, database):
    filings.file(filings.clinic(), due_on=date(2026, 10, 12))
    detail = database.value("SELECT detail FROM animal_control.event WHERE kind = 'filing.received'")
    assert "90.04(D)(2)" in detail["findings"]


def test_the_same_key_again_is_the_same_filing(filings, database):
    clinic_id = filings.clinic()
    assert filings.file(clinic_id, key="a") == filings.file(clinic_id, key="a", animal_name="Rex")
    assert database.counts()["animal_control.clinic_filing"] == 1
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'filing.received'") == 1


def test_a_key_is_the_clinics_own(filings):
    assert filings.file(filings.clinic(), key="a") != filings.file(filings.clinic("Other Vets"), key="a")


def test_a_filing_read_back_is_what_was_filed(filings, database):
    filings.file(filings.clinic(), microchip="985 112-000", rabies_tag="26-0412")
    (row,) = database.all(ClinicFiling)
    assert answers_of(row) == FilingAnswers(**PEPPER, microchip="985112000", rabies_tag="26-0412")


def test_the_content_decides_whether_two_are_the_same_and_not_who_signed():
    pepper = FilingAnswers(**PEPPER)
    assert pepper.content_key() == FilingAnswers(**{**PEPPER, "attested_name": "Ole"}).content_key()
    assert pepper.content_key() != FilingAnswers(**{**PEPPER, "weight": "63 lb"}).content_key()

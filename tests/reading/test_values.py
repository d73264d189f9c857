"""What stands beside a label, and what it means."""

import pytest

from portal.services.reading.labels import PaperField as P
from portal.services.reading.labels import label_at
from portal.services.reading.values import READERS


@pytest.mark.parametrize(
    ("field", "printed", "value"),
    [
        (P.WEIGHT, "62 lb", "62 lb"),
        (P.WEIGHT, "62Ib", "62 lb"),
        (P.WEIGHT, "6.5 kg", "6.5 kg"),
        (P.WEIGHT, "62 #", "62 lb"),
        (P.WEIGHT, "20-50 lbs", "20-50 lbs"),
        (P.WEIGHT, "Under 20 lb", "Under 20 lb"),
        (P.WEIGHT, "Large", "Large"),
        (P.WEIGHT, "-", None),
        (P.SEX, "Female, spayed", "female"),
        (P.SEX, "FS", "female"),
        (P.SEX, "Female/Neutered", "female"),
        (P.SEX, "M/N", "male"),
        (P.SEX, "Neutered Male", "male"),
        (P.SEX, "Male Female", None),
        (P.DURATION_YEARS, "3 years", 3),
        (P.DURATION_YEARS, "1 yr", 1),
        (P.DURATION_YEARS, "3-Year", 3),
        (P.DURATION_YEARS, "36 months", 3),
        (P.DURATION_YEARS, "l year", 1),
        (P.DURATION_YEARS, "Three Year", 3),
        (P.DURATION_YEARS, "[ ] 1 Year [X] 3 Year", 3),
        (P.DURATION_YEARS, "1 Year 3 Year", None),
        (P.DURATION_YEARS, "3", 3),
        (P.DOSE, "Initial", "first"),
        (P.DOSE, "1st dose", "first"),
        (P.DOSE, "Booster", "booster"),
        (P.DOSE, "Initial Booster", None),
        (P.MICROCHIP, "985112003456781", "985112003456781"),
        (P.MICROCHIP, "985 112 003 456 781", "985112003456781"),
        (P.MICROCHIP, "98511200345678l", "985112003456781"),
        (P.MICROCHIP, "none", None),
        (P.RABIES_TAG, "25-3316", "25-3316"),
        (P.RABIES_TAG, "25 - 3316", "25-3316"),
        (P.RABIES_TAG, "A1234", "A1234"),
        (P.RABIES_TAG, "06/12/2025", None),
        (P.LOT, "18431A Exp 01/2027", "18431A"),
        (P.LOT, "02140553", "02140553"),
        (P.VETERINARIAN_LICENSE, "MN 10482", "MN 10482"),
        (P.VETERINARIAN_LICENSE, "10482", "10482"),
        (P.PRODUCT, "Imrab 3", "Imrab 3"),
        (P.PRODUCT, "Killed", None),
        (P.CLINIC_NAME, "Prairie Mobile Vet, Willmar, MN 56201", "Prairie Mobile Vet"),
        (P.CLINIC_NAME, "Dahl Animal Hospital, 900 Pacific Ave, Benson", "Dahl Animal Hospital"),
        (P.ANIMAL_NAME, "Pepper (#12345)", "Pepper"),
        (P.ANIMAL_NAME, "Zoë", "Zoë"),
        (P.OWNER_NAME, "Siobhán O'Brien-Nuñez", "Siobhán O'Brien-Nuñez"),
        (P.COLOR, "N/A", None),
    ],
)
def test_a_value_is_read_as_it_is_meant(field, printed, value):
    found = READERS[field](printed)
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("line", "field", "rest"),
    [
        ("Next vaccination due by: 2028-06-12", P.DUE_ON, ": 2028-06-12"),
        ("Nextvaccinationdueby:", P.DUE_ON, ":"),
        ("DATE VACClNATED", P.GIVEN_ON, ""),
        ("Rabies Tag # 25-3316", P.RABIES_TAG, " # 25-3316"),
        ("Tag 25-3316", P.RABIES_TAG, " 25-3316"),
        ("Owner’s name (last, first)", P.OWNER_NAME, " (last, first)"),
        ("Serial / lot: 18431A", P.LOT, ": 18431A"),
        ("Lic. No. 10482", P.VETERINARIAN_LICENSE, ". 10482"),
    ],
)
def test_a_label_is_known_in_many_wordings(line, field, rest):
    label = label_at(line)
    assert label
    assert (label.field, line[label.end :]) == (field, rest)


@pytest.mark.parametrize("line", ["Owned by nobody", "Duesenberg", "Tagged", "Pet friendly", "Lotus"])
def test_words_that_begin_like_a_label_are_none(line):
    assert label_at(line) is None


@pytest.mark.parametrize("line", ["Date of birth: 06/01/2024", "Date printed 06/12/2025", "Date issued: 06/12/2025"])
def test_other_dates_are_not_taken_for_the_vaccination(line):
    label = label_at(line)
    assert label
    assert label.field is None

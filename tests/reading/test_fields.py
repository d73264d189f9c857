"""From lines to fields, in the layouts of the national form and of practice software."""

from datetime import date

import pytest

from portal.services.reading.fields import read_fields
from portal.services.reading.labels import PaperField as P
from tests.reading.lines import at, seen_from_below, table, turned, two_columns

GIVEN, DUE = date(2025, 6, 12), date(2028, 6, 12)
LIST = two_columns(
    ("Owner:", "Mai Yang"),
    ("Address:", "1310 Idaho Ave, Benson, MN 56215"),
    ("Animal name:", "Pepper"),
    ("Sex:", "Female, spayed"),
    ("Date of birth:", "06/01/2021"),
    ("Vaccine product:", "Imrab 3"),
    ("Serial / lot:", "18431A"),
    ("Licensed duration:", "3 years"),
    ("Date vaccinated:", "2025-06-12"),
    ("Next vaccination due by:", "2028-06-12"),
    ("Rabies tag number:", "25-3316"),
    ("Microchip:", ""),
    ("Veterinarian:", "Dr. Karin Dahl, DVM"),
)
IN_LIST = {
    P.OWNER_NAME: "Mai Yang",
    P.ANIMAL_NAME: "Pepper",
    P.SEX: "female",
    P.PRODUCT: "Imrab 3",
    P.LOT: "18431A",
    P.DURATION_YEARS: 3,
    P.GIVEN_ON: GIVEN,
    P.DUE_ON: DUE,
    P.RABIES_TAG: "25-3316",
    P.VETERINARIAN: "Dr. Karin Dahl, DVM",
}


def values(lines):
    return {field: read.value for field, read in read_fields(lines).items()}


def test_labels_on_the_left_and_values_on_the_right():
    assert values(LIST) == IN_LIST


@pytest.mark.parametrize("degrees", [-12, -5, 5, 12, 90, 180, 270])
def test_a_page_may_be_turned(degrees):
    assert values(turned(LIST, degrees)) == IN_LIST


@pytest.mark.parametrize("degrees", [-8, 0, 8])
def test_a_page_may_be_seen_at_an_angle(degrees):
    assert values(seen_from_below(turned(LIST, degrees))) == IN_LIST


def test_labels_above_their_values_as_on_the_national_form():
    lines = [
        *table(("OWNER'S NAME", "RABIES TAG #", "MICROCHIP #"), ("Yang, Mai", "25-3316", "985112003456781")),
        *[
            at(line.corners[0][0], line.corners[0][1] + 200, line.text)
            for line in table(
                ("ANIMAL'S NAME", "SEX", "PREDOMINANT BREED", "COLORS/MARKINGS"),
                ("Pepper", "F/S", "Labrador retriever", "Black"),
            )
        ],
        *[
            at(line.corners[0][0], line.corners[0][1] + 400, line.text)
            for line in table(
                ("DATE VACCINATED", "NEXT DUE DATE", "PRODUCT NAME", "SERIAL (LOT) #"),
                ("06/12/2025", "06/12/2028", "Imrab 3", "18431A"),
            )
        ],
    ]
    assert values(lines) == {
        P.OWNER_NAME: "Yang, Mai",
        P.RABIES_TAG: "25-3316",
        P.MICROCHIP: "985112003456781",
        P.ANIMAL_NAME: "Pepper",
        P.SEX: "female",
        P.BREED: "Labrador retriever",
        P.COLOR: "Black",
        P.GIVEN_ON: GIVEN,
        P.DUE_ON: DUE,
        P.PRODUCT: "Imrab 3",
        P.LOT: "18431A",
    }


def test_in_a_table_of_vaccines_the_row_of_rabies_counts():
    lines = table(
        ("Vaccine", "Date Given", "Due Date", "Lot #"),
        ("DHPP", "05/01/2025", "05/01/2026", "D9911"),
        ("Bordetella", "05/02/2025", "05/02/2026", "B2211"),
        ("Rabies 3 Year", "06/12/2025", "06/12/2028", "18431A"),
    )
    found = values(lines)
    assert (found[P.GIVEN_ON], found[P.DUE_ON], found[P.LOT]) == (GIVEN, DUE, "18431A")
    assert found[P.DURATION_YEARS] == 3


def test_several_labels_in_one_line():
    lines = [
        at(100, 0, "Patient: Pepper (12345)  Species: Canine  Sex: FS  Weight: 62 lbs"),
        at(100, 40, "Client: Mai Yang  Phone: (320) 555-0114"),
        at(100, 80, "Vaccinated: 12 Jun 25  Next due: 12 Jun 28  Tag #: 25-3316"),
    ]
    assert values(lines) == {
        P.ANIMAL_NAME: "Pepper",
        P.SEX: "female",
        P.WEIGHT: "62 lbs",
        P.OWNER_NAME: "Mai Yang",
        P.GIVEN_ON: GIVEN,
        P.DUE_ON: DUE,
        P.RABIES_TAG: "25-3316",
    }


def test_a_bare_name_is_the_owners_or_the_animals_by_its_part_of_the_page():
    lines = two_columns(
        ("Client information", ""), ("Name:", "Mai Yang"), ("Patient information", ""), ("Name:", "Pepper")
    )
    assert values(lines) == {P.OWNER_NAME: "Mai Yang", P.ANIMAL_NAME: "Pepper"}


def test_words_set_apart_are_one_line():
    lines = [at(100, 0, "Date"), at(146, 0, "vaccinated:"), at(500, 0, "June"), at(546, 0, "12,"), at(580, 0, "2025")]
    assert values(lines) == {P.GIVEN_ON: GIVEN}


def test_a_label_may_be_misread_by_a_letter():
    lines = two_columns(
        ("Owner", "Mai Yang"), ("Anmal name:", "Bella"), ("MANUPACTURER", "Zoetis"), ("Vetennarian:", "Dr. Lee")
    )
    assert values(lines) == {
        P.OWNER_NAME: "Mai Yang",
        P.ANIMAL_NAME: "Bella",
        P.MANUFACTURER: "Zoetis",
        P.VETERINARIAN: "Dr. Lee",
    }


def test_a_label_may_follow_a_value_without_a_blank():
    assert values([at(0, 0, "Breed: Labrador retrieverSex: Female")]) == {
        P.BREED: "Labrador retriever",
        P.SEX: "female",
    }


def test_what_has_no_label_is_known_by_its_shape():
    lines = [
        at(100, 0, "Chippewa Valley Veterinary Clinic"),
        at(100, 80, "Imrab 3 TF, three year vaccine"),
        at(100, 160, "Scanned 985112003456781"),
        at(100, 240, "Dr. Karin Dahl"),
    ]
    found = read_fields(lines)
    assert {field: read.value for field, read in found.items()} == {
        P.CLINIC_NAME: "Chippewa Valley Veterinary Clinic",
        P.PRODUCT: "Imrab 3 TF",
        P.DURATION_YEARS: 3,
        P.MICROCHIP: "985112003456781",
        P.VETERINARIAN: "Dr. Karin Dahl",
    }
    assert all(read.confidence <= 0.8 for read in found.values())


def test_the_date_on_the_vial_is_not_the_due_date():
    lines = two_columns(("Date given:", "06/12/2025"), ("Expiration date:", "01/31/2027"), ("Due:", "06/12/2028"))
    assert values(lines) == {P.GIVEN_ON: GIVEN, P.VACCINE_EXPIRES_ON: date(2027, 1, 31), P.DUE_ON: DUE}


def test_expires_three_years_on_is_a_due_date_that_is_hard_to_read():
    found = read_fields(two_columns(("Date given:", "06/12/2025"), ("Expires:", "06/12/2028")))
    assert found[P.DUE_ON].value == DUE
    assert found[P.DUE_ON].confidence < 0.85
    assert P.VACCINE_EXPIRES_ON not in found


def test_what_contradicts_itself_is_left_as_it_is_read():
    """D5: nothing is put right on the way."""
    lines = two_columns(("Date given:", "2025-03-03"), ("Next due:", "2025-03-03"), ("Duration:", "3 years"))
    assert values(lines) == {P.GIVEN_ON: date(2025, 3, 3), P.DUE_ON: date(2025, 3, 3), P.DURATION_YEARS: 3}


def test_an_empty_value_takes_nothing_from_its_neighbors():
    lines = [at(100, 0, "Date given:"), at(400, 0, "Next due:"), at(700, 0, "06/12/2028")]
    assert values(lines) == {P.DUE_ON: DUE}


def test_how_sure_a_value_is_comes_from_the_engine():
    lines = [at(100, 0, "Date given:", confidence=0.9), at(500, 0, "O6/12/2025", confidence=0.5)]
    assert read_fields(lines)[P.GIVEN_ON].confidence == pytest.approx(0.4)


def test_nothing_yields_nothing():
    assert read_fields([]) == {}
    assert read_fields([at(0, 0, "A photo of a dog")]) == {}

"""States and ZIP codes as people write them."""

import pytest

from portal.forms.us_addresses import A_STATE, A_ZIP_CODE, STATES, StateField, ZipCodeField
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")


@pytest.mark.parametrize(
    "typed",
    [
        "MN",
        "mn",
        "Minn.",
        "M.N.",
        "minnesota",
        " North  Dakota ",
        "D.C.",
        "Puerto Rico",
        "US Virgin Islands",
        "AE",
        "AP",
    ],
)
def test_a_state_a_territory_and_the_military_are_taken_as_typed(typed: str) -> None:
    asked = answer(StateField("State"), asked=typed)
    assert asked.errors == []
    assert asked.data == " ".join(typed.split())


@pytest.mark.parametrize("typed", ["Zz", "Ontario", "M", "56215", "MNN", "…"])
def test_what_is_no_state_is_asked_for_again(typed: str) -> None:
    assert answer(StateField("State"), asked=typed).errors == [A_STATE]


def test_all_are_there() -> None:
    assert len(STATES) == 50 + 1 + 8 + 3


@pytest.mark.parametrize("typed", ["56215", "56215-1234", "562151234", "56215 1234", " 00501 "])
def test_five_digits_or_nine_are_a_zip_code(typed: str) -> None:
    assert answer(ZipCodeField("ZIP code"), asked=typed).errors == []


@pytest.mark.parametrize("typed", ["9", "5621", "562155", "56215-12", "K1A 0B1", "٥٦٢١٥"])
def test_what_is_no_zip_code_is_asked_for_again(typed: str) -> None:
    assert answer(ZipCodeField("ZIP code"), asked=typed).errors == [A_ZIP_CODE]


def test_nothing_at_all_is_for_the_question_to_say() -> None:
    assert answer(StateField("State"), asked="").errors == []
    assert answer(ZipCodeField("ZIP code"), asked="").errors == []

"""Names are folded the same way here and in the database, so that what either wrote is found by the other."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.services.folding import chip, folded, folded_address, surname

NAMES = [
    "Pat O'Brien",
    "Pat O’Brien Jr.",
    "O'Brien, Pat",
    "D’Angelo",
    "Mai-Lee",
    "Nguyễn Thị Hoa",
    "Đặng",
    "Łukasz Ørsted",
    "Strauß",
    "Null",
    "🐶 Bailey",
    "🐶",
    ", Pat",
    "Jr",
    "jr jr",
    "Kim & Pat van der Berg III",
    "Émile   Zola\u00a0MD",
    "Dr. Karin Dahl, DVM",
    "",
    "985-1120 0123 4567",
    "IJsberg_two",
    "½ 123½ Main",
    "\uff30\uff41\uff54",
]


def test_names_are_folded_alike_here_and_in_the_database(database):
    query = "SELECT animal_control.folded(:n) AS f, animal_control.surname(:n) AS s, animal_control.mark(:n) AS m"
    there = {name: tuple(database.rows(query, n=name)[0].values()) for name in NAMES}
    assert there == {name: (folded(name), surname(name), chip(name)) for name in NAMES}


LETTERS = st.text(
    st.characters(min_codepoint=1, max_codepoint=0x24F, exclude_categories=["Cs"]) | st.sampled_from(" '’,.-🐾")
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=LETTERS)
def test_and_so_is_any_latin_name(database, name):
    found = database.rows("SELECT animal_control.folded(:n) AS f, animal_control.surname(:n) AS s", n=name)[0]
    assert (found.f, found.s) == (folded(name), surname(name))


@pytest.mark.parametrize(
    "typed",
    [
        "1310 Idaho Ave, Benson, MN 56215",
        "1310 Idaho Avenue, Benson, Minnesota 56215-1234",
        "1310 IDAHO AVE.\nBENSON MN 56215",
        "1310  Idaho ave Benson 56215",
    ],
)
def test_one_address_however_it_is_written(typed):
    assert folded_address(typed) == folded_address("1310 Idaho Ave", None, "Benson", "56215")


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("12 Main St Apt 4, Benson 56215", "12 Main Street #4, Benson 56215", True),
        ("12 Main St Apt #4, Benson 56215", "12 Main St Unit 4, Benson 56215", True),
        ("12 Main St Apt 4, Benson 56215", "12 Main St Apt 5, Benson 56215", False),
        ("123½ Main St, Benson 56215", "123 Main St, Benson 56215", False),
        ("N8780 County Rd K, Benson 56215", "n8780 county road k, Benson 56215", True),
    ],
)
def test_units_and_halves_are_kept_apart(one, other, are_one):
    """I6."""
    assert (folded_address(one) == folded_address(other)) is are_one

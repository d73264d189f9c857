"""Cases F6, I5 and I6: names, addresses and descriptions stay as people write them."""

import pytest

from portal.forms.fields import CodeField, LongTextField, Needed, TextField
from portal.forms.text import one_line
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")


@pytest.mark.parametrize(
    "name",
    [
        "O'Brien",
        "D’Angelo",
        "Mai-Lee",
        "Nguyễn",
        "Prince",
        "Null",
        "🐶 Bailey",
        "👩‍👩‍👧 family",
        "N8780 County Rd K",
        "123½ Main St",
        "W1234 Hwy 12 Lot 7",
        "<b>Rex</b>",
        "x" * 300,
    ],
)
def test_a_name_or_an_address_is_kept_as_typed(name: str) -> None:
    asked = answer(TextField("", [Needed("Enter a name")]), asked=name)
    assert (asked.data, asked.errors) == (name, [])


@pytest.mark.parametrize("nothing", ["", "   ", "\t\n", "\u00a0", "\u200b\u200b", "\u3164", "\u2800 \ufeff", "\x00"])
def test_a_name_of_blanks_is_no_name(nothing: str) -> None:
    asked = answer(TextField("", [Needed("Enter your dog’s name")]), asked=nothing)
    assert asked.error_links() == [("asked", "Enter your dog’s name")]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        pytest.param("  Rex  ", "Rex", id="ends"),
        pytest.param("Rex   the\tdog", "Rex the dog", id="runs of blanks"),
        pytest.param("Rex\r\nBcc: everybody@example.com", "Rex Bcc: everybody@example.com", id="E1 line break"),
        pytest.param("Re\x00x", "Rex", id="NUL, which PostgreSQL refuses"),
        pytest.param("Re\ud800x", "Rex", id="lone surrogate, which UTF-8 refuses"),
        pytest.param("Rex\u202e", "Rex", id="a turned direction"),
        pytest.param("Nguye\u0302\u0303n", "Nguyễn", id="accents composed"),
        pytest.param("\u200bRex\u200b", "Rex", id="unseen ends"),
    ],
)
def test_what_no_person_typed_is_left_out(typed: str, kept: str) -> None:
    assert one_line(typed) == kept


def test_a_description_keeps_its_lines() -> None:
    asked = answer(LongTextField(), asked="\r\nHe barks.  \r\n\r\nAll night.\x00\r\n ")
    assert asked.data == "He barks.\n\nAll night."


def test_too_long_is_told_with_both_numbers_and_nothing_is_cut() -> None:
    asked = answer(LongTextField(), asked="a" * 20_001)
    assert asked.errors == ["Use 20,000 characters or fewer. You have 20,001."]
    assert len(asked.data) == 20_001


@pytest.mark.parametrize("typed", ["123456", "123 456", " 123-456 "])
def test_a_code_is_read_however_it_is_spaced(typed: str) -> None:
    assert answer(CodeField(), asked=typed).data == "123456"

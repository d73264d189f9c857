"""Cases I1 and I5: kept as typed, and ready to use beside it."""

import pytest

from portal.forms.emails import NO_PICTURES, WHAT_TO_DO
from portal.forms.fields import EmailField, Needed, PhoneField
from portal.forms.phones import PhoneNumber
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")


@pytest.mark.parametrize(
    ("typed", "e164", "extension"),
    [
        pytest.param("(320) 555-0100 x12", "+13205550100", "12", id="I5 extension"),
        pytest.param("+1.320.555.0100", "+13205550100", None, id="I5 dots and country"),
        pytest.param("320 555 0100 ext. 12", "+13205550100", "12", id="extension in words"),
        pytest.param("3205550100", "+13205550100", None, id="digits alone"),
        pytest.param("+52 55 5555 0100", "+525555550100", None, id="another country"),
    ],
)
def test_a_phone_number_is_kept_as_typed_and_can_be_dialed(typed: str, e164: str, extension: str | None) -> None:
    asked = answer(PhoneField(), asked=f" {typed} ")
    assert (asked.data, asked.number, asked.errors) == (typed, PhoneNumber(e164, extension), [])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("555-0100", "Add the area code, like (320) 555-0100"),
        ("320555", "Enter a phone number with its area code, like (320) 555-0100"),
        ("call me", "Enter a phone number with its area code, like (320) 555-0100"),
        ("320-555-0100 or 320-555-0101", "Enter a phone number with its area code, like (320) 555-0100"),
    ],
)
def test_a_number_nobody_can_dial_says_how_to_write_one(typed: str, sentence: str) -> None:
    asked = answer(PhoneField(), asked=typed)
    assert (asked.errors, asked.data, asked.number) == ([sentence], typed, None)


def test_no_phone_number_is_fine_where_none_is_needed() -> None:
    assert answer(PhoneField(), asked="").errors == []


@pytest.mark.parametrize(
    "typed",
    [
        "Gavin@Example.com",
        "gavin+dogs@example.com",
        "o'brien@example.com",
        "jörg@münchen.example.com",
        "用户@例子.广告",
        "पता@उदाहरण.भारत",
    ],
)
def test_an_address_is_kept_as_typed(typed: str) -> None:
    asked = answer(EmailField("", [Needed("Enter your e-mail address")]), asked=f"{typed} ")
    assert (asked.data, asked.errors) == (typed, [])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("gavin", "Enter an e-mail address like name@example.com"),
        ("gavin@", "Enter an e-mail address like name@example.com"),
        ("gavin@example", "Enter an e-mail address like name@example.com"),
        ("gavin @example.com", "An e-mail address has no blanks in it. Enter one like name@example.com"),
        ("a@example.com,b@example.com", "Enter one e-mail address, with one @ in it"),
        ("🐶@example.com", NO_PICTURES),
        ("bailey🐾@example.com", NO_PICTURES),
        ("bailey❤@example.com", NO_PICTURES),
        ("bailey@🐶.example.com", WHAT_TO_DO),
        (f"{'b' * 65}@example.com", WHAT_TO_DO),
    ],
)
def test_what_no_mail_server_takes_says_what_to_do(typed: str, sentence: str) -> None:
    assert answer(EmailField(), asked=typed).errors == [sentence]

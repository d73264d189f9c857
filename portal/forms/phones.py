"""Telephone numbers as typed, and as a machine can dial them. The only module that knows the library."""

from dataclasses import dataclass

import phonenumbers
from phonenumbers import PhoneNumberFormat, ValidationResult

WHAT_TO_DO = "Enter a phone number with its area code, like (320) 555-0100"


class UnreadablePhone(ValueError):
    """The text is no phone number; the message says what to do."""


@dataclass(frozen=True)
class PhoneNumber:
    """A number to dial (E.164) and the extension to ask for."""

    e164: str
    extension: str | None


def read_phone(typed: str, *, region: str = "US") -> PhoneNumber:
    """Read what a person typed: any punctuation, +1 or not, "x12" or "ext. 12"."""
    try:
        number = phonenumbers.parse(typed, region)
    except phonenumbers.NumberParseException as failure:
        raise UnreadablePhone(WHAT_TO_DO) from failure
    # Possible, not "valid": the library's list of exchanges is never newer than the phone company's.
    possible = phonenumbers.is_possible_number_with_reason(number)
    if possible == ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
        raise UnreadablePhone(f"Add the area code, like (320) {typed}")
    if possible != ValidationResult.IS_POSSIBLE:
        raise UnreadablePhone(WHAT_TO_DO)
    return PhoneNumber(phonenumbers.format_number(number, PhoneNumberFormat.E164), number.extension or None)

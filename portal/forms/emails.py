"""E-mail addresses as typed, checked for shape alone. The only form module that knows the library."""

import unicodedata

from email_validator import EmailNotValidError, validate_email

NO_PICTURES = "An e-mail address has no emoji or signs before the @. Enter one like name@example.com"
WHAT_TO_DO = "Enter an e-mail address like name@example.com"


class UnreadableEmail(ValueError):
    """The text is no e-mail address; the message says what to do."""


def check_email(typed: str) -> None:
    """Refuse what no mail server could take. Whether it arrives, the message itself shows."""
    if " " in typed:
        raise UnreadableEmail("An e-mail address has no blanks in it. Enter one like name@example.com")
    if typed.count("@") > 1:
        raise UnreadableEmail("Enter one e-mail address, with one @ in it")
    if not all(map(_may_name_a_mailbox, typed.partition("@")[0])):
        raise UnreadableEmail(NO_PICTURES)
    try:
        validate_email(typed, check_deliverability=False, strict=True)
    except EmailNotValidError as failure:
        raise UnreadableEmail(WHAT_TO_DO) from failure


def _may_name_a_mailbox(one: str) -> bool:
    """The library takes every sign there is; outside of ASCII mailboxes are named in letters, marks and digits."""
    return one.isascii() or unicodedata.category(one)[0] in "LMN"

"""E-mail addresses as typed, checked for shape alone. The only form module that knows the library."""

from email_validator import EmailNotValidError, validate_email

WHAT_TO_DO = "Enter an e-mail address like name@example.com"


class UnreadableEmail(ValueError):
    """The text is no e-mail address; the message says what to do."""


def check_email(typed: str) -> None:
    """Refuse what no mail server could take. Whether it arrives, the message itself shows."""
    if " " in typed:
        raise UnreadableEmail("An e-mail address has no blanks in it. Enter one like name@example.com")
    if typed.count("@") > 1:
        raise UnreadableEmail("Enter one e-mail address, with one @ in it")
    try:
        validate_email(typed, check_deliverability=False)
    except EmailNotValidError as failure:
        raise UnreadableEmail(WHAT_TO_DO) from failure

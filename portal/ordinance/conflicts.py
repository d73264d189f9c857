"""Dates on a certificate that do not agree with each other. They are shown and flagged; none of them is refused.

What counts is the given date and the printed due date, never the day of the upload or the date on the vial.
"""

from collections.abc import Iterator
from datetime import date

from portal.ordinance.certificates import Certificate, Dose
from portal.ordinance.citation import Rule
from portal.ordinance.days import add_months, add_years
from portal.ordinance.finding import Finding

# The published schedule: dogs no sooner than three months of age.
MINIMUM_AGE_MONTHS = 3
# The national certificate form: products are licensed for one, three or four years.
PRODUCT_YEARS = (1, 3, 4)
# Clinics print the day before, or round to a month; a difference under a month is no conflict.
TOLERANCE_DAYS = 31
DUE_BEFORE_GIVEN = "The due date is before the vaccination date. Check both against the certificate"


def date_conflicts(certificate: Certificate) -> Iterator[Finding]:
    """90.04(D)(2): every disagreement between the dates of one certificate, each to be looked at by a person."""
    given_on = certificate.given_on
    if given_on is None:
        return
    yield from _of_age(certificate, given_on)
    if certificate.due_on is not None:
        yield from _of_due_date(certificate, given_on, certificate.due_on)
    if certificate.duration_years is not None and certificate.duration_years not in PRODUCT_YEARS:
        sentence = "Rabies vaccines are licensed for one, three or four years. Check the number on the certificate"
        yield Finding(Rule.FORM_51, sentence, "duration_years", needs_review=True)
    if certificate.vaccine_expires_on and certificate.vaccine_expires_on < given_on:
        sentence = "The vaccine's own expiration date is before the vaccination. Check both dates with your vet"
        yield Finding(Rule.STATE_CERTIFICATE, sentence, "vaccine_expires_on", needs_review=True)


def _of_age(certificate: Certificate, given_on: date) -> Iterator[Finding]:
    born_on = certificate.born_on
    if born_on is None:
        return
    if given_on < born_on:
        sentence = "The vaccination date is before the birth date you estimated. Check both dates"
        yield Finding(Rule.LICENSE_NEEDS_VACCINATION, sentence, "given_on", needs_review=True)
    elif given_on < add_months(born_on, MINIMUM_AGE_MONTHS):
        sentence = (
            "The animal was below the minimum age of three months when it was vaccinated. Ask your vet whether it "
            "needs another. You can go on; a person at the city will look at it"
        )
        yield Finding(Rule.CDC_SCHEDULE, sentence, "given_on", needs_review=True)


def _of_due_date(certificate: Certificate, given_on: date, due_on: date) -> Iterator[Finding]:
    if due_on == given_on:
        sentence = "The due date is the same as the vaccination date. Check it against the certificate"
        yield Finding(Rule.CERTIFICATE, sentence, "due_on", needs_review=True)
    elif due_on < given_on:
        yield Finding(Rule.CERTIFICATE, DUE_BEFORE_GIVEN, "due_on", needs_review=True)
    elif certificate.duration_years in PRODUCT_YEARS and not _agrees(certificate, given_on, due_on):
        sentence = "The due date does not fit the number of years the vaccine lasts. Check both against the certificate"
        yield Finding(Rule.STATE_CERTIFICATE, sentence, "due_on", needs_review=True)
    elif due_on > add_years(given_on, max(PRODUCT_YEARS)):
        sentence = "The due date is later than any licensed vaccine lasts. Check it against the certificate"
        yield Finding(Rule.FORM_51, sentence, "due_on", needs_review=True)


def _agrees(certificate: Certificate, given_on: date, due_on: date) -> bool:
    """The label's years from the vaccination, or one year when it was, or may have been, the first dose."""
    lengths = {certificate.duration_years or 0}
    if certificate.dose is not Dose.BOOSTER:
        lengths.add(1)
    return any(abs((due_on - add_years(given_on, years)).days) <= TOLERANCE_DAYS for years in lengths)

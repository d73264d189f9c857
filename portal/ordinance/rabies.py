"""Is the animal vaccinated against rabies? 90.04(B)(3) and (D), beside the science that a bite case needs.

Three dates are kept apart. The ordinance runs three years from the vaccination whatever the product. The certificate
prints a due date. The schedule of the health authorities wants a booster a year after the first dose of any product.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.ordinance.certificates import Certificate, Dose, Evidence, VaccineType, missing_fields
from portal.ordinance.citation import Rule
from portal.ordinance.conflicts import PRODUCT_YEARS, date_conflicts
from portal.ordinance.days import add_years, spoken
from portal.ordinance.finding import Finding, Refusal
from portal.ordinance.periods import VACCINATION

# The published schedule: immunized 28 days after a first dose, and a booster one year after it.
IMMUNIZED_AFTER = timedelta(days=28)
FIRST_BOOSTER_YEARS = 1


class Gate(StrEnum):
    """Which date decides; a policy of the city, since 90.04(D)(1) says only "once every three years"."""

    ORDINANCE = "ordinance"
    CERTIFICATE = "certificate"
    STRICTEST = "strictest"


class Outcome(StrEnum):
    """Where the vaccination stands under 90.04(D). None of them stops a person from applying."""

    CURRENT = "current"
    REVIEW = "review"
    NOT_CURRENT = "not_current"


@dataclass(frozen=True, slots=True)
class Assessment:
    """What 90.04(D) makes of a certificate on one day. Each date is the last day on which it holds.

    `immunized_from` is for bite cases and delays no license. `refusals` name what cannot be so and must be put right.
    """

    outcome: Outcome
    ordinance_until: date | None
    certificate_due: date | None
    science_due: date | None
    immunized_from: date | None
    findings: tuple[Finding, ...]
    refusals: tuple[Refusal, ...]

    @property
    def earliest_due(self) -> date | None:
        """The earliest of the three dates: the one to remind of (90.04(D)(1) and the published schedule)."""
        return min(filter(None, (self.ordinance_until, self.certificate_due, self.science_due)), default=None)

    @property
    def needs_review(self) -> bool:
        """A person at the city has to look at it."""
        return self.outcome is Outcome.REVIEW or any(finding.needs_review for finding in self.findings)


def ordinance_until(given_on: date) -> date:
    """90.04(D)(1), 645.14: three years from the vaccination, to the day; it does not roll over a weekend."""
    return add_years(given_on, VACCINATION.length)


def science_due(given_on: date, dose: Dose, duration_years: int | None = None) -> date | None:
    """The published schedule: a year after a first dose, then what the label says; None while it can't be known."""
    if dose is Dose.FIRST:
        return add_years(given_on, FIRST_BOOSTER_YEARS)
    if dose is Dose.BOOSTER and duration_years in PRODUCT_YEARS:
        return add_years(given_on, duration_years)
    return None


def immunized_from(given_on: date, dose: Dose) -> date:
    """The published schedule: at once after a booster, 28 days after a first dose or one that may have been."""
    return given_on if dose is Dose.BOOSTER else given_on + IMMUNIZED_AFTER


def date_refusals(certificate: Certificate, *, on: date) -> list[Refusal]:
    """90.04(B)(3): a vaccination has taken place, and after the animal was born. Nothing else is refused."""
    given_on, born_on = certificate.given_on, certificate.born_on
    if given_on is None:
        return []
    reasons = []
    if given_on > on:
        sentence = "The vaccination date is in the future. Check the date, or come back when it has been given"
        reasons.append(Refusal(Rule.LICENSE_NEEDS_VACCINATION, sentence, "given_on"))
    if born_on and given_on < born_on and not certificate.is_birth_estimated:
        sentence = "The vaccination date is before the birth date. Check both dates"
        reasons.append(Refusal(Rule.LICENSE_NEEDS_VACCINATION, sentence, "given_on"))
    if certificate.duration_years is not None and certificate.duration_years < 1:
        sentence = "A vaccine lasts at least one year. Enter the number of years on the certificate"
        reasons.append(Refusal(Rule.STATE_CERTIFICATE, sentence, "duration_years"))
    return reasons


def assess(
    certificate: Certificate, *, on: date, gate: Gate = Gate.STRICTEST, notes_live_modified: bool = False
) -> Assessment:
    """90.04(D): the standing of a certificate on `on`, the city's day, with every reason at once.

    A finding that needs a person makes a current certificate one to review. `notes_live_modified` is the city's
    switch for a staff note about the words "live modified vaccine". A date in the future yields no other dates.
    """
    given_on = certificate.given_on if certificate.given_on and certificate.given_on <= on else None
    findings = tuple(_findings(certificate, on, gate, notes_live_modified))
    outcome = _standing(certificate, on, gate)
    if outcome is Outcome.CURRENT and any(finding.needs_review for finding in findings):
        outcome = Outcome.REVIEW
    return Assessment(
        outcome=outcome,
        ordinance_until=ordinance_until(given_on) if given_on else None,
        certificate_due=certificate.due_on,
        science_due=science_due(given_on, certificate.dose, certificate.duration_years) if given_on else None,
        immunized_from=immunized_from(given_on, certificate.dose) if given_on else None,
        findings=findings,
        refusals=tuple(date_refusals(certificate, on=on)),
    )


def _standing(certificate: Certificate, on: date, gate: Gate) -> Outcome:
    """90.04(D)(1) read with the city's gate; what nobody can decide from the dates goes to a person."""
    if certificate.given_on is None or certificate.given_on > on or certificate.evidence is not Evidence.CERTIFICATE:
        return Outcome.REVIEW
    runs = ordinance_until(certificate.given_on) >= on
    is_unexpired = certificate.due_on is not None and certificate.due_on >= on
    if gate is Gate.ORDINANCE:
        return Outcome.CURRENT if runs else Outcome.NOT_CURRENT
    if gate is Gate.CERTIFICATE:
        if certificate.due_on is None or certificate.due_on <= certificate.given_on:
            return Outcome.REVIEW
        return Outcome.CURRENT if is_unexpired else Outcome.NOT_CURRENT
    if runs and is_unexpired:
        return Outcome.CURRENT
    return Outcome.REVIEW if runs or is_unexpired else Outcome.NOT_CURRENT


def _findings(certificate: Certificate, on: date, gate: Gate, notes_live_modified: bool) -> Iterator[Finding]:
    if certificate.evidence is not Evidence.CERTIFICATE:
        yield _OF_EVIDENCE[certificate.evidence]
    if certificate.given_on is None and certificate.evidence is not Evidence.MEDICAL_LETTER:
        yield _NO_DATE
    if certificate.given_on is not None and certificate.given_on <= on:
        yield from date_conflicts(certificate)
        yield from _lapses(certificate, certificate.given_on, on, gate)
        yield from _first_dose(certificate, certificate.given_on, on)
    if certificate.shown is not None:
        yield from missing_fields(certificate.shown)
    if notes_live_modified and certificate.vaccine_type is not VaccineType.MODIFIED_LIVE:
        yield _LIVE_MODIFIED


def _lapses(certificate: Certificate, given_on: date, on: date, gate: Gate) -> Iterator[Finding]:
    """90.04(D)(1): say which of the two intervals has run out, and what that means."""
    runs = ordinance_until(given_on) >= on
    if not runs:
        yield _OVER_THREE_YEARS
    if certificate.due_on is None:
        yield Finding(Rule.STATE_CERTIFICATE, _NO_DUE_DATE, "due_on", needs_review=gate is not Gate.ORDINANCE)
    elif given_on < certificate.due_on < on and runs:
        sentence = _LABEL_LAPSED.format(due=spoken(certificate.due_on), until=spoken(ordinance_until(given_on)))
        yield Finding(Rule.VACCINATION, sentence, "due_on", needs_review=gate is Gate.STRICTEST)


def _first_dose(certificate: Certificate, given_on: date, on: date) -> Iterator[Finding]:
    """The published schedule: what a first dose means for the booster, asked when nobody has said."""
    if certificate.dose is Dose.UNKNOWN:
        yield _WAS_IT_THE_FIRST
    if certificate.dose is Dose.FIRST:
        due = add_years(given_on, FIRST_BOOSTER_YEARS)
        verb = "was" if due < on else "is"
        sentence = (
            f"After a first vaccination a booster {verb} due on {spoken(due)}, whatever the product. Ask your vet"
        )
        yield Finding(Rule.CDC_SCHEDULE, sentence, "dose")


_NO_DUE_DATE = "Enter the date the next vaccination is due, as printed on the certificate"
_LABEL_LAPSED = (
    "The certificate's due date, {due}, has passed. The city's own rule of three years runs until {until}. "
    "You can go on"
)
_NO_DATE = Finding(
    Rule.CERTIFICATE, "Enter the date of the vaccination, as printed on the certificate", "given_on", needs_review=True
)
_OVER_THREE_YEARS = Finding(
    Rule.VACCINATION,
    "This vaccination is more than three years old, so it does not count as current. You can go on, "
    "and send a new certificate when you have one",
    "given_on",
)
_WAS_IT_THE_FIRST = Finding(
    Rule.CDC_SCHEDULE, "Was this the first rabies vaccination? If so, a booster is due one year after it", "dose"
)
_LIVE_MODIFIED = Finding(
    Rule.VACCINATION,
    'The ordinance says "live modified vaccine"; the rabies vaccines on the market today are inactivated. '
    "Any licensed vaccine is accepted",
    is_for_staff=True,
)
_OF_EVIDENCE = {
    Evidence.OWNER_GIVEN: Finding(
        Rule.LICENSE_NEEDS_VACCINATION,
        "A vaccination counts when a veterinarian gives it. You can still send this; "
        "a person at the city will look at it",
        "evidence",
        needs_review=True,
    ),
    Evidence.MEDICAL_LETTER: Finding(
        Rule.VACCINATION,
        "The ordinance names no exemption on medical grounds. Send the letter; a person at the city will look at it",
        "evidence",
        needs_review=True,
    ),
}

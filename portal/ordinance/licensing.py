"""Who needs a license, from when, and for which year: 90.04(B) and (C)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from portal.ordinance.citation import Rule
from portal.ordinance.days import ONE_DAY, add_months, spoken
from portal.ordinance.finding import Finding, Refusal
from portal.ordinance.periods import PUPPY


class Situation(StrEnum):
    """What a person says about the animal. A waiver rests on their word alone: no proof, no diagnosis."""

    RESIDENT_DOG = "resident_dog"
    PUPPY = "puppy"
    VISITING = "visiting"
    DOG_SHOW = "dog_show"
    ASSISTANCE_DOG = "assistance_dog"
    OTHER_SERVICE_DOG = "other_service_dog"
    POLICE_DOG = "police_dog"
    CAT = "cat"


class MovedFrom(StrEnum):
    """Where a new resident has come from."""

    MINNESOTA = "minnesota"
    ANOTHER_STATE = "another_state"


class Need(StrEnum):
    """What 90.04(B) asks for. A free record is offered, not owed."""

    NEEDED = "needed"
    NOT_YET = "not_yet"
    EXEMPT = "exempt"
    FREE_RECORD = "free_record"


@dataclass(frozen=True, slots=True)
class AgeEstimate:
    """An age somebody gave, and the day on which they gave it."""

    months: int
    as_of: date

    @property
    def born_on(self) -> date:
        """645.14: the birth date the estimate amounts to."""
        return add_months(self.as_of, -self.months)


def birth_date(stated: date | None, *, age_months: int | None, estimated_on: date | None) -> date | None:
    """645.14: the birth date as stated, else the one that an estimated age amounts to."""
    if stated or age_months is None or estimated_on is None:
        return stated
    return AgeEstimate(age_months, estimated_on).born_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a person says when asking whether a license is needed."""

    situation: Situation
    born_on: date | None = None
    age: AgeEstimate | None = None
    moved_from: MovedFrom | None = None
    is_declared_dangerous_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Eligibility:
    """What 90.04(B) and (C) make of the answers. `needed_from` is the first day on which a license is needed."""

    need: Need
    needed_from: date | None
    is_needed_from_estimated: bool
    findings: tuple[Finding, ...]

    @property
    def needs_review(self) -> bool:
        """A person at the city has to confirm it."""
        return any(finding.needs_review for finding in self.findings)


def six_month_date(born_on: date) -> date:
    """90.04(B)(1), 645.14: the day a dog is six months old; a shorter month gives its last day."""
    return add_months(born_on, PUPPY.length)


def needed_from(born_on: date) -> date:
    """90.04(B)(1): "over the age of six months" begins the day after the six-month date."""
    return six_month_date(born_on) + ONE_DAY


def birth_refusals(*, born_on: date | None, on: date) -> list[Refusal]:
    """90.04(B)(1): a dog that is to be licensed has been born."""
    if born_on is None or born_on <= on:
        return []
    return [Refusal(Rule.LICENSE, "The birth date is in the future. Check the month and the year", "born_on")]


def eligibility(answers: Answers, *, on: date) -> Eligibility:
    """90.04(B), (C): whether a license is needed on `on`, and why. Nobody is refused; every answer can go on."""
    return _READINGS.get(answers.situation, _by_age)(answers, on)


def _by_age(answers: Answers, on: date) -> Eligibility:
    born_on = answers.born_on or (answers.age.born_on if answers.age else None)
    is_estimated = answers.born_on is None
    extra = _newcomer(answers)
    if born_on is None and answers.situation is Situation.PUPPY:
        return Eligibility(Need.NOT_YET, None, True, (_NOT_YET_WITHOUT_DATE, _PUPPIES_COUNT, *extra))
    if born_on is None:
        return Eligibility(Need.NEEDED, None, True, (_OVER_SIX_MONTHS, *extra))
    first_day = needed_from(born_on)
    if first_day <= on:
        return Eligibility(Need.NEEDED, first_day, is_estimated, (_OVER_SIX_MONTHS, *extra))
    about = "about " if is_estimated else ""
    sentence = (
        f"Not required yet: a license is needed from {about}{first_day:%A}, {spoken(first_day)}, "
        "the day after the dog is six months old. You may apply earlier"
    )
    findings = (Finding(Rule.LICENSE, sentence, "born_on"), _PUPPIES_COUNT, *extra)
    return Eligibility(Need.NOT_YET, first_day, is_estimated, findings)


def _newcomer(answers: Answers) -> tuple[Finding, ...]:
    """90.04(B)(1) states no grace period for new residents; a dog from another state also meets the import rule."""
    found = []
    if answers.moved_from:
        found.append(_NO_GRACE)
    if answers.moved_from is MovedFrom.ANOTHER_STATE:
        found.append(_IMPORT)
    if answers.is_declared_dangerous_elsewhere:
        found.append(_DANGEROUS_ELSEWHERE)
    return tuple(found)


def _settled(need: Need, *findings: Finding) -> Callable[[Answers, date], Eligibility]:
    """A reading that does not depend on the dog's age."""

    def read(answers: Answers, on: date) -> Eligibility:
        extra = (_DANGEROUS_ELSEWHERE,) if answers.is_declared_dangerous_elsewhere else ()
        return Eligibility(need, None, False, (*findings, *extra))

    return read


_OVER_SIX_MONTHS = Finding(Rule.LICENSE, "Every dog over six months old that is kept in the city needs a license")
_NOT_YET_WITHOUT_DATE = Finding(
    Rule.LICENSE, "Not required yet: a license is needed from the day after the dog is six months old", "born_on"
)
_PUPPIES_COUNT = Finding(Rule.KENNEL, "A young dog counts as one of the dogs kept at the address")
_NO_GRACE = Finding(
    Rule.LICENSE,
    "A license from another city does not carry over, and no grace period is stated, so apply now. "
    "The rabies certificate you have is accepted, from a veterinarian of any state",
    "moved_from",
)
_IMPORT = Finding(
    Rule.STATE_IMPORT,
    "A dog brought into Minnesota needs a certificate of veterinary inspection, and from three months of age "
    "a current rabies vaccination",
    "moved_from",
)
_DANGEROUS_ELSEWHERE = Finding(
    Rule.DANGEROUS_RENEWAL,
    "A dog declared dangerous somewhere else is registered as one here too. You can go on; the police will be in touch",
    "is_declared_dangerous_elsewhere",
    needs_review=True,
)
_STILL_VACCINATED = Finding(Rule.VACCINATION, "The rabies vaccination is still required")
_STILL_LEASHED = Finding(Rule.AT_LARGE, "The rules about dogs running at large still apply")
_VISITOR = Finding(
    Rule.VISITORS_AND_SHOWS, "A dog whose owner is not a resident and is here for a time needs no license"
)
_SHOW = Finding(Rule.VISITORS_AND_SHOWS, "A dog brought here to take part in a dog show needs no license")
_WAIVED = Finding(
    Rule.ASSISTANCE_AND_POLICE,
    "Assistance dogs of people who are blind, deaf or physically disabled need no license. Your word is enough. "
    "We can keep a free record if you would like one",
)
_OTHER_SERVICE = Finding(
    Rule.ADA_SERVICE_ANIMALS,
    "The city decides about service dogs that the ordinance does not name. Your word is enough, we ask for no papers, "
    "and there is nothing to pay meanwhile",
    needs_review=True,
)
_POLICE = Finding(
    Rule.ASSISTANCE_AND_POLICE,
    "Police dogs used by or with the permission of the police department need no license. The department confirms it",
    needs_review=True,
)
_CAT = Finding(Rule.LICENSE, "Cats need no license and there is no fee. You may keep its rabies certificate here")

_READINGS: dict[Situation, Callable[[Answers, date], Eligibility]] = {
    Situation.VISITING: _settled(Need.EXEMPT, _VISITOR, _STILL_LEASHED, _STILL_VACCINATED),
    Situation.DOG_SHOW: _settled(Need.EXEMPT, _SHOW, _STILL_LEASHED, _STILL_VACCINATED),
    Situation.ASSISTANCE_DOG: _settled(Need.FREE_RECORD, _WAIVED, _STILL_VACCINATED),
    Situation.OTHER_SERVICE_DOG: _settled(Need.FREE_RECORD, _OTHER_SERVICE, _STILL_VACCINATED),
    Situation.POLICE_DOG: _settled(Need.FREE_RECORD, _POLICE, _STILL_VACCINATED),
    Situation.CAT: _settled(Need.EXEMPT, _CAT, _STILL_VACCINATED),
}

"""What was read from an uploaded certificate, and where it contradicts what the person says.

What was read only suggests. A contradiction is told to the person and noted for the officer; neither side of it wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.ordinance.certificates import Dose
from portal.ordinance.citation import Rule
from portal.ordinance.conflicts import TOLERANCE_DAYS
from portal.ordinance.days import add_years, spoken
from portal.ordinance.finding import Finding
from portal.ordinance.rabies import FIRST_BOOSTER_YEARS, Assessment
from portal.schema.clinic_access import Reading, ReadingState
from portal.services.draft_answers import CertificateAnswers
from portal.services.reading.fields import ReadField
from portal.services.reading.labels import PaperField, folded

# Nobody waits longer than this for a reading; then the page stops asking, and the person types.
PATIENCE = timedelta(minutes=3)
# Under this the person is told that it was hard to read.
CLEAR_ENOUGH = 0.85
# A contradiction is raised only over what was read this surely.
SURE_ENOUGH = 0.8
ALIKE = 0.7
# Keeps these locks apart from those of other subjects.
PAPER = 91
DATES = (PaperField.GIVEN_ON, PaperField.DUE_ON, PaperField.VACCINE_EXPIRES_ON)
SAYS_WHEN = {PaperField.GIVEN_ON: "as the date given", PaperField.DUE_ON: "as the due date"}


FIRST_FOR_LONGER = (
    "The certificate counts a first vaccination for longer than a year. Leave the dates as they are printed; "
    "a person at the city will look at it"
)


class Progress(StrEnum):
    """How far the reading of an upload is."""

    READING = "reading"
    READY = "ready"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Paper:
    """What a certificate says, as far as it was read."""

    progress: Progress
    fields: Mapping[PaperField, ReadField] = field(default_factory=dict)

    def value(self, name: PaperField, *, at_least: float = 0.0) -> Any:
        """One value, when it was read that surely."""
        read = self.fields.get(name)
        return read.value if read and read.confidence >= at_least else None


NO_PAPER = Paper(Progress.NOTHING)


def paper_of(session: Session, upload_id: UUID | None) -> Paper:
    """The reading of an upload that is known to be the person's own."""
    is_fresh = func.now() - Reading.created_at < PATIENCE
    found = session.execute(select(Reading, is_fresh).where(Reading.upload_id == upload_id)).first()
    if found is None:
        return NO_PAPER
    reading, may_wait = found
    if reading.state is ReadingState.WAITING:
        return Paper(Progress.READING) if may_wait else NO_PAPER
    if reading.state is ReadingState.NOTHING:
        return NO_PAPER
    known = {name.value for name in PaperField}
    fields = {PaperField(name): _read(name, stored) for name, stored in reading.fields.items() if name in known}
    return Paper(Progress.READY, fields)


def hold_paper(session: Session, upload_id: UUID) -> None:
    """Until the commit nobody else sends this file or notes what was read from it.

    Whoever sends a certificate compares it with what was read, and whoever notes what was read compares it with what
    was sent. Without this each could miss the other's half while neither is committed. The website may not lock a
    reading's row nor the worker an upload's, so it is neither's row that is held.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(str(upload_id), PAPER))))


def contradictions(
    paper: Paper, *, animal_name: str | None, microchip: str | None, answers: CertificateAnswers | None = None
) -> Iterator[Finding]:
    """90.04(D)(2): where the paper and the person do not say the same. Each is to be looked at by a person."""
    named = paper.value(PaperField.ANIMAL_NAME, at_least=SURE_ENOUGH)
    if named and animal_name and not are_alike(named, animal_name):
        sentence = (
            f"We read “{named}” as the animal’s name on the certificate, and this is {animal_name}. "
            "Check that it is the right certificate"
        )
        yield Finding(Rule.CERTIFICATE, sentence, needs_review=True)
    chip = paper.value(PaperField.MICROCHIP, at_least=SURE_ENOUGH)
    if chip and microchip and _plain(chip) != _plain(microchip):
        sentence = f"We read the microchip {chip} on the certificate, and you told us {microchip}. Check both"
        yield Finding(Rule.CERTIFICATE, sentence, "microchip", needs_review=True)
    if answers is not None:
        yield from _against_answers(paper, answers)


def _against_answers(paper: Paper, answers: CertificateAnswers) -> Iterator[Finding]:
    for name, said in ((PaperField.GIVEN_ON, answers.given_on), (PaperField.DUE_ON, answers.due_on)):
        read = paper.value(name, at_least=SURE_ENOUGH)
        if read and said and read != said:
            sentence = (
                f"You entered {spoken(said)} {SAYS_WHEN[name]}; on the certificate we read {spoken(read)}. Check it"
            )
            yield Finding(Rule.CERTIFICATE, sentence, name.value, needs_review=True)
    if answers.dose is Dose.FIRST and _is_for_longer_than_a_year(answers):
        yield Finding(Rule.CDC_SCHEDULE, FIRST_FOR_LONGER, "dose", needs_review=True)


def _is_for_longer_than_a_year(answers: CertificateAnswers) -> bool:
    """Whether the paper counts the dose for longer than the schedule counts a first one."""
    if answers.given_on and answers.due_on:
        return answers.due_on > add_years(answers.given_on, FIRST_BOOSTER_YEARS) + timedelta(days=TOLERANCE_DAYS)
    return (answers.duration_years or 0) > FIRST_BOOSTER_YEARS


def with_paper(
    assessment: Assessment, paper: Paper, *, animal_name: str, microchip: str | None, answers: CertificateAnswers
) -> Assessment:
    """The assessment of the answers, and the contradictions between them and the paper."""
    found = tuple(contradictions(paper, animal_name=animal_name, microchip=microchip, answers=answers))
    return replace(assessment, findings=(*assessment.findings, *found))


def are_alike(one: str, other: str) -> bool:
    """Whether two names may be the same: spelled or read a little differently, or with a surname behind."""
    first, second = folded(one)[0], folded(other)[0]
    if not first or not second:
        return True  # an emoji is no name to compare
    if first.startswith(second) or second.startswith(first):
        return True
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= ALIKE


def _read(name: str, stored: Mapping[str, Any]) -> ReadField:
    value = date.fromisoformat(stored["value"]) if name in DATES else stored["value"]
    return ReadField(value, float(stored["confidence"]))


def _plain(number: str) -> str:
    return "".join(character for character in number if character.isalnum()).upper()

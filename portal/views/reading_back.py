"""The page that asks what a certificate says, begun with what we read; used for new animals and for registered ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from flask import request

from portal.forms.certificates import CertificateDetailsForm, details_data
from portal.forms.read_back import Note, fill_in, notes, suggested, unfilled
from portal.ordinance.finding import Finding, for_the_person
from portal.ordinance.rabies import Assessment
from portal.schema.drafts import Upload
from portal.services.certificates.paper import NO_PAPER, Paper, Progress, contradictions, paper_of
from portal.services.draft_answers import CertificateAnswers
from portal.views.kept_answers import form_for
from portal.views.work import reading

Form = TypeVar("Form", bound=CertificateDetailsForm)

# The button that fills in what we read, and the question of a page that waits for it.
FILL, WAITING = "fill", "waiting"


@dataclass(frozen=True)
class ReadBack:
    """What the page shows of the reading."""

    paper: Paper
    notes: dict[str, Note]
    may_fill: bool
    findings: tuple[Finding, ...]

    @property
    def is_reading(self) -> bool:
        return self.paper.progress is Progress.READING


def details_form(
    form_class: type[Form], answers: CertificateAnswers, upload: Upload, *, other_chips: Mapping[str, str]
) -> tuple[Form, Paper]:
    """The form with the answers so far; before the first answer, a page that is opened starts with what we read."""
    form = form_for(form_class, data=details_data(answers), other_chips=other_chips)
    paper = NO_PAPER if answers.is_read else paper_of(reading(), upload.id)
    is_opened = request.method != "POST" and WAITING not in request.args
    if is_opened or fills_in():
        fill_in(form, paper)
    return form, paper


def fills_in() -> bool:
    """Whether the button was pressed that only fills in what we read; nothing is checked or kept then."""
    return FILL in request.form


def nothing_new(paper: Paper) -> bool:
    """Whether a page asks how far the reading is, and may stay as it is: somebody is reading it, or typing into it."""
    return request.method == "GET" and WAITING in request.args and paper.progress is Progress.READING


def read_back(
    form: CertificateDetailsForm,
    paper: Paper,
    *,
    animal_name: str | None,
    microchip: str | None,
    assess: Callable[[CertificateAnswers], Assessment],
) -> ReadBack:
    """What to show about the reading beside the form as it stands."""
    told: tuple[Finding, ...] = ()
    if request.method != "POST" or fills_in():
        read = suggested(paper)
        assessment = assess(read)
        told = (
            *contradictions(paper, animal_name=animal_name, microchip=microchip, answers=read),
            *(Finding(one.rule, one.sentence, one.field) for one in assessment.refusals),
            *(one for one in for_the_person(assessment.findings) if one.needs_review and one.field in paper.fields),
        )
    return ReadBack(paper, notes(form, paper), bool(unfilled(form, paper)), told)

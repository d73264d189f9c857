"""What was read from a certificate, put into the form as suggestions: marked, and never over what somebody typed."""

from typing import Any

from portal.forms.certificates import CertificateDetailsForm
from portal.ordinance.certificates import Dose
from portal.services.certificates.paper import CLEAR_ENOUGH, Paper
from portal.services.draft_answers import CertificateAnswers
from portal.services.reading.labels import PaperField

Note = tuple[str, str]

READ = ("good", "We read this – right?")
HARD_TO_READ = ("warning", "Hard to read – right?")
# The controls that have one; their names are those of the fields on the paper.
FILLED = (
    PaperField.GIVEN_ON,
    PaperField.DUE_ON,
    PaperField.DOSE,
    PaperField.PRODUCT,
    PaperField.DURATION_YEARS,
    PaperField.VETERINARIAN,
    PaperField.CLINIC_NAME,
    PaperField.MANUFACTURER,
    PaperField.LOT,
    PaperField.VACCINE_EXPIRES_ON,
    PaperField.RABIES_TAG,
    PaperField.MICROCHIP,
    PaperField.WEIGHT,
)


def fill_in(form: CertificateDetailsForm, paper: Paper) -> None:
    """Put what was read into the controls that are empty."""
    for name in unfilled(form, paper):
        form[name].process_data(_shown(name, paper))


def unfilled(form: CertificateDetailsForm, paper: Paper) -> list[PaperField]:
    """The controls that are empty and for which something was read."""
    return [name for name in FILLED if name in paper.fields and form[name].is_blank]


def notes(form: CertificateDetailsForm, paper: Paper) -> dict[str, Note]:
    """By control: what to say about an answer that is the one we read."""
    return {
        name.value: READ if paper.fields[name].confidence >= CLEAR_ENOUGH else HARD_TO_READ
        for name in FILLED
        if name in paper.fields and form[name].data == _shown(name, paper)
    }


def suggested(paper: Paper) -> CertificateAnswers:
    """The dates, the dose and the years as if the person had answered what we read."""
    return CertificateAnswers(
        given_on=paper.value(PaperField.GIVEN_ON),
        due_on=paper.value(PaperField.DUE_ON),
        dose=Dose(paper.value(PaperField.DOSE) or Dose.UNKNOWN),
        duration_years=paper.value(PaperField.DURATION_YEARS),
        vaccine_expires_on=paper.value(PaperField.VACCINE_EXPIRES_ON),
    )


def _shown(name: PaperField, paper: Paper) -> Any:
    value = paper.value(name)
    return str(value) if isinstance(value, int) else value

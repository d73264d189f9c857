"""The one page on which a certificate is typed, whether it is new, comes as a file, or is put right."""

from typing import Any

from flask.typing import ResponseReturnValue

from portal.forms.filing import SIZES, FilingForm
from portal.ordinance.finding import Finding
from portal.services.clinics.file_for_clinic import STATEMENT, STATEMENT_VERSION, filing_findings, filing_refusals
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.filings_of_clinic import Remembered
from portal.views.answers import page
from portal.views.work import gateways


def asked_and_told(form: FilingForm) -> tuple[FilingAnswers | None, tuple[Finding, ...]]:
    """The answers once they may be filed, and what the ordinance notices: told once, then they may go as they are."""
    parts = gateways()
    if not form.validate_on_submit():
        return None, ()
    answers = form.answers()
    if reasons := filing_refusals(answers, on=parts.clock.today()):
        for refusal in reasons:
            form.refuse(refusal.field, refusal.sentence)
        return None, ()
    findings = filing_findings(answers, city=parts.city, on=parts.clock.today())
    return (answers if form.has_been_told(findings) else None), findings


def filing_page(
    template: str, form: FilingForm, known: Remembered, findings: tuple[Finding, ...], **context: Any
) -> ResponseReturnValue:
    """The page with the words this clinic used last offered beside the boxes."""
    offers = {
        "size": SIZES,
        "product": known.products,
        "manufacturer": known.manufacturers,
        "lot": known.lots,
        "veterinarian": tuple(dict.fromkeys((*known.veterinarians, *known.signatures))),
    }
    statement = {"text": STATEMENT, "version": STATEMENT_VERSION}
    shown = () if form.problems else findings
    return page(template, form=form, offers=offers, statement=statement, findings=shown, **context)

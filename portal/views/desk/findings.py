"""Something that does not agree: what it is, what to do, and why it is dealt with although it stays so."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.gateways.payments.processor import EventKind
from portal.schema.operating import Finding, FindingKind
from portal.services.desk.findings import FINDINGS, WHAT_TO_DO, WORDS, animal_of, finding_shown, in_numbers
from portal.services.watching.findings import resolve_finding
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, if_known, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import moment
from portal.views.work import gateways, reading

blueprint = Blueprint("findings", __name__, url_prefix=f"{PREFIX}/findings")

WHICH = {
    FindingKind.PAID_NOT_ISSUED: "Order",
    FindingKind.MISSING_FILE: "Name in the file store",
    FindingKind.EVENT_WAITS: "The processor’s id of it",
}
# What an event of the processor tells, in words for staff.
TOLD = {
    EventKind.PAID: "Somebody paid",
    EventKind.UNPAID: "A payment is on its way",
    EventKind.FAILED: "A payment failed",
    EventKind.EXPIRED: "A page for paying was closed",
    EventKind.REFUNDED: "Money was given back",
    EventKind.REFUND_FAILED: "Money that was given back did not arrive",
    EventKind.DISPUTED: "A payment is disputed",
    EventKind.DISPUTE_CLOSED: "A dispute is decided",
}


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, mend it where it has to be mended, or say why it may stay."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(FINDINGS, Finding, item_id, form) as db:
                resolve_finding(
                    db, finding_id=item_id, reason=form.said, officer=member().email, clock=gateways().clock
                )
            return decided(FINDINGS, "Noted.")
    finding = finding_shown(reading(), item_id)
    animal = animal_of(reading(), finding)
    facts = Facts(
        heading=WORDS[finding.kind],
        rows=[
            row("Since", moment(finding.since)),
            row(WHICH.get(finding.kind, "How many"), in_numbers(finding)),
            *if_known("It tells", TOLD.get(finding.facts.get("kind", ""))),
            *if_known("Dog", animal and animal.name),
            *if_known("Agrees again since", finding.mended_at and moment(finding.mended_at)),
            *if_known("Dealt with by", finding.resolved_by),
            *if_known("Because", finding.reason),
        ],
        is_open=not (finding.mended_at or finding.resolved_at),
        notes=(f"{WHAT_TO_DO[finding.kind]} Once it agrees, it goes from the list by itself.",),
        refuse="It is dealt with",
        words_label="What was done about it",
    )
    return item_page("desk/facts.html", FINDINGS, Finding, item_id, form, facts=facts)

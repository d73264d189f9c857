"""What was sent for one requirement of a dangerous dog: accept it, send it back, or waive it (90.13(H))."""

from uuid import UUID

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from portal.forms.desk import EvidenceForm
from portal.ordinance.dangerous import RowState
from portal.ordinance.dangerous_rows import ROWS
from portal.schema.dangerous import DangerousRequirement, Decision
from portal.services.decide_requirement import Deciding, decide_requirement
from portal.services.desk.dangerous_rows import DANGEROUS_ROWS, requirement_view
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import picture
from portal.views.work import gateways, reading

blueprint = Blueprint("dangerous_rows", __name__, url_prefix=f"{PREFIX}/dangerous-rows")

OUTCOMES = {"accept": Decision.ACCEPTED, "waive": Decision.WAIVED, "refuse": Decision.SENT_BACK}
SAID = {
    Decision.ACCEPTED: "Accepted.",
    Decision.WAIVED: "Waived.",
    Decision.SENT_BACK: "Sent back. The keepers are told by e-mail.",
}


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = EvidenceForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(DANGEROUS_ROWS, said)
    view = requirement_view(reading(), item_id)
    form.number.data = str(view.row.evidence_number)
    return item_page(
        "desk/dangerous_row.html",
        DANGEROUS_ROWS,
        DangerousRequirement,
        item_id,
        form,
        view=view,
        law=ROWS[view.row.kind],
        is_open=view.row.state is RowState.SENT,
    )


@blueprint.get("/<uuid:item_id>/page/<int:number>")
@open_to(Desk.OFFICER)
def sheet(item_id: UUID, number: int) -> ResponseReturnValue:
    """A page of the newest evidence."""
    document = requirement_view(reading(), item_id).document
    if document is None:
        abort(404)
    return picture(document.thumbnail_key, [one.key for one in document.pages], number)


def _decide(form: EvidenceForm, item_id: UUID) -> str:
    outcome = OUTCOMES.get(form.decision.data or "", Decision.SENT_BACK)
    about = Deciding(
        requirement_id=item_id, outcome=outcome, evidence_number=form.evidence_number, reason=form.reason.data
    )
    with deciding(DANGEROUS_ROWS, DangerousRequirement, item_id, form) as db:
        decide_requirement(db, about, officer=member().email, clock=gateways().clock)
    return SAID[outcome]

"""One requirement of a dangerous dog: accept it, send it back, waive it, say that it does not apply, open it again.

What an officer sees with their own eyes is accepted without anything that was sent (90.13(H)(7), (10)).
"""

from uuid import UUID

from flask import Blueprint, abort, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import EvidenceForm
from portal.ordinance.dangerous import RowState
from portal.ordinance.dangerous_rows import ROWS, Shown
from portal.schema.dangerous_requirements import DangerousRequirement, Decision
from portal.services.dangerous.decide_requirement import Deciding, decide_requirement
from portal.services.desk.dangerous_rows import DANGEROUS_ROWS, RequirementView, requirement_view
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import picture
from portal.views.work import gateways, reading

blueprint = Blueprint("dangerous_rows", __name__, url_prefix=f"{PREFIX}/dangerous-rows")

OUTCOMES = {
    "accept": Decision.ACCEPTED,
    "waive": Decision.WAIVED,
    "refuse": Decision.SENT_BACK,
    "not_applicable": Decision.NOT_APPLICABLE,
    "reopen": Decision.REOPENED,
}
SAID = {
    Decision.NOT_APPLICABLE: "Written down that it does not apply.",
    Decision.REOPENED: "Open again. The keepers are told by e-mail.",
    Decision.ACCEPTED: "Accepted.",
    Decision.WAIVED: "Waived.",
    Decision.SENT_BACK: "Sent back. The keepers are told by e-mail.",
}


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = EvidenceForm()
    view = requirement_view(reading(), item_id)
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return _go_on(view, said)
    form.number.data = str(view.row.evidence_number)
    return item_page(
        "desk/dangerous_row.html",
        DANGEROUS_ROWS,
        DangerousRequirement,
        item_id,
        form,
        view=view,
        law=ROWS[view.row.kind],
        outcomes=_outcomes(view),
    )


@blueprint.get("/<uuid:item_id>/page/<int:number>")
@open_to(Desk.OFFICER)
def sheet(item_id: UUID, number: int) -> ResponseReturnValue:
    """A page of the newest evidence."""
    document = requirement_view(reading(), item_id).document
    if document is None:
        abort(404)
    return picture(document.thumbnail_key, [one.key for one in document.pages], number)


def _outcomes(view: RequirementView) -> tuple[Decision, ...]:
    """What may be decided of it now. Whatever was decided is opened again first."""
    state, shown = view.row.state, ROWS[view.row.kind].shown
    if shown is Shown.ALL:
        return ()
    if state not in (RowState.SENT, RowState.NOT_YET):
        return (Decision.REOPENED,)
    accepted = () if shown is Shown.PORTAL else (Decision.ACCEPTED,)
    back = (Decision.SENT_BACK,) if state is RowState.SENT else ()
    return (*accepted, *back, Decision.WAIVED, Decision.NOT_APPLICABLE)


def _go_on(view: RequirementView, said: str) -> ResponseReturnValue:
    """What waited in the queue leads to the next of it; anything else back to its dog."""
    if view.row.state is RowState.SENT or view.animal is None:
        return decided(DANGEROUS_ROWS, said)
    say(said)
    return see_other(url_for("dangerous_dogs.show", animal_id=view.animal.id))


def _decide(form: EvidenceForm, item_id: UUID) -> str:
    outcome = OUTCOMES[form.pressed(*OUTCOMES)]
    about = Deciding(
        requirement_id=item_id, outcome=outcome, evidence_number=form.evidence_number, reason=form.reason.data
    )
    with deciding(DANGEROUS_ROWS, DangerousRequirement, item_id, form) as db:
        decide_requirement(db, about, officer=member().email, clock=gateways().clock)
    return SAID[outcome]

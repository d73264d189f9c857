"""A request to look at a designation again: rescind it or keep it, with the reason (90.13(P))."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import ReviewOutcome, ReviewRequest
from portal.services.dangerous.request_review import decide_review
from portal.services.desk.reviews import REVIEWS
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import NOT_YET, Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading

blueprint = Blueprint("reviews", __name__, url_prefix=f"{PREFIX}/reviews")

OUTCOMES = {"accept": ReviewOutcome.RESCINDED, "refuse": ReviewOutcome.KEPT}


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            outcome = OUTCOMES[form.pressed(*OUTCOMES)]
            with deciding(REVIEWS, ReviewRequest, item_id, form) as db:
                decide_review(
                    db,
                    request_id=item_id,
                    outcome=outcome,
                    reason=form.said,
                    officer=member().email,
                    clock=gateways().clock,
                )
            return decided(REVIEWS, "Rescinded." if outcome is ReviewOutcome.RESCINDED else "Kept.")
    asked = reading().get_one(ReviewRequest, item_id)
    designation = reading().get_one(DangerousDesignation, asked.designation_id)
    facts = Facts(
        heading=f"Review of a designation, {asked.reference}",
        rows=[
            row("Dog", designation.dog),
            row("Designated as", designation.kind.value.replace("_", " ")),
            row("What changed", ", ".join(one.replace("_", " ") for one in asked.changes)),
            row("Told", asked.told),
            row("May be asked for from", day(asked.from_day)),
            row("Signed", asked.signed_name),
            row("Decided", asked.outcome.value if asked.outcome else NOT_YET),
        ],
        is_open=asked.outcome is None,
        accept="Rescind the designation",
        refuse="Keep it",
        refuse_heading="Or keep it",
        words_label="Why, in words the owner will read",
        rule="90.13(P)",
    )
    return item_page("desk/facts.html", REVIEWS, ReviewRequest, item_id, form, facts=facts)

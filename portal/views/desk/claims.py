"""A new owner: record them, or say why not (90.04(B)(5)). License and tag stay with the animal."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.ordinance.citation import Rule
from portal.schema.departures import ClaimState, OwnershipClaim
from portal.services.dangerous.notice_wanted import notice_wanted
from portal.services.desk.claims import CLAIMS
from portal.services.households.decide_claim import ClaimView, accept_claim, claim_view, reject_claim
from portal.services.households.tell_gone import standing_departure
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("claims", __name__, url_prefix=f"{PREFIX}/new-owners")

NOT_WRITTEN = (
    "{name} is designated, and no written notice of the new owner is here yet ({section}). Whoever gave it away can "
    "write one on their pages: ask for it first. Once the new owner is recorded, they are asked for it by e-mail."
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(CLAIMS, said)
    view = claim_view(reading(), item_id)
    home = view.home
    facts = Facts(
        heading=f"Does {view.new_owner.name} have {view.animal.name} now?",
        rows=[
            row("State", view.claim.state.value),
            row("Animal", f"{view.animal.name}, {view.animal.breed}, {view.animal.color}"),
            row("Given by", view.given_by.name),
            row("Their phone", view.given_by.phone),
            row("New owner", view.new_owner.name),
            row("Phone", view.new_owner.phone),
            row("Lives at", ", ".join(part for part in (home.line1, home.unit, home.city) if part) if home else None),
        ],
        is_open=view.claim.state is ClaimState.WAITING,
        accept="Record the new owner",
        refuse="Do not record",
        refuse_heading="Or do not record it",
        words_label="Why, in words both will read",
        notes=_notes(view),
        rule="90.04(B)(5)",
    )
    return item_page("desk/facts.html", CLAIMS, OwnershipClaim, item_id, form, facts=facts)


def _notes(view: ClaimView) -> tuple[str, ...]:
    """What is to be had first: 90.13(N) asks for it before the dog changes hands."""
    departure = standing_departure(reading(), view.animal.id)
    if departure is None or view.claim.state is not ClaimState.WAITING:
        return ()
    city = gateways().city
    wanted = notice_wanted(reading(), departure, city=city)
    if wanted is None or wanted.given:
        return ()
    label = city.citation(Rule.DEATH_OR_TRANSFER if wanted.is_dangerous else Rule.RELOCATION).label
    return (NOT_WRITTEN.format(name=view.animal.name, section=label),)


def _decide(form: AnswerForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    with deciding(CLAIMS, OwnershipClaim, item_id, form) as db:
        if form.pressed("accept", "refuse") == "accept":
            animal = accept_claim(db, claim_id=item_id, officer=officer, city=city, clock=clock)
            return f"Recorded the new owner of {animal.name}. Both are told by e-mail."
        animal = reject_claim(db, claim_id=item_id, officer=officer, reason=form.said, clock=clock)
        return f"Did not record the new owner of {animal.name}. Both are told by e-mail."

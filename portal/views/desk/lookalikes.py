"""Two registrations that may be of one animal: say whether they are (90.04(B)(1))."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.schema.animals import Animal
from portal.schema.lookalikes import Lookalike
from portal.schema.people import Person
from portal.services.animals.decide_lookalike import decide_lookalike, lookalike_view
from portal.services.desk.lookalikes import LOOKALIKES
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import NOT_YET, Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("lookalikes", __name__, url_prefix=f"{PREFIX}/lookalikes")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(LOOKALIKES, said)
    view = lookalike_view(reading(), item_id)
    facts = Facts(
        heading=f"Is {view.animal.name} the same animal as {view.other.name}?",
        rows=[
            row("What agrees", view.lookalike.agrees),
            row("Registered now", _about(view.animal)),
            row("By", _reached(view.keeper)),
            row("Known already", _about(view.other)),
            row("Kept by", _reached(view.other_keeper)),
            row("Decided", view.lookalike.decided_by or NOT_YET),
        ],
        is_open=view.lookalike.decided_at is None,
        notes=("If they are one, nothing more is owed for the second registration, and its keeper is told.",),
        accept="One animal",
        refuse="Two animals",
        refuse_heading="Or they are two",
        rule="90.04(B)(1)",
    )
    return item_page("desk/facts.html", LOOKALIKES, Lookalike, item_id, form, facts=facts)


def _decide(form: DecisionForm, item_id: UUID) -> str:
    is_same = form.pressed("accept", "refuse") == "accept"
    with deciding(LOOKALIKES, Lookalike, item_id, form) as db:
        decide_lookalike(db, lookalike_id=item_id, is_same=is_same, officer=member().email, clock=gateways().clock)
    return "They are one animal: its second keeper is told." if is_same else "They are two animals."


def _about(animal: Animal) -> str:
    chip = f"chip {animal.microchip}" if animal.microchip else ""
    parts = (animal.name, animal.species.value, animal.breed, animal.color, animal.sex.value, chip)
    return ", ".join(part for part in parts if part)


def _reached(person: Person | None) -> str:
    return ", ".join(part for part in (person.name, person.phone) if part) if person else "nobody now"

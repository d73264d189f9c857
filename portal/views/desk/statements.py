"""A dog that another place declared dangerous: confirm what its owner told, or end it (90.13(H)(11))."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk_dangerous import StatementForm
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.services.dangerous.designate_dog import confirm_stated, dismiss_stated
from portal.services.desk.statements import STATEMENTS
from portal.views.desk.access import Desk, open_to
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("statements", __name__, url_prefix=f"{PREFIX}/statements")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = StatementForm(today=gateways().clock.today())
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(STATEMENTS, said)
    stated = existing(DangerousDesignation, item_id, "statement")
    return item_page(
        "desk/statement.html",
        STATEMENTS,
        DangerousDesignation,
        item_id,
        form,
        stated=stated,
        animal=reading().get(Animal, stated.animal_id) if stated.animal_id else None,
        is_open=stated.state is DesignationState.STATED,
    )


def _decide(form: StatementForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    pressed = form.pressed("accept", "refuse")
    with deciding(STATEMENTS, DangerousDesignation, item_id, form) as db:
        if pressed == "refuse":
            dismiss_stated(db, designation_id=item_id, officer=officer, clock=clock)
            return "Ended. The keepers are told by e-mail."
        noticed_on = form.needed_day()
        confirm_stated(db, designation_id=item_id, officer=officer, noticed_on=noticed_on, city=city, clock=clock)
    return "It stands, and the days count from the notice. The keepers are told by e-mail."

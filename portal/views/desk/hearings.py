"""A hearing that was asked for: set it, write down that it was held, and what was decided (90.13(E)(1))."""

from datetime import datetime
from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from portal.forms.desk import HearingForm
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest
from portal.services.decide_hearing import decide_hearing, hold_hearing, schedule_hearing
from portal.services.desk.hearings import HEARINGS
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("hearings", __name__, url_prefix=f"{PREFIX}/hearings")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, and write down the next step."""
    form = HearingForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(HEARINGS, HearingRequest, item_id, form) as db:
                said = _write_down(db, form, item_id)
            return decided(HEARINGS, said, after=item_id)
    request = reading().get_one(HearingRequest, item_id)
    return item_page(
        "desk/hearing.html", HEARINGS, HearingRequest, item_id, form, asked=request, is_open=request.outcome is None
    )


def _write_down(db: Session, form: HearingForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    day = form.needed_day()
    if form.decision.data == "set":
        at = datetime.combine(day, form.needed_time(), city.time_zone)
        schedule_hearing(
            db,
            request_id=item_id,
            at=at,
            place=form.place.data,
            heard_by=form.heard_by.data,
            officer=officer,
            city=city,
            clock=clock,
        )
        return "Set. Whoever asked is told by e-mail."
    if form.decision.data == "held":
        hold_hearing(db, request_id=item_id, held_on=day, officer=officer, city=city, clock=clock)
        return "Written down that it was held."
    outcome = HearingOutcome(form.needed_outcome())
    decide_hearing(db, request_id=item_id, outcome=outcome, decided_on=day, officer=officer, clock=clock)
    return "Written down. The decision goes to the owner by hand or registered mail."

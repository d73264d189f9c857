"""A clinic's notice of suspected rabies: read it, and say so (90.08(C))."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.schema.clinics import Clinic
from portal.schema.rabies_notices import RabiesNotice
from portal.services.clinics.rabies_notices import note_seen
from portal.services.desk.rabies import RABIES
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import NOBODY_YET, Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("rabies", __name__, url_prefix=f"{PREFIX}/rabies")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Read it."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(RABIES, RabiesNotice, item_id, form) as db:
                note_seen(db, notice_id=item_id, officer=member().email, clock=gateways().clock)
            return decided(RABIES, "Noted that you have read it.")
    notice = reading().get_one(RabiesNotice, item_id)
    clinic = reading().get_one(Clinic, notice.clinic_id)
    facts = Facts(
        heading=f"Suspected rabies: {notice.animal}",
        rows=[
            row("Clinic", f"{clinic.name}, {clinic.phone}"),
            row("Sent by", notice.sent_by),
            row("Call back", notice.phone),
            row("Called before", notice.called),
            row("Where it is", notice.place),
            row("Owner", notice.owner),
            row("What was seen", notice.what),
            row("Read by", notice.seen_by or NOBODY_YET),
        ],
        is_open=notice.seen_at is None,
        accept="I have read it",
    )
    return item_page("desk/facts.html", RABIES, RabiesNotice, item_id, form, facts=facts)

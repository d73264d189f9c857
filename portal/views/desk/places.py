"""An address: who lives there and what is kept there; to an officer who says why, what was reported of it."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk_records import ReasonForm
from portal.schema.people import Premises
from portal.schema.staff import StaffRole
from portal.services.desk.readings import (
    Confidential,
    is_reading,
    note_reading,
    place_keys,
    readings_of,
    reports_at,
)
from portal.services.desk.records import place_record
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.desk.repeats import shown_repeats
from portal.views.reports.status import KINDS
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("places", __name__, url_prefix=f"{PREFIX}/places")


@blueprint.get("/<uuid:premises_id>")
@open_to(Desk.CLERK)
def show(premises_id: UUID) -> ResponseReturnValue:
    """Everything about it but reports."""
    is_officer = may_see(member(), StaffRole.OFFICER)
    record = place_record(reading(), premises_id, for_officer=is_officer)
    return page("desk/place.html", record=record, is_officer=is_officer)


@blueprint.route("/<uuid:premises_id>/reports", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def reports(premises_id: UUID) -> ResponseReturnValue:
    """First why, then what was reported there; who reported is asked for apart, at each report."""
    home = existing(Premises, premises_id, "address")
    form, clock = ReasonForm(), gateways().clock
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            note_reading(db, home, Confidential.REPORTS, why=form.why.data, member=member(), clock=clock)
            return see_other(f"{PREFIX}/places/{premises_id}/reports")
    if is_reading(reading(), home.id, Confidential.REPORTS, member=member(), clock=clock):
        found = reports_at(reading(), home, city=gateways().city)
        reads = readings_of(reading(), home.id, Confidential.REPORTS)
        keys = place_keys(home, city=gateways().city)
        shown = shown_repeats(keys, before=clock.now())
        return page("desk/place_reports.html", home=home, reports=found, reads=reads, shown=shown, kinds=KINDS)
    return page("desk/why.html", form=form, heading="Reports about this address", back=f"{PREFIX}/places/{home.id}")

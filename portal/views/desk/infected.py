"""A file with a virus: what it came with, so that its sender can be asked for another."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.services.desk.infected import INFECTED_FILES
from portal.services.files.scans import handle_infected, infected_file
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, if_known, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("infected", __name__, url_prefix=f"{PREFIX}/infected")

NOTE = (
    "Nobody can open this file here, and nobody could before. Pictures of pages were made anew and are safe. "
    "Ask whoever sent it for another copy if you need the file itself."
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, ask for another, and say so."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(INFECTED_FILES, None, item_id, form) as db:
                handle_infected(db, file_id=item_id, officer=member().email, clock=gateways().clock)
            return decided(INFECTED_FILES, "Noted.")
    file = infected_file(reading(), item_id)
    facts = Facts(
        heading="A file with a virus",
        rows=[
            row("The scanner found", file.found),
            row("Sent as", file.name),
            row("Came with", file.belongs_to),
            *if_known("Dealt with by", file.handled_by),
        ],
        is_open=file.handled_by is None,
        notes=(NOTE,),
        accept="It is dealt with",
    )
    return item_page("desk/facts.html", INFECTED_FILES, None, item_id, form, facts=facts)

"""A clinic's certificate without its animal: say which it is, or send it back to the clinic (90.04(D)(2))."""

from uuid import UUID

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from portal.forms.desk import FilingForm
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling
from portal.services.clinics.decide_filing import choose_animal, filing_view, send_filing_back
from portal.services.desk.filings import FILINGS, STANDS
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import picture
from portal.views.work import gateways, reading

blueprint = Blueprint("filings", __name__, url_prefix=f"{PREFIX}/filings")

REASONS = (
    ("not_here", "We know no animal like this in the city. Please check the owner’s name and address."),
    ("unreadable", "We can’t read the file. Please send it again, or fill in what it says."),
    ("no_date", "The day of the vaccination is missing. Please send it again with the day."),
    ("twice", "You have sent this certificate before."),
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form, view = FilingForm.offering(REASONS), filing_view(reading(), item_id)
    form.offer_animals([(animal, why) for animal, why in view.candidates])
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(FILINGS, said)
    if form.has_changed:
        reading().expire_all()
        view = filing_view(reading(), item_id)
    is_open = view.filing.state in STANDS
    return item_page("desk/filing.html", FILINGS, ClinicFiling, item_id, form, view=view, is_open=is_open)


def _decide(form: FilingForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    with deciding(FILINGS, ClinicFiling, item_id, form) as db:
        if form.pressed("accept", "refuse") == "accept":
            animal_id = form.chosen_animal()
            choose_animal(db, filing_id=item_id, animal_id=animal_id, officer=officer, city=city, clock=clock)
            return f"It is about {db.get_one(Animal, animal_id).name}."
        send_filing_back(db, filing_id=item_id, officer=officer, reason=form.said, clock=clock)
        return "Sent back to the clinic."


@blueprint.get("/<uuid:item_id>/page/<int:number>")
@open_to(Desk.CLERK)
def sheet(item_id: UUID, number: int) -> ResponseReturnValue:
    """A page of the file as a picture."""
    document = filing_view(reading(), item_id).document
    if document is None:
        abort(404)
    return picture(document.thumbnail_key, [one.key for one in document.pages], number)

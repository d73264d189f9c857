"""Animal control enters a designation; its code is shown once, to be printed on the notice (90.13(D), (E)(3))."""

from datetime import date
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_officer import DesignateForm
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Ground
from portal.schema.animals import Animal
from portal.schema.dangerous import NoticeDelivery
from portal.services.designate_dog import NoticeGiven, designate_dog
from portal.services.refusal import NotTheirs
from portal.services.report_rows import derived_key
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("designations", __name__, url_prefix=PREFIX)


@blueprint.route("/designations/new", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def unknown() -> ResponseReturnValue:
    """A dog that is not found among the registered ones: its owner claims it with the code."""
    return _enter(None)


@blueprint.route("/dogs/<uuid:animal_id>/designate", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def known(animal_id: UUID) -> ResponseReturnValue:
    """A registered dog; its keepers get a letter beside the notice."""
    animal = reading().get(Animal, animal_id)
    if animal is None:
        raise NotTheirs("There is no such animal")
    return _enter(animal)


def _enter(animal: Animal | None) -> ResponseReturnValue:
    described = ", ".join(filter(None, (animal.name, animal.breed, animal.color))) if animal else ""
    form = DesignateForm(today=gateways().clock.today(), data={"dog": described})
    noticed_on: date | None = form.noticed_on.data
    if form.validate_on_submit() and noticed_on:
        given = NoticeGiven(
            key=derived_key(form.key, "designation"),
            kind=Designated(form.designated.data),
            grounds=tuple(Ground(ground) for ground in form.grounds.data),
            dog=form.dog.data,
            circumstances=form.circumstances.data or None,
            noticed_on=noticed_on,
            sent_on=form.sent_on.data,
            received_on=form.received_on.data,
            delivery=NoticeDelivery(form.delivery.data) if form.delivery.data else None,
            animal_id=animal.id if animal else None,
        )
        with form.refusals():
            with transaction() as db:
                entered = designate_dog(db, given, officer=member().email, city=gateways().city, clock=gateways().clock)
            # The code is kept nowhere, so it can't be shown after a move to another page.
            return page("desk/designated.html", entered=entered, animal=animal)
    return entry_page(
        form,
        Entry(
            heading=f"Designate {animal.name}" if animal else "Designate a dog",
            back=url_for("dogs.show", animal_id=animal.id) if animal else url_for("search.show"),
            back_label=animal.name if animal else "Search",
            button="Enter it",
            rule=Rule.DESIGNATION,
        ),
    )

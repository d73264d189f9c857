"""Somebody at the counter without an account: who they are, their animal, and what they owe; then to the till."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_counter import AnimalAtCounterForm, WalkInForm
from portal.ordinance.licensing import Situation
from portal.schema.people import Person
from portal.services.animals.chips import chips_of
from portal.services.files.accept_upload import StoredUpload
from portal.services.registering.register_at_counter import AtCounter, NewResident, register_at_counter
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.desk.scans import scan_of
from portal.views.license_years import open_years, year_choice
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("walk_in", __name__, url_prefix=f"{PREFIX}/people")

USUAL = {"situation": Situation.RESIDENT_DOG.value}


@blueprint.route("/new", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def new() -> ResponseReturnValue:
    """Somebody new, and their animal."""
    form = WalkInForm(today=gateways().clock.today(), data=USUAL | usual_home())
    _offer_years(form)
    is_valid = form.validate_on_submit()
    scan = scan_of(form)
    if is_valid and not form.problems:
        resident = NewResident(owner=form.owner(), home=form.home())
        if answer := _register(form, resident, scan):
            return answer
    return page("desk/walk_in.html", form=form, person=None)


@blueprint.route("/<uuid:person_id>/animals/new", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def animal(person_id: UUID) -> ResponseReturnValue:
    """Another animal of somebody who is known."""
    person = existing(Person, person_id, "person")
    chips = chips_of(reading(), person_id=person.id)
    form = AnimalAtCounterForm(today=gateways().clock.today(), data=USUAL, other_chips=chips)
    _offer_years(form)
    is_valid = form.validate_on_submit()
    scan = scan_of(form)
    if is_valid and not form.problems and (answer := _register(form, person.id, scan)):
        return answer
    return page("desk/walk_in.html", form=form, person=person)


def usual_home() -> dict[str, str]:
    """What stands in an address here, where nobody says otherwise."""
    city = gateways().city
    return {"city": city.short_name, "state": city.state, "postal_code": city.zip_code}


def _offer_years(form: AnimalAtCounterForm) -> None:
    years = open_years()
    form.license_year.choices = [year_choice(year) for year in years]
    if len(years) == 1 and not form.license_year.data:
        form.license_year.data = str(years[0].number)


def _register(
    form: AnimalAtCounterForm, resident: NewResident | UUID, scan: StoredUpload | None
) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    city, clock = gateways().city, gateways().clock
    at_counter = AtCounter(
        resident=resident,
        animal=form.animal(clock.today()),
        others=form.others(),
        is_certificate_shown=form.is_shown.data,
        scan=scan,
    )
    with form.refusals(), transaction() as db:
        done = register_at_counter(db, at_counter, key=form.key, officer=member().email, city=city, clock=clock)
        say(f"{form.animal_name.data} is registered.")
        if done.order_id:
            return see_other(url_for("counter.show", item_id=done.order_id))
        return see_other(url_for("dogs.show", animal_id=done.animal_id))
    return None

"""Somebody at the counter without an account: who they are, their animal, and what they owe; then to the till."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_counter import AnimalAtCounterForm, WalkInForm
from portal.ordinance.licensing import Situation
from portal.schema.documents import DocumentKind
from portal.schema.people import Person
from portal.services.animals.chips import chips_of
from portal.services.registering.register_at_counter import AtCounter, NewResident, register_at_counter
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.license_years import open_years, year_choice
from portal.views.uploads import stored_file
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("walk_in", __name__, url_prefix=f"{PREFIX}/people")

USUAL = {"situation": Situation.RESIDENT_DOG.value}


@blueprint.route("/new", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def new() -> ResponseReturnValue:
    """Somebody new, and their animal."""
    form = WalkInForm(today=gateways().clock.today(), data=USUAL | usual_home())
    _offer_years(form)
    if form.validate_on_submit() and (answer := _register(form, NewResident(owner=form.owner(), home=form.home()))):
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
    if form.validate_on_submit() and (answer := _register(form, person.id)):
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


def _register(form: AnimalAtCounterForm, resident: NewResident | UUID) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    city, clock = gateways().city, gateways().clock
    scan = None
    if form.file.data:
        scan = stored_file(form, kind=DocumentKind.CERTIFICATE, sender=str(member().staff_id))
        if scan is None:
            return None
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

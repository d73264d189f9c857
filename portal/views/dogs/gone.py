"""An animal died, moved away or has a new home; and taking that back (90.12(E), 90.04(B)(5))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.gone import GoneForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.schema.departures import DepartureKind
from portal.services.animals.past_animals import past_animal_of, past_animals
from portal.services.dangerous.handed_over import dogs_handed_over
from portal.services.dangerous.notice_wanted import notice_wanted
from portal.services.dangerous.tell_dangerous_notice import standing_designation
from portal.services.households.tell_gone import UNDO_FOR, GoneAnswers, tell_gone, undo_gone
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction


@blueprint.route("/<uuid:animal_id>/gone", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def gone(animal_id: UUID) -> ResponseReturnValue:
    """What happened, in kind words."""
    animal, clock = mine(animal_id), gateways().clock
    form = form_for(GoneForm, today=clock.today())
    if form.validate_on_submit():
        answers = GoneAnswers(
            animal_id=animal_id,
            kind=DepartureKind(form.kind.data),
            happened_on=form.happened_on.data,
            note=form.note.data or None,
        )
        with form.refusals():
            with transaction() as db:
                tell_gone(db, answers, person_id=resident().person_id, clock=clock)
            return see_other(url_for("dogs.farewell", animal_id=animal_id))
    designation = standing_designation(reading(), animal_id)
    return page("dogs/gone.html", form=form, animal=animal, designation=designation, periods=periods, Rule=Rule)


@blueprint.route("/<uuid:animal_id>/farewell", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def farewell(animal_id: UUID) -> ResponseReturnValue:
    """What that means, and the button that takes it back."""
    me, clock = resident(), gateways().clock
    form = form_for(ButtonForm)
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                undo_gone(db, animal_id=animal_id, person_id=me.person_id, clock=clock)
            return see_other(url_for("dogs.show", animal_id=animal_id))
    animal, departure = past_animal_of(reading(), person_id=me.person_id, animal_id=animal_id)
    return page(
        "dogs/farewell.html",
        form=form,
        animal=animal,
        departure=departure,
        wanted=notice_wanted(reading(), departure, city=gateways().city),
        until=departure.created_at + UNDO_FOR,
        periods=periods,
        Rule=Rule,
    )


@blueprint.get("/past")
@open_to(Access.RESIDENT)
def past() -> ResponseReturnValue:
    """Those that are gone; of those that others keep by now the designated ones, for the notice of who gave them."""
    me, city = resident(), gateways().city
    given = dogs_handed_over(reading(), person_id=me.person_id)
    return page(
        "dogs/past.html",
        gone=past_animals(reading(), person_id=me.person_id),
        given=[(animal, notice_wanted(reading(), departure, city=city)) for animal, departure in given],
    )

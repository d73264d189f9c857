"""What was typed of an animal is corrected by who keeps it (90.04(B)(2))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.animal_details import AnimalDetailsForm, stored_of
from portal.schema.animals import Animal
from portal.services.animals.change_animal import change_animal, facts_of, mark_of_animal
from portal.services.animals.chips import chips_of
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction


@blueprint.route("/<uuid:animal_id>/details", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def details(animal_id: UUID) -> ResponseReturnValue:
    """Name, breed, color, sex, birth and microchip. What the city holds of a designated dog, the city corrects."""
    animal, me, parts = mine(animal_id), resident(), gateways()
    facts = facts_of(reading().get_one(Animal, animal_id))
    stored = {**stored_of(facts), "seen": mark_of_animal(facts)}
    chips = chips_of(reading(), person_id=me.person_id, besides=animal_id)
    form = form_for(AnimalDetailsForm, data=stored, other_chips=chips, today=parts.clock.today())
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            change_animal(
                db,
                form.facts(),
                animal_id=animal_id,
                person_id=me.person_id,
                seen=form.seen.data,
                city=parts.city,
                clock=parts.clock,
            )
            return see_other(url_for("dogs.show", animal_id=animal_id))
        form.seen.data = mark_of_animal(facts)  # now they see it: sent again, their answers count
    return page("dogs/details.html", form=form, animal=animal)

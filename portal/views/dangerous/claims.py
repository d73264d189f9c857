"""How a designation comes to a dog here: by the code on its notice, or told by its keeper (90.13(E)(3), (H)(11))."""

from flask import g, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous import ClaimForm, ElsewhereForm
from portal.gateways.rate_limits import DESIGNATION_CODES
from portal.ordinance.citation import Rule
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.animals.my_dogs import animals_of
from portal.services.dangerous.claim_designation import claim_designation, state_declared_elsewhere
from portal.services.owners.keepers_now import locked_animal
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, keeper_id
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction


@blueprint.get("/dangerous")
@open_to(Access.ANYONE)
def landing() -> ResponseReturnValue:
    """What brings people here."""
    g.is_private = False
    return page("dangerous/landing.html", Rule=Rule)


@blueprint.route("/dangerous/claim", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def claim() -> ResponseReturnValue:
    """The code on the notice, and for which dog."""
    me, parts = resident(), gateways()
    form = form_for(ClaimForm, dogs=_dogs())
    if form.validate_on_submit():
        parts.limits.take(DESIGNATION_CODES, str(me.account_id))
        with form.refusals():
            with transaction() as db:
                claim_designation(
                    db, code=form.code.data, animal_id=form.dog_id, person_id=keeper_id(), clock=parts.clock
                )
            return see_other(url_for("dangerous.notice", animal_id=form.dog_id))
    return page("dangerous/claim.html", form=form)


@blueprint.route("/dangerous/elsewhere", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def elsewhere() -> ResponseReturnValue:
    """A dog that another place declared dangerous; the police are told."""
    parts = gateways()
    form = form_for(ElsewhereForm, dogs=_dogs())
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                animal = locked_animal(db, form.dog_id, person_id=keeper_id())
                state_declared_elsewhere(
                    db,
                    animal,
                    person_id=keeper_id(),
                    where=form.declared_by.data,
                    city=parts.city,
                    clock=parts.clock,
                )
            return see_other(url_for("dangerous.show", animal_id=form.dog_id))
    return page("dangerous/elsewhere.html", form=form, Rule=Rule)


def _dogs() -> list[AnimalKept]:
    return [animal for animal in animals_of(reading(), person_id=resident().person_id) if animal.is_dog]

"""A designated dog that animal control holds: the security, and how to get it back (90.13(E)(2), (J))."""

from uuid import UUID

from flask.typing import ResponseReturnValue

from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import reclaim_again_by, reclaim_by
from portal.services.dangerous.days_to_know import Day, days_to_know
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.dangerous.blueprint import blueprint, designated
from portal.views.dogs.blueprint import looking, mine


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/held")
@open_to(Access.RESIDENT)
def held(animal_id: UUID) -> ResponseReturnValue:
    """Where the dog is, what to do, and by when: the earlier of what state and city name. Nothing counts down.

    Once the designation has ended, nothing is to post or to show any more, and the dog is still to be taken home.
    """
    animal, dog, look = mine(animal_id), designated(animal_id), looking()
    if dog.seizure is None or dog.seizure.released_on:
        raise NotTheirs("Not held")
    by_state, by_city = reclaim_by(dog.seizure.seized_on, look.city.calendar)
    told_on = dog.seizure.reclaim_told_on
    days = days_to_know(dog, city=look.city, on=look.on)
    return page(
        "dangerous/held.html",
        animal=animal,
        dog=dog,
        security=next((known for known in days if known.what is Day.SECURITY), None),
        act_by=by_state.show_by,
        reclaim=by_city,
        again=reclaim_again_by(told_on, look.city.calendar) if told_on else None,
        counts_from_seizure=dog.is_standing and not (told_on and by_state.is_late(look.on)),
        periods=periods,
        Rule=Rule,
    )

"""A resident's animal at the pound: what taking it home asks of them, and what they can do here beforehand (90.07)."""

from uuid import UUID

from flask.typing import ResponseReturnValue

from portal.ordinance.citation import Rule
from portal.ordinance.impounding import owes_license
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.pound.at_the_pound import stay_of_mine
from portal.services.pound.reclaiming import reclaiming
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.dogs.blueprint import blueprint, looking, mine
from portal.views.dogs.look import Look
from portal.views.dogs.tracks import tracks
from portal.views.hours import opening_lines
from portal.views.identity import resident
from portal.views.work import gateways, reading


@blueprint.get("/<uuid:animal_id>/pound")
@open_to(Access.RESIDENT)
def pound(animal_id: UUID) -> ResponseReturnValue:
    """The checklist, with what is known of this animal's license and certificate."""
    stay = stay_of_mine(reading(), person_id=resident().person_id, animal_id=animal_id)
    animal, look, city = mine(animal_id), looking(), gateways().city
    needs_license = _needs_license(animal, look)
    return page(
        "dogs/pound.html",
        animal=animal,
        stay=stay,
        asks=reclaiming(
            stay.seized_on, needs_license=needs_license, is_altered=animal.is_altered, city=city, on=look.on
        ),
        tracks=tracks(animal, look)[:3] if needs_license else [],  # the tag comes after
        hours=opening_lines(city.pound.hours),
        Rule=Rule,
    )


def _needs_license(animal: AnimalKept, look: Look) -> bool:
    has_license = any(one.is_issued and one.valid_from <= look.on <= one.valid_until for one in animal.licenses)
    return animal.is_dog and owes_license(has_license=has_license, born_on=animal.born_on, on=look.on)

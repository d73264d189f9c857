"""The pages about a resident's animals share one address: /dogs."""

from uuid import UUID

from flask import Blueprint

from portal.services.animals.dogs_kept import AnimalKept
from portal.services.animals.my_dogs import animal_of
from portal.views.dogs.look import Look
from portal.views.identity import resident
from portal.views.work import gateways, reading

blueprint = Blueprint("dogs", __name__, url_prefix="/dogs")


def mine(animal_id: UUID) -> AnimalKept:
    """An animal of this resident; anyone else's is not found."""
    return animal_of(reading(), person_id=resident().person_id, animal_id=animal_id)


def looking() -> Look:
    """What the sentences about an animal depend on."""
    return Look(gateways().city, gateways().clock.today(), resident().person_id)

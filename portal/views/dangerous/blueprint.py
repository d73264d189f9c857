"""The pages about designated dogs: /dangerous for everybody, /dogs/<id>/dangerous for whoever keeps the dog."""

from uuid import UUID

from flask import Blueprint

from portal.services.dangerous.dog import DangerousDog, dangerous_dog_of
from portal.services.refusal import NotTheirs
from portal.views.identity import resident
from portal.views.work import gateways, reading

blueprint = Blueprint("dangerous", __name__)


def designated(animal_id: UUID) -> DangerousDog:
    """A designated dog of this resident; anyone else's, and one that is not designated, is not found."""
    parts = gateways()
    return dangerous_dog_of(
        reading(), person_id=resident().person_id, animal_id=animal_id, city=parts.city, clock=parts.clock
    )


def keeper_id() -> UUID:
    """The keeper who is signed in; whoever keeps nothing here has no dog to be asked about."""
    person_id = resident().person_id
    if person_id is None:
        raise NotTheirs("Keeps no animal")
    return person_id

"""What was typed of an animal is corrected: by one who keeps it, or at the desk for them (90.04(B)(2)).

A designated dog is described to the city by its registration (90.13): its keeper does not change that alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.ordinance.licensing import birth_refusals
from portal.schema.animals import Animal, Sex
from portal.schema.dangerous import DangerousDesignation
from portal.services.animals.find_lookalikes import note_lookalikes
from portal.services.owners.filings_waiting import compare_again_for
from portal.services.owners.keepers_now import first_keeper, locked_animal
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import token_hash

# What clinics' filings are compared by.
COMPARED = {"name", "sex", "born_on", "microchip"}
FIELDS = {"name": "animal_name"}
SAYS = "The record says “{now}” now. Press Save again to put your answer in its place"
SAYS_NOTHING = "The record says nothing here now. Press Save again to put your answer there"
DESIGNATED = "{name} is a designated dog. To correct what the city holds of it, call {police}, {phone}"


@dataclass(frozen=True)
class AnimalFacts:
    """What its people say of an animal."""

    name: str
    breed: str
    color: str
    sex: Sex
    is_altered: bool | None
    born_on: date | None
    microchip: str | None


def facts_of(animal: Animal) -> AnimalFacts:
    """What is on record."""
    return AnimalFacts(**{one.name: getattr(animal, one.name) for one in fields(AnimalFacts)})


def mark_of_animal(facts: AnimalFacts) -> str:
    """A mark of what is shown; another one once anything of it has changed."""
    return token_hash(repr(facts))


def change_animal(
    session: Session,
    facts: AnimalFacts,
    *,
    animal_id: UUID,
    person_id: UUID | None = None,
    officer: str | None = None,
    seen: str | None = None,
    city: City,
    clock: Clock,
) -> Animal:
    """Correct it, as the keeper `person_id` or as staff. The feed names what changed, and no value.

    Raises NotTheirs, and Refused for a designated dog of a keeper, a birth to come, and what `seen` has not shown.
    """
    animal = _locked(session, animal_id) if officer else locked_animal(session, animal_id, person_id=person_id)
    if reasons := birth_refusals(born_on=facts.born_on, on=clock.today()):
        raise Refused(reasons)
    before = facts_of(animal)
    changed = [one.name for one in fields(facts) if getattr(before, one.name) != getattr(facts, one.name)]
    if not changed:
        return animal
    if not officer and is_designated(session, animal_id):
        police = {"police": city.police.name, "phone": city.police.phone}
        raise Refused([Refusal(Rule.APPLICATION, DESIGNATED.format(name=animal.name, **police))])
    if seen is not None and seen != mark_of_animal(before):
        raise Refused(list(_overwritten(before, changed)))
    for name in changed:
        setattr(animal, name, getattr(facts, name))
    if facts.born_on:
        animal.estimated_age_months = animal.age_estimated_on = None
    session.flush()
    actor = f"officer:{officer}" if officer else keeper(person_id)
    record_event(session, "animal.changed", animal, actor=actor, changed=changed)
    owner = first_keeper(session, animal.id)
    if owner and {"name", "microchip"} & set(changed):
        note_lookalikes(session, animal, person_id=owner.id, rabies_tag=None)
    by_city = {"by_city": officer is not None}
    tell_keepers(session, animal, template="animal_changed", context=by_city, clock=clock, but=person_id)
    if COMPARED & set(changed):
        compare_again_for(session, animal.id)
    return animal


def is_designated(session: Session, animal_id: UUID) -> bool:
    """Whether animal control ever designated it (90.13(D))."""
    return bool(session.scalar(select(exists().where(DangerousDesignation.animal_id == animal_id))))


def with_chip(facts: AnimalFacts, typed: str) -> AnimalFacts:
    """The number as it is kept: without blanks and dashes."""
    return replace(facts, microchip=typed.replace(" ", "").replace("-", "") or None)


def _locked(session: Session, animal_id: UUID) -> Animal:
    animal = session.get(Animal, animal_id, with_for_update=True, populate_existing=True)
    if animal is None:
        raise NotTheirs("There is no such animal")
    return animal


def _overwritten(before: AnimalFacts, changed: list[str]) -> Iterator[Refusal]:
    for name in changed:
        now = {True: "Yes", False: "No"}.get(getattr(before, name), getattr(before, name))
        sentence = SAYS.format(now=now) if now else SAYS_NOTHING
        yield Refusal(Rule.APPLICATION, sentence, FIELDS.get(name, name))

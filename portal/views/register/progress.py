"""Where a registration stands: read for a page, kept after each answer, moved on to the next question."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from uuid import UUID, uuid4

from flask import session, url_for
from flask.typing import ResponseReturnValue

from portal.ordinance.licensing import MovedFrom, Situation
from portal.schema.accounts import Account
from portal.services.animals.chips import chips_of
from portal.services.draft_answers import AnimalAnswers, Registration
from portal.services.folding import chip
from portal.services.owners.record_owner import answers_of
from portal.services.refusal import NotTheirs
from portal.services.registering.keep_draft import draft_of, keep, open_draft
from portal.services.registering.steps import Place, Step, next_place
from portal.views.answers import see_other
from portal.views.identity import ACCOUNT, current_resident, resident
from portal.views.work import gateways, reading, transaction

BEGUN = "registration"

ENDPOINTS = {
    Step.OWNER: "register.owner",
    Step.HOME: "register.home",
    Step.ABOUT: "register.about",
    Step.LICENSE: "register.license_year",
    Step.PHOTO: "register.photo",
    Step.CERTIFICATE: "register.certificate",
    Step.CERTIFICATE_DETAILS: "register.certificate_details",
    Step.ANIMALS: "register.animals",
    Step.OTHER_DOGS: "register.other_dogs",
    Step.CHECK: "register.check",
}


def begun() -> dict[str, str]:
    """What was answered before the sign-in, in this browser."""
    return cast(dict[str, str], session.get(BEGUN, {}))


def begin(**answers: str | None) -> None:
    """Note an answer given before the sign-in."""
    me = current_resident()
    given = {name: value for name, value in answers.items() if value} | ({ACCOUNT: str(me.account_id)} if me else {})
    # An answer that was taken back does not stay under the others.
    kept = {name: value for name, value in begun().items() if name not in answers}
    session[BEGUN] = {"id": str(uuid4())} | kept | given


def begun_animal() -> AnimalAnswers | None:
    """The animal those first answers are about, once the situation is known."""
    answers = begun()
    if "situation" not in answers:
        return None
    on = gateways().clock.today()
    return AnimalAnswers(
        id=UUID(answers["id"]),
        situation=Situation(answers["situation"]),
        born_on=on.fromisoformat(answers["born_on"]) if "born_on" in answers else None,
        age_months=int(answers["age_months"]) if "age_months" in answers else None,
        age_estimated_on=on.fromisoformat(answers["asked_on"]) if "age_months" in answers else None,
        moved_from=MovedFrom(answers["moved_from"]) if "moved_from" in answers else None,
        wants_license=answers.get("wants_license", "yes") == "yes",
    )


def registration() -> Registration:
    """The registration as it stands: the draft, else what we know of the owner; with the animal just begun."""
    found = draft_of(reading(), account_id=resident().account_id) or _from_record()
    return _with_begun(found)


def animal_of(found: Registration, animal_id: UUID) -> AnimalAnswers:
    """One animal of this registration; anyone else's does not exist in it."""
    animal = found.animal(animal_id)
    if animal is None:
        raise NotTheirs("No such animal in this registration")
    return animal


def other_chips(found: Registration, animal: AnimalAnswers) -> dict[str, str]:
    """The microchips of their other animals, registered and being registered, each with its animal's name."""
    registered = chips_of(reading(), person_id=resident().person_id)
    others = {
        chip(one.microchip or one.certificate.microchip): one.name or "Another animal"
        for one in found.animals
        if one.id != animal.id
    }
    return {number: name for number, name in (registered | others).items() if number}


def keep_and_go_on(change: Callable[[Registration], Registration]) -> ResponseReturnValue:
    """Keep what was answered on top of what another device may have kept meanwhile, and go to the next question."""
    with transaction() as db:
        draft = open_draft(db, account_id=resident().account_id)
        changed = change(_with_begun(draft.kept or _from_record()))
        keep(db, draft, changed, clock=gateways().clock)
    session.pop(BEGUN, None)
    return see_other(address(next_place(changed)))


def keep_animal(animal_id: UUID, **changes: Any) -> ResponseReturnValue:
    """Keep answers about one animal, leaving what else is kept of it alone."""
    return keep_and_go_on(lambda kept: kept.with_animal(replace(animal_of(kept, animal_id), **changes)))


def address(place: Place) -> str:
    """The page of a step."""
    if place.animal_id:
        return url_for(ENDPOINTS[place.step], animal_id=place.animal_id)
    return url_for(ENDPOINTS[place.step])


def back_from(found: Registration, place: Place) -> str:
    """Where the back link leads: to the check page once everything is answered, else to the page before."""
    if next_place(found).step is Step.CHECK:
        return url_for("register.check")
    if place.step in BEFORE:
        return url_for(BEFORE[place.step])
    if place.animal_id and place.step in ANIMAL_PAGES:
        earlier = ANIMAL_PAGES[ANIMAL_PAGES.index(place.step) - 1] if place.step is not Step.ABOUT else None
        if earlier:
            return url_for(ENDPOINTS[earlier], animal_id=place.animal_id)
    return url_for("register.home")


BEFORE = {
    Step.OWNER: "register.answer",
    Step.HOME: "register.owner",
    Step.OTHER_DOGS: "register.animals",
}
ANIMAL_PAGES = (Step.ABOUT, Step.LICENSE, Step.PHOTO, Step.CERTIFICATE, Step.CERTIFICATE_DETAILS)


def _with_begun(found: Registration) -> Registration:
    animal = begun_animal()
    return found.with_animal(animal) if animal and found.animal(animal.id) is None else found


def _from_record() -> Registration:
    account = reading().get_one(Account, resident().account_id)
    known = answers_of(reading(), account)
    return Registration(owner=known[0], home=known[1]) if known else Registration()

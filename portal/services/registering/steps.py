"""The steps of registering dogs, as a table to be read from top to bottom."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from portal.services.draft_answers import AnimalAnswers, Registration


class Step(StrEnum):
    OWNER = "owner"
    HOME = "home"
    ABOUT = "about"
    PHOTO = "photo"
    LICENSE = "license"
    CERTIFICATE = "certificate"
    CERTIFICATE_DETAILS = "certificate_details"
    ANIMALS = "animals"
    OTHER_DOGS = "other_dogs"
    CHECK = "check"


@dataclass(frozen=True)
class Place:
    """A step, and which animal it is about."""

    step: Step
    animal_id: UUID | None = None


def _certificate_is_missing(animal: AnimalAnswers) -> bool:
    return not animal.certificate.is_later and animal.certificate.upload_id is None


def _details_are_missing(animal: AnimalAnswers) -> bool:
    return not animal.certificate.is_later and not animal.certificate.is_read


BEFORE: tuple[tuple[Step, Callable[[Registration], bool]], ...] = (
    (Step.OWNER, lambda answers: answers.owner is None),
    (Step.HOME, lambda answers: answers.home is None),
)
EACH_ANIMAL: tuple[tuple[Step, Callable[[AnimalAnswers], bool]], ...] = (
    (Step.ABOUT, lambda animal: animal.name is None),
    (Step.LICENSE, lambda animal: animal.applies and animal.license_year is None),
    (Step.PHOTO, lambda animal: not animal.photo_is_asked),
    (Step.CERTIFICATE, _certificate_is_missing),
    (Step.CERTIFICATE_DETAILS, _details_are_missing),
)
AFTER: tuple[tuple[Step, Callable[[Registration], bool]], ...] = (
    (Step.ANIMALS, lambda answers: not answers.is_animal_list_whole or not answers.animals),
    (Step.OTHER_DOGS, lambda answers: answers.others is None and any(not animal.is_cat for animal in answers.animals)),
)


def next_place(registration: Registration) -> Place:
    """The first step that is not answered yet; the check-your-answers page once all are."""
    return next(_open_places(registration), Place(Step.CHECK))


def _open_places(registration: Registration) -> Iterator[Place]:
    yield from (Place(step) for step, is_open in BEFORE if is_open(registration))
    for animal in registration.animals:
        yield from (Place(step, animal.id) for step, is_missing in EACH_ANIMAL if is_missing(animal))
    yield from (Place(step) for step, is_open in AFTER if is_open(registration))

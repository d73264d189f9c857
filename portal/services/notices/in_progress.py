"""A lost or found notice being written, or changed: its questions in order, and the answers so far (F1)."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from portal.schema.animals import Sex
from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, Size, Temperament


class Step(StrEnum):
    """A page of the notice."""

    PHOTO = "photo"
    PET = "pet"
    WHERE = "where"
    MORE = "more"
    CHECK = "check"


# A photo of an animal in the street comes first: it may run on.
STEPS = {
    NoticeKind.LOST: (Step.PET, Step.PHOTO, Step.WHERE, Step.MORE, Step.CHECK),
    NoticeKind.FOUND: (Step.PHOTO, Step.WHERE, Step.PET, Step.MORE, Step.CHECK),
}


@dataclass(frozen=True, kw_only=True)
class PetAnswers:
    species: NoticeSpecies = NoticeSpecies.DOG
    species_text: str = ""
    name: str = ""
    breed: str = ""
    color: str = ""
    sex: Sex | None = None
    size: Size | None = None
    marks: str = ""
    wears: str = ""


@dataclass(frozen=True, kw_only=True)
class WhereAnswers:
    """`on` is a civil day; `clock` the time of day, like 21:30, if it is known. Of a found one also how it is held."""

    place: str
    latitude: float | None = None
    longitude: float | None = None
    on: date
    clock: str = ""
    holding: Holding | None = None
    confined_at: datetime | None = None

    def at(self, zone: ZoneInfo) -> datetime | None:
        """The instant, where the time is known; of an hour that comes twice, the first."""
        if not self.clock:
            return None
        return datetime.combine(self.on, time.fromisoformat(self.clock), tzinfo=zone).astimezone(UTC)


@dataclass(frozen=True, kw_only=True)
class MoreAnswers:
    """What to do when it is seen; and what is kept apart: the mark, chip, tag, and how a finder is reached."""

    temperament: Temperament | None = None
    what_to_do: str = ""
    withheld_mark: str = ""
    chip: str = ""
    tag: str = ""
    shown_phone: str = ""
    phone: str = ""
    email: str = ""


@dataclass(frozen=True, kw_only=True)
class NoticePhoto:
    """Where the picture lies, and the whole of it that it was cut from. Cuts are in hundredths of each side."""

    key: str
    thumbnail_key: str
    width: int
    height: int
    whole_key: str
    turned: int = 0
    cut: tuple[int, int, int, int] = (0, 0, 0, 0)
    """From the left, the top, the right and the bottom."""


@dataclass(frozen=True, kw_only=True)
class BegunNotice:
    """The answers so far. `key` makes sending it twice one notice; `sent` is its reference once it was sent.

    `animal_id` is the registered animal that is missing; `changes` the reference of a notice that is being changed.
    """

    kind: NoticeKind
    key: UUID = field(default_factory=uuid4)
    answered: tuple[Step, ...] = ()
    animal_id: UUID | None = None
    changes: str | None = None
    pet: PetAnswers = PetAnswers()
    where: WhereAnswers | None = None
    more: MoreAnswers = MoreAnswers()
    is_suspicious: bool = False
    sent: str | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pages in their order."""
        return STEPS[self.kind]

    @property
    def next_step(self) -> Step:
        """The first page that was not answered; the check once all were."""
        return next(step for step in self.steps if step not in self.answered)

    def with_answer(self, step: Step, **changes: Any) -> "BegunNotice":
        """One page answered, perhaps anew."""
        answered = self.answered if step in self.answered else (*self.answered, step)
        return replace(self, answered=answered, **changes)

    def once_sent(self, reference: str) -> "BegunNotice":
        """What stays, so that the same form again leads to the same place."""
        return BegunNotice(kind=self.kind, key=self.key, sent=reference, changes=self.changes)

"""Decisions at the desk. Each carries the version of what was seen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from datetime import time as time_of_day
from typing import NoReturn, Self
from uuid import UUID
from zoneinfo import ZoneInfo

from wtforms import HiddenField, SelectMultipleField

from portal.forms.base import PortalForm
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    ConfirmField,
    LongTextField,
    Needed,
    NotInFuture,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.times import TimeField
from portal.ordinance.finding import Refusal
from portal.ordinance.wall_clock import SKIPPED, instants
from portal.schema.animals import Animal
from portal.services.refusal import ChangedMeanwhile, Refused
from portal.services.reports.handle_report import SAY_WHY

OTHER = "other"
NO_BUTTON = "Nothing is decided yet. Press the button of what you decide"
IS_KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class DecisionForm(PortalForm):
    """Which button was pressed stands in `decision`; `has_changed` when somebody else was quicker."""

    seen = HiddenField()
    decision = HiddenField()
    has_changed = False

    def pressed(self, *buttons: str) -> str:
        """Which of these buttons was pressed; raises Refused for none of them: nothing is decided by default."""
        found = self.decision.data
        if found not in buttons:
            raise Refused([Refusal("decision", NO_BUTTON)])
        return str(found)

    @property
    def typed(self) -> list[tuple[str, str]]:
        """What was typed, for whoever has to look again."""
        return [(field.label.text, field.data) for field in self if isinstance(field, TextField) and field.data]

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Around a service, as for every form; a version that is over is noted, and nothing that was typed is lost."""
        try:
            with super().refusals():
                yield
        except ChangedMeanwhile:
            self.has_changed = True


class SendBackForm(DecisionForm):
    """Accept, or send back with a reason from the list or in one's own words."""

    reason = ChoiceField("Why it goes back", [SaysWhen()], choices=[])
    own_words = LongTextField(
        "Your own words", [SaysWhen()], max_length=2_000, hint="The person reads this as you write it."
    )

    @property
    def said(self) -> str:
        """The reason the person will read."""
        if self.own_words.data:
            return str(self.own_words.data)
        chosen = {str(one[0]): str(one[1]) for one in self.reason.iter_choices()}
        return "" if self.reason.data in (None, "", OTHER) else chosen.get(self.reason.data, "")

    @classmethod
    def offering(cls, reasons: tuple[tuple[str, str], ...]) -> Self:
        """With the reasons of this kind of item, as (key, sentence)."""
        form = cls()
        form.reason.choices = [choice(key, sentence) for key, sentence in reasons]
        return form


class FilingForm(SendBackForm):
    """Which animal a clinic's certificate is about."""

    chosen = ChoiceField("Which animal is it about?", [SaysWhen()], choices=[])

    def offer_animals(self, likely: list[tuple[Animal, str]]) -> None:
        """The animals it may be about, each with what agrees."""
        self.chosen.choices = [choice(str(animal.id), _described(animal), why) for animal, why in likely]

    def chosen_animal(self) -> UUID:
        """The animal that was chosen; raises Refused for none."""
        if not self.chosen.data:
            raise Refused([Refusal("90.04(D)(2)", "Choose the animal", "chosen")])
        return UUID(self.chosen.data)


class AnswerForm(DecisionForm):
    """A decision with words of one's own, where any are needed."""

    reason = LongTextField("What they read", [SaysWhen()], max_length=4_000)

    @property
    def said(self) -> str:
        """What the person will read."""
        return str(self.reason.data)


class EvidenceForm(AnswerForm):
    """A decision about the very evidence that was looked at."""

    number = HiddenField()

    @property
    def evidence_number(self) -> int:
        """Which evidence it was; 0 for none."""
        typed = self.number.data or ""
        return int(typed) if typed.isascii() and typed.isdigit() else 0


class HearingForm(DecisionForm):
    """The next step of a hearing. Which answers are needed depends on the button."""

    day = CivilDateField("Day", [SaysWhen()], hint="When it is to be held, was held, or was decided.")
    time = TimeField("Time", [SaysWhen()], hint="For setting it, like 9:30 a.m.")
    place = TextField("Place", [SaysWhen()], max_length=400)
    heard_by = TextField("Heard by", [SaysWhen()], max_length=400)
    outcome = ChoiceField(
        "What was decided",
        [SaysWhen()],
        choices=[
            choice("upheld", "The designation stands"),
            choice("not_upheld", "The designation does not stand"),
            choice("withdrawn", "The request was withdrawn"),
        ],
    )

    def needed_day(self) -> date:
        """The day; raises Refused for none."""
        found: date | None = self.day.data
        return found or _missing("Enter the day", "day")

    def needed_time(self) -> time_of_day:
        """The time of day; raises Refused for none."""
        return self.time.time or _missing("Enter the time, like 9:30 a.m.", "time")

    def needed_moment(self, zone: ZoneInfo) -> datetime:
        """Day and time together; raises Refused for none, and for a time that the clock skipped."""
        shown = instants(self.needed_day(), self.needed_time(), zone)
        return shown[0].astimezone(zone) if shown else _missing(SKIPPED, "time")

    def needed_outcome(self) -> str:
        """What was decided; raises Refused for nothing."""
        return str(self.outcome.data or _missing("Choose what was decided", "outcome"))


class AgainForm(DecisionForm):
    """A letter goes out again to the mailbox whose button was pressed."""

    again = HiddenField()


class ReceivedForm(DecisionForm):
    """When the owner received a decision."""

    day = CivilDateField("Day the owner received it", [Needed("Enter the day the owner received it"), NotInFuture()])


class MatchForm(DecisionForm):
    """Which designation a request is about: one of those that are likely, or one by its reference."""

    chosen = ChoiceField("Which designation is it about?", [SaysWhen()], choices=[])
    reference = TextField("Or its reference", [SaysWhen()], max_length=60, width="medium", autocomplete="off")

    def refuse(self, field_name: str | None, sentence: str) -> None:
        """Where there is nothing to choose from, the reference is what is asked."""
        super().refuse("reference" if field_name == "chosen" and not self.chosen.choices else field_name, sentence)


class PhotographForm(DecisionForm):
    """When and where animal control photographs a dog."""

    day = CivilDateField("Day", [Needed("Enter the day")])
    time = TimeField("Time", [Needed("Enter the time, like 9:30 a.m.")], hint="Like 9:30 a.m.")
    place = TextField("Place", [Needed("Enter the place")], max_length=400)


class ReportForm(SendBackForm):
    """What an officer does with a report. The reporter reads all of it."""

    to_all = ConfirmField("Everybody who reported this reads it", hint="Write nothing that tells one of another.")
    words = LongTextField("Write to the reporter", [SaysWhen()], max_length=4_000, hint="They read it as you write it.")
    reason = ChoiceField("Why it is closed", [SaysWhen()], choices=[])

    def refuse(self, field_name: str | None, sentence: str) -> None:
        """A question is asked in the same box."""
        super().refuse("words" if field_name == "question" else field_name, sentence)


class ReporterForm(PortalForm):
    """Why somebody has to know who reported."""

    why = LongTextField(
        "Why do you need to know who reported?",
        [Needed(SAY_WHY)],
        max_length=1_000,
        hint="It is written down with your name, and kept.",
    )


class TagsForm(DecisionForm):
    """Which tags went out. The boxes are drawn by the list."""

    tags = SelectMultipleField(choices=[], validate_choice=False)
    used = TextField("Labels used already on the first sheet", max_length=2, inputmode="numeric", width="short")

    @property
    def tag_ids(self) -> list[UUID]:
        """The tags that are ticked; what is no key is left out."""
        return [UUID(one) for one in self.tags.data or [] if IS_KEY.fullmatch(one)]

    @property
    def skip(self) -> int:
        """How many labels to leave empty."""
        return int(self.used.data) if self.used.data.isascii() and self.used.data.isdigit() else 0


class FeeAnswerForm(DecisionForm):
    """The answer to a question about a fee."""

    answer = LongTextField("Your answer", [SaysWhen()], max_length=4_000, hint="They read it as you write it.")


def _described(animal: Animal) -> str:
    """Pepper (dog, Labrador retriever, black, female)"""
    parts = (animal.species.value, animal.breed, animal.color, animal.sex.value)
    return f"{animal.name} ({', '.join(part for part in parts if part)})"


def _missing(sentence: str, field: str) -> NoReturn:
    raise Refused([Refusal("90.13(E)(1)", sentence, field)])

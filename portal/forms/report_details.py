"""What one kind of report is asked besides what every report is (90.04(A), 90.08, 90.10, 90.11(B), 90.12(E), 90.14).

The names of the questions are those of the details in services/reports/answers.py. All of them may be left out.
"""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from portal.forms.base import PortalForm
from portal.forms.fields import ChoiceField, LongTextField, TextField, YesNoField, choice
from portal.forms.times import TimeField
from portal.ordinance.nuisances import Nuisance
from portal.services.reports.answers import DETAILS, LONGEST_LINE, Details, StrayDetails

TAG_QUESTION = "Does it wear a tag? What does it say?"


def _line(label: str, hint: str = "") -> TextField:
    return TextField(label, hint=hint, max_length=LONGEST_LINE, autocomplete="off")


class DetailsForm(PortalForm):
    """Its questions are named like the details of its kind."""

    def details(self, kind: Nuisance, *, now: datetime, zone: ZoneInfo) -> Details:
        """What was answered; `now` and `zone` for the one kind that is asked for a time."""
        _ = now, zone
        given: dict[str, Any] = {field.name: self[field.name].data for field in fields(DETAILS[kind])}
        # Radio buttons that nobody touched are None; the details have their own word for that.
        return DETAILS[kind](**{name: value for name, value in given.items() if value is not None})


class BarkingForm(DetailsForm):
    heard_from = _line("Where did you hear it from?", "Like “my bedroom, windows shut”.")
    how_long = _line("How long does it go on, as a rule?")
    interruptions = _line("How long are the pauses?", "A pause of less than a minute counts as no pause.")


class DamageForm(DetailsForm):
    what = LongTextField("What was damaged?", max_length=2_000)
    whose_property = _line("Whose is it?", "Yours, somebody else’s, or the city’s.")
    estimate = _line("What may it cost to mend?", "A guess is fine.")


class ChasingForm(DetailsForm):
    chased = ChoiceField(
        "Who or what was chased?",
        choices=[
            choice("pedestrian", "Somebody on foot"),
            choice("bicycle", "Somebody on a bicycle"),
            choice("vehicle", "A car or another vehicle"),
            choice("animal", "Another animal"),
        ],
    )
    ground = ChoiceField(
        "Where was that?",
        choices=[
            choice("street", "A street or a road"),
            choice("path", "A sidewalk or a path"),
            choice("park", "A park or a parkway"),
            choice("other", "Somewhere else"),
        ],
    )
    had_contact = YesNoField("Did it touch anybody?")
    injury = _line("Was anybody hurt? How?", "If it bit, report a bite instead: an officer is told at once.")


class BiteForm(DetailsForm):
    bitten = ChoiceField("Who was bitten?", choices=[choice("person", "A person"), choice("animal", "Another animal")])
    reporter_is = ChoiceField(
        "Who are you?",
        choices=[
            choice("bitten", "The one who was bitten"),
            choice("keeper", "I keep the animal that was bitten"),
            choice("parent", "A parent, or somebody who looks after the one bitten"),
            choice("witness", "Somebody who saw it"),
        ],
    )
    injury = _line("What is hurt?", "Like “the left hand, broken skin”.")
    treated_by = _line("Which doctor or vet looked at it?")
    animal_is_now = _line("Where is the animal that bit now?", "Loose, at its home, or with somebody.")
    vaccination = _line("Is it vaccinated against rabies, if you know?")


class LitterForm(DetailsForm):
    ground = ChoiceField(
        "Where does it lie?",
        choices=[
            choice("own", "On its owner’s own land"),
            choice("others", "On mine or somebody else’s land"),
            choice("public", "On public ground: a street, a park"),
        ],
    )


class AtLargeForm(DetailsForm):
    direction = _line("Which way did it go?")
    tag = _line(TAG_QUESTION)


class NeglectForm(DetailsForm):
    lacks = _line("What does the animal lack?", "Like food, water, shade or shelter.")
    since = _line("Since when?")
    seen_from = _line("Where can it be seen from?", "Like “the alley”. Please don’t go onto somebody’s land.")


class DeadAnimalForm(DetailsForm):
    species = _line("What animal is it?")
    tag = _line(TAG_QUESTION)


class StrayForm(DetailsForm):
    is_confined = YesNoField("Is it shut in, or with you?")
    confined_at = TimeField("If so: since about what time?", hint="Like 9:30 p.m.", autocomplete="off")
    tag = _line(TAG_QUESTION)

    def details(self, kind: Nuisance, *, now: datetime, zone: ZoneInfo) -> Details:
        """The time it was taken in starts the two hours of 90.11(B)."""
        return StrayDetails(
            is_confined=self.is_confined.data,
            confined_at=self.confined_at.last_instant(now=now, zone=zone) if self.is_confined.data else None,
            tag=self.tag.data,
        )


_FORMS: dict[Nuisance, type[DetailsForm]] = {
    Nuisance.BARKING: BarkingForm,
    Nuisance.DAMAGE: DamageForm,
    Nuisance.CHASING: ChasingForm,
    Nuisance.BITE: BiteForm,
    Nuisance.LITTER: LitterForm,
    Nuisance.AT_LARGE: AtLargeForm,
    Nuisance.NEGLECT: NeglectForm,
    Nuisance.DEAD_ANIMAL: DeadAnimalForm,
    Nuisance.STRAY: StrayForm,
}
DETAILS_FORMS: Mapping[Nuisance, type[DetailsForm]] = MappingProxyType(_FORMS)


def shown_details(kind: Nuisance, stored: Mapping[str, Any], *, zone: ZoneInfo) -> dict[str, Any]:
    """Stored details as the form shows them: a time of day in place of an instant."""
    shown = dict(stored)
    if isinstance(since := shown.get("confined_at"), str):
        local = datetime.fromisoformat(since).astimezone(zone)
        shown["confined_at"] = f"{local:%H:%M}"
    return shown

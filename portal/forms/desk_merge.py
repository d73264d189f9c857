"""Which report another one goes under, and why; and why they are taken apart again."""

from collections.abc import Sequence
from typing import Self

from wtforms.validators import ValidationError

from portal.forms.desk import OTHER, DecisionForm
from portal.forms.fields import ChoiceField, LongTextField, Needed, SaysWhen, TextField, choice
from portal.schema.reports import Report
from portal.services.say_why import FOR_THE_RECORD

SHOWN_OF_IT = 160


def _why() -> LongTextField:
    return LongTextField(
        "Why?",
        [Needed(FOR_THE_RECORD)],
        max_length=1_000,
        hint="Kept with the reports. Their reporters do not read it.",
    )


class UnmergeForm(DecisionForm):
    why = _why()


class MergeForm(DecisionForm):
    into = ChoiceField("Which report do you go on with?", [Needed("Choose the report you go on with")], choices=[])
    reference = TextField(
        "Reference, if it is another one", [SaysWhen()], max_length=40, width="medium", autocomplete="off"
    )

    why = _why()

    def validate_reference(self, field: TextField) -> None:
        """Needed for one that is not on the list."""
        if self.into.data == OTHER and not field.data:
            raise ValidationError("Enter the reference of the report")

    @classmethod
    def offering(cls, likely: Sequence[tuple[Report, str]]) -> Self:
        """With the open reports about the same place, and any other by its reference."""
        form = cls()
        listed = [
            choice(str(one.id), f"{title}, {one.reference}", one.narrative[:SHOWN_OF_IT]) for one, title in likely
        ]
        form.into.choices = [*listed, choice(OTHER, "Another one")]
        if not listed:
            form.into.data = form.into.data or OTHER
        return form

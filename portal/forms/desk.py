"""Decisions at the desk. Each carries the version of what was seen."""

from collections.abc import Iterator
from contextlib import contextmanager

from wtforms import HiddenField

from portal.forms.base import PortalForm
from portal.forms.fields import ChoiceField, LongTextField, SaysWhen, TextField, choice
from portal.services.desk.seen import ChangedMeanwhile

OTHER = "other"


class DecisionForm(PortalForm):
    """Which button was pressed stands in `decision`; `has_changed` when somebody else was quicker."""

    seen = HiddenField()
    decision = HiddenField()
    has_changed = False

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

    def offer(self, reasons: tuple[tuple[str, str], ...]) -> None:
        """The reasons of this kind of item, as (key, sentence)."""
        self.reason.choices = [choice(key, sentence) for key, sentence in reasons]

"""The questions of a barking log: typed times, and what a phone tapped by itself."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from wtforms import HiddenField
from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import CivilDateField, Needed, NotInFuture, TextField
from portal.forms.times import TimeField
from portal.services.reports.answers import LONGEST_LINE, MOST_EPISODES, TOO_MANY_EPISODES
from portal.services.reports.log import Tapped

UNREADABLE = "These entries can’t be read. Type the times instead"


class EpisodeForm(PortalForm, SubmittedOnce):
    """One entry by hand."""

    day = CivilDateField("What day did it begin?", [Needed("Enter the day it began"), NotInFuture()])
    started = TimeField("When did it begin?", [Needed("Enter when it began, like 9:30 p.m.")], hint="Like 9:30 p.m.")
    ended = TimeField(
        "When did you last hear it?",
        [Needed("Enter when you last heard it, like 9:42 p.m.")],
        hint="A time before the one above is after midnight.",
    )
    heard_from = TextField("Where did you hear it from?", hint="Like: my bedroom.", max_length=LONGEST_LINE)


class TappedField(HiddenField):
    """Entries as the script sends them; `taps` is what they mean."""

    taps: tuple[Tapped, ...] = ()

    def pre_validate(self, form: Any) -> None:
        """Read them, or say what to do."""
        super().pre_validate(form)
        try:
            found = json.loads(self.data or "[]")
            self.taps = tuple(Tapped(UUID(str(one["id"])), _instant(one["from"]), _instant(one["to"])) for one in found)
        except (ValueError, TypeError, KeyError, OverflowError, OSError) as failure:
            raise ValidationError(UNREADABLE) from failure
        if len(self.taps) > MOST_EPISODES:
            raise ValidationError(TOO_MANY_EPISODES.format(most=MOST_EPISODES))


class MomentField(HiddenField):
    """An instant in milliseconds, as scripts count them; `at` is what it means."""

    at: datetime

    def pre_validate(self, form: Any) -> None:
        """Read it."""
        super().pre_validate(form)
        try:
            self.at = _instant(self.data)
        except (ValueError, TypeError, OverflowError, OSError) as failure:
            raise ValidationError(UNREADABLE) from failure


class TimerForm(PortalForm):
    """What a phone tapped, sent by the script."""

    entries = TappedField()
    phone_says = MomentField()


def _instant(milliseconds: Any) -> datetime:
    found = datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    if not 2000 <= found.year < 2100:  # a clock that was never set
        raise ValueError(milliseconds)
    return found

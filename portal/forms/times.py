"""Times of day as people write them, and as a phone's own picker sends them."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from wtforms.validators import StopValidation
from wtforms.widgets import TextInput

from portal.forms.fields import TextField
from portal.ordinance.found_animals import taken_in_at
from portal.ordinance.wall_clock import SKIPPED, instants

WHAT_TO_DO = "Enter a time like 9:30 p.m."
STILL_TO_COME = "That time is still to come. Check the day and the time"
WRITTEN = re.compile(
    r"(?P<hour>\d{1,2})(?:[:. ]?(?P<minute>\d{2}))?(?::\d{2})? ?(?P<half>[ap])?\.? ?(?:m\.?)?", re.IGNORECASE
)
WORDS = {"noon": time(12), "midnight": time(0)}


def read_time(typed: str) -> time | None:
    """The time of day; None when it can't be one. Without a.m. or p.m. it is read on a 24-hour clock."""
    plain = typed.strip().lower()
    if plain in WORDS:
        return WORDS[plain]
    found = WRITTEN.fullmatch(plain) if plain.isascii() else None
    if found is None:
        return None
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


class TimeInput(TextInput):
    """The browser's own picker, where it has one."""

    input_type = "time"


class TimeField(TextField):
    """A time of day; `data` is what was typed, `time` what it means."""

    widget = TimeInput()
    errors: Sequence[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.time: time | None = None
        super().__init__(*args, **{"width": "medium", "max_length": 20, **kwargs})

    def pre_validate(self, form: Any) -> None:
        """Read the time, or say how to write one."""
        super().pre_validate(form)
        self.time = read_time(self.data) if self.data else None
        if self.data and self.time is None:
            raise StopValidation(WHAT_TO_DO)

    def instant(self, day: date, zone: ZoneInfo) -> datetime | None:
        """When it was, the first time of two; None without a time, and with a sentence if the clock skipped it."""
        return self._told(next(iter(instants(day, self.time, zone)), None)) if self.time else None

    def last_instant(self, *, now: datetime, zone: ZoneInfo) -> datetime | None:
        """The same of the last time that the clock showed it."""
        return self._told(taken_in_at(self.time, now=now, zone=zone)) if self.time else None

    def _told(self, at: datetime | None) -> datetime | None:
        if at is None:
            self.errors = [*self.errors, SKIPPED]
        return at

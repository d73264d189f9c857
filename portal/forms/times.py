"""Times of day as people write them, and as a phone's own picker sends them."""

import re
from datetime import time
from typing import Any

from wtforms.validators import StopValidation
from wtforms.widgets import TextInput

from portal.forms.fields import TextField

WHAT_TO_DO = "Enter a time like 9:30 PM"
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.time: time | None = None
        super().__init__(*args, **{"width": "medium", "max_length": 20, **kwargs})

    def pre_validate(self, form: Any) -> None:
        """Read the time, or say how to write one."""
        super().pre_validate(form)
        self.time = read_time(self.data) if self.data else None
        if self.data and self.time is None:
            raise StopValidation(WHAT_TO_DO)

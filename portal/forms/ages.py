"""An animal's age as people say it, kept in months."""

import re
from fractions import Fraction
from typing import Any

from wtforms.widgets import TextInput

from portal.forms.asking import Asking
from portal.forms.text import one_line

WHAT_TO_DO = "Enter the age as a number, like 2, and choose months or years"
OLDEST_MONTHS = 40 * 12

_UNIT_MONTHS = {"week": Fraction(12, 52), "month": Fraction(1), "year": Fraction(12)}
_UNITS = {
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks"), "week"),
    **dict.fromkeys(("m", "mo", "mos", "mth", "mths", "month", "months"), "month"),
    **dict.fromkeys(("y", "yo", "yr", "yrs", "year", "years"), "year"),
}
_NUMBER = r"(\d{1,4}(?:[.,]\d{1,2})?|[½¼¾]|\d{1,3} ?[½¼¾])"
_PIECE = re.compile(_NUMBER + r" ?([a-z]*)\.?(?: old)?(?:,| and)? ?")
_HALVES = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}


class UnreadableAge(ValueError):
    """The text is no age; the message says what to do."""


def read_age_months(typed: str, *, unit: str) -> int:
    """Whole months of "2", "2 yrs", "1 year 6 months", "1½"; `unit` counts where none was typed."""
    rest, months = typed.lower().strip(), Fraction(0)
    if not rest:
        raise UnreadableAge(WHAT_TO_DO)
    while rest:
        piece = _PIECE.match(rest)
        named = _UNITS.get(piece[2], "") if piece and piece[2] else unit
        if piece is None or named not in _UNIT_MONTHS:
            raise UnreadableAge(WHAT_TO_DO)
        months += _number(piece[1]) * _UNIT_MONTHS[named]
        rest = rest[piece.end() :]
    if months > OLDEST_MONTHS:
        raise UnreadableAge(f"Check the age: {typed} is more than an animal can have")
    return int(months)


def _number(typed: str) -> Fraction:
    whole = typed.rstrip("½¼¾").strip().replace(",", ".")
    return Fraction(whole or 0) + _HALVES.get(typed[-1], Fraction(0))


class AgeField(Asking):
    """A number and its unit, `x` and `x-unit` in the request; `data` is whole months, None when not answered."""

    shape = "age"
    widget = TextInput()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.typed, self.unit = "", "year"
        super().__init__(*args, **kwargs)

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        """Read the number with its unit; keep both for showing again."""
        super().process(None, *args, **kwargs)
        if formdata is None or self.name not in formdata:
            return
        self.typed = one_line(str(formdata.get(self.name)))
        chosen = formdata.get(f"{self.name}-unit", "year")
        self.unit = chosen if chosen in _UNIT_MONTHS else "year"
        self.raw_data = [self.typed]
        try:
            self.data = read_age_months(self.typed, unit=self.unit) if self.typed else None
        except UnreadableAge as failure:
            self.data = None
            self.process_errors.append(str(failure))

    def process_data(self, value: int | None) -> None:
        """Show whole years as years, everything else as months."""
        self.data = value
        if value is not None:
            self.unit = "year" if value and value % 12 == 0 else "month"
            self.typed = str(value // 12 if self.unit == "year" else value)

    @property
    def is_blank(self) -> bool:
        """0 is an age."""
        return self.typed == ""

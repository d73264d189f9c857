"""An animal's age as people say it, kept in months."""

import re
from datetime import date
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
_NUMBER = r"(\d{0,3} ?[½¼¾]|\d{1,4}(?:[.,]\d{1,2})?)"
_PIECE = rf"{_NUMBER} ?({'|'.join(sorted(_UNITS, key=len, reverse=True))})\.?(?: old)?(?:,| and)? ?"
_HALVES = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}


class UnreadableAge(ValueError):
    """The text is no age; the message says what to do."""


def read_age_months(typed: str, *, unit: str) -> int:
    """Whole months of "2", "2 yrs", "1 year 6 months", "1½"; `unit` counts where none was typed."""
    said = typed.lower().strip()
    if re.fullmatch(_NUMBER, said):
        months = _number(said) * _UNIT_MONTHS[unit]
    elif re.fullmatch(f"(?:{_PIECE})+", said):
        months = sum(
            (_number(count) * _UNIT_MONTHS[_UNITS[name]] for count, name in re.findall(_PIECE, said)), Fraction(0)
        )
    else:
        raise UnreadableAge(WHAT_TO_DO)
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

    def contradicts(self, born_on: date, *, on: date) -> str | None:
        """What the age is by the birth date, where it is another than was typed; who says "2 years" may round."""
        by_date = max(0, (on.year - born_on.year) * 12 + on.month - born_on.month - (on.day < born_on.day))
        if self.data is None or abs(self.data - by_date) <= (12 if self.unit == "year" else 2):
            return None
        count, unit = (by_date // 12, "year") if by_date >= 24 else (by_date, "month")
        return f"{count} {unit}{'' if count == 1 else 's'}"

    @property
    def is_blank(self) -> bool:
        """0 is an age."""
        return self.typed == ""

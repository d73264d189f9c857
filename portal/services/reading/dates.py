"""Dates as certificates print them, and as an engine sees them: "06/12/2025", "12 Jun 25", "2O25-O6-l2"."""

import re
from calendar import month_name
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

FIRST_YEAR, LAST_YEAR = 1990, 2069
# How sure a reading is: letters taken for digits, and a day that could not be a month, could both be otherwise.
REPAIRED = 0.8
DAY_FIRST = 0.7

LIKE_DIGITS = str.maketrans("OoQDlI|!iZzSBbG", "000011111225886")
_D = r"[\dOoQlI|!iZzSB]"
_SEPARATOR = r"\s?[-/.,:\\]\s?"
_NAME = r"[A-Za-z0-9|]{3,9}\.?"
_ISO = re.compile(
    rf"(?<!\w)(?P<year>{_D}{{4}}){_SEPARATOR}(?P<month>{_D}{{1,2}}){_SEPARATOR}(?P<day>{_D}{{1,2}})(?!\w)"
)
_NUMBERS = re.compile(
    rf"(?<!\w)(?P<month>{_D}{{1,2}})(?:{_SEPARATOR}|\s)(?P<day>{_D}{{1,2}})(?:{_SEPARATOR}|\s)(?P<year>{_D}{{4}}|{_D}{{2}})(?!\w)"
)
_DAY_NAME = re.compile(
    rf"(?<!\w)(?P<day>{_D}{{1,2}})(?:st|nd|rd|th)?[\s\-/.,]{{0,3}}(?P<name>{_NAME})[\s\-/.,]{{0,3}}(?P<year>{_D}{{4}}|{_D}{{2}})(?!\w)"
)
_NAME_DAY = re.compile(
    rf"(?<![A-Za-z])(?P<name>{_NAME})[\s\-/.,]{{0,3}}(?P<day>{_D}{{1,2}})(?:st|nd|rd|th)?[\s\-/.,]{{1,3}}(?P<year>{_D}{{4}}|{_D}{{2}})(?!\w)"
)
_JOINED_NAME_DAY = re.compile(r"(?<![A-Za-z])(?P<name>[A-Za-z]{3,9})\.?(?P<day>\d{1,2}),?(?P<year>\d{4})(?!\w)")
_JOINED_DAY_NAME = re.compile(r"(?<!\w)(?P<day>\d{1,2})(?P<name>[A-Za-z]{3,9})(?P<year>\d{4}|\d{2})(?!\w)")
_MONTHS = {month_name[number].lower(): number for number in range(1, 13)}


@dataclass(frozen=True)
class ReadDate:
    """A date found in a text, where in it, and how sure the reading is (0 to 1)."""

    value: date
    certainty: float
    start: int


def read_printed_date(text: str) -> ReadDate | None:
    """The first date in the text; None when there is none that can be."""
    return min(printed_dates(text), key=lambda found: found.start, default=None)


def printed_dates(text: str) -> Iterator[ReadDate]:
    """Every date in the text, each way of writing after the other."""
    for pattern in (_ISO, _NUMBERS, _DAY_NAME, _NAME_DAY, _JOINED_NAME_DAY, _JOINED_DAY_NAME):
        for match in pattern.finditer(text):
            if found := _read(match):
                yield found


def _read(match: re.Match[str]) -> ReadDate | None:
    parts = match.groupdict()
    digits = {name: parts[name].translate(LIKE_DIGITS) for name in ("day", "month", "year") if name in parts}
    if not all(value.isdecimal() for value in digits.values()):
        return None
    is_plain = all(parts[name].isdecimal() for name in digits) and parts.get("name", "May").rstrip(".").isalpha()
    certainty = 1.0 if is_plain else REPAIRED
    year, day = _year(digits["year"]), int(digits["day"])
    month = int(digits["month"]) if "month" in digits else _month(parts["name"])
    if month is None:
        return None
    if month > 12 >= day:
        month, day, certainty = day, month, min(certainty, DAY_FIRST)
    try:
        value = date(year, month, day)
    except ValueError:
        return None
    return ReadDate(value, certainty, match.start()) if FIRST_YEAR <= year <= LAST_YEAR else None


def _year(digits: str) -> int:
    """Two digits are of this century: nobody's certificate is older."""
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _month(name: str) -> int | None:
    """ "Jun", "June", "Sept."; an engine sees "0ct", "Ju1" and "5ep"."""
    start = name.rstrip(".").lower().translate(str.maketrans("01|5", "olls"))
    return next((number for month, number in _MONTHS.items() if len(start) >= 3 and month.startswith(start)), None)

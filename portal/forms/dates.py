"""Civil dates as people write them. A date that cannot be is told by the part that is wrong."""

import re
from calendar import month_name, monthrange
from dataclasses import dataclass
from datetime import date

FOUR_DIGITS = "Enter the year with four digits, like 2025"
A_MONTH = "Enter the month as a name or a number from 1 to 12"
A_DAY = "Enter the day as a number, like 12"
WHOLE_DATE = "Enter the date as month, day and year, like June 12, 2025"
FIRST_YEAR, LAST_YEAR = 1900, 2199

_NAMES = {month_name[number].lower(): number for number in range(1, 13)}
_DAY, _NAME, _YEAR = r"(?P<day>\d{1,2}(?:st|nd|rd|th)?)", r"(?P<month>[^\W\d_]+)", r"(?P<year>\d+)"
_ISO = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")
_NUMBERS = re.compile(rf"(?P<month>\d{{1,2}})[-/. ]+(?P<day>\d{{1,2}})[-/. ]+{_YEAR}")
_DAY_FIRST = re.compile(rf"{_DAY}(?: of)?[-/., ]*{_NAME}[-/., ]*{_YEAR}", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"{_NAME}[-/., ]*{_DAY}[-/., ]+{_YEAR}", re.IGNORECASE)


@dataclass(frozen=True)
class DateProblem:
    """What is wrong, and in which part: "month", "day" or "year"."""

    part: str
    sentence: str


class UnreadableDate(ValueError):
    """No such date; `problems` tells each wrong part."""

    def __init__(self, *problems: DateProblem) -> None:
        super().__init__(". ".join(problem.sentence for problem in problems))
        self.problems = problems


def read_typed_date(typed: str) -> date:
    """A whole date in one piece: "3 mar 2025", "2025-06-12", "06/12/2025" (the month first), "June 12th, 2025"."""
    for form in (_ISO, _NUMBERS, _DAY_FIRST, _MONTH_FIRST):
        if found := form.fullmatch(typed.strip()):
            return read_date(month=found["month"], day=found["day"], year=found["year"])
    raise UnreadableDate(DateProblem("month", WHOLE_DATE))


def read_date(*, month: str, day: str, year: str) -> date:
    """The date of three typed parts; the month by number or by name."""
    parts = {"month": month.strip(), "day": day.strip(), "year": year.strip()}
    if missing := [part for part, typed in parts.items() if not typed]:
        raise UnreadableDate(DateProblem(missing[0], f"Enter the {' and the '.join(missing)}"))
    problems: list[DateProblem] = []
    month_number = _month_number(parts["month"], problems)
    day_number = _day_number(parts["day"], problems)
    year_number = _year_number(parts["year"], problems)
    if problems:
        raise UnreadableDate(*problems)
    longest = monthrange(year_number, month_number)[1]
    if day_number > longest:
        raise UnreadableDate(DateProblem("day", _too_long(month_number, year_number, longest)))
    return date(year_number, month_number, day_number)


def _month_number(typed: str, problems: list[DateProblem]) -> int:
    """ "3", "03", "mar", "Mar.", "March"; three letters are enough to tell the twelve apart."""
    if typed.isdecimal() and 1 <= int(typed[:9]) <= 12:
        return int(typed)
    start = typed.lower().rstrip(".")
    if len(start) >= 3:
        # "sept" is how many people shorten it, and a beginning like the others.
        for name, number in _NAMES.items():
            if name.startswith(start):
                return number
    problems.append(DateProblem("month", A_MONTH))
    return 0


def _day_number(typed: str, problems: list[DateProblem]) -> int:
    digits = re.sub(r"(?i)(?:st|nd|rd|th)$", "", typed)
    if digits.isdecimal() and len(digits) <= 3 and int(digits) > 0:
        return int(digits)
    problems.append(DateProblem("day", A_DAY))
    return 0


def _year_number(typed: str, problems: list[DateProblem]) -> int:
    """No century is guessed: "25" and "0025" are asked for again."""
    if not typed.isdecimal() or len(typed) != 4 or int(typed) < 1000:
        problems.append(DateProblem("year", FOUR_DIGITS))
        return 0
    if int(typed) < FIRST_YEAR:
        problems.append(DateProblem("year", f"Check the year: {int(typed)} is too long ago"))
    if int(typed) > LAST_YEAR:
        problems.append(DateProblem("year", f"Check the year: {int(typed)} is too far ahead"))
    return int(typed)


def _too_long(month: int, year: int, longest: int) -> str:
    """ "June has 30 days"; February is told with its year."""
    name = f"{month_name[month]} {year}" if month == 2 else month_name[month]
    return f"{name} has {longest} days. Check the day"

"""The three boxes of a date: month, day, year. A whole date typed into the first is understood too."""

from datetime import date
from typing import Any

from wtforms.widgets import TextInput

from portal.forms.asking import Asking
from portal.forms.dates import DateProblem, UnreadableDate, read_date, read_typed_date
from portal.forms.text import one_line

PARTS = ("month", "day", "year")


class CivilDateField(Asking):
    """Names `x-month`, `x-day`, `x-year` in the request; `data` is a date or None; what was typed is shown again."""

    shape = "date"
    widget = TextInput()

    def __init__(self, *args: Any, autocomplete: str = "off", **kwargs: Any) -> None:
        """`autocomplete` is "off" or a group with parts, like "bday"."""
        self.autocomplete = autocomplete
        self.typed = dict.fromkeys(PARTS, "")
        self.problems: tuple[DateProblem, ...] = ()
        super().__init__(*args, **kwargs)

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        """Gather the three boxes; WTForms would look for one."""
        super().process(None, *args, **kwargs)
        if formdata is None or not any(f"{self.name}-{part}" in formdata for part in PARTS):
            return
        self.typed = {part: one_line(str(formdata.get(f"{self.name}-{part}", ""))) for part in PARTS}
        self.raw_data = list(self.typed.values())
        self.data = self._read()

    def process_data(self, value: date | None) -> None:
        """Show a stored date as people say it, the month by its name."""
        self.data = value
        if value is not None:
            self.typed = {"month": f"{value:%B}", "day": str(value.day), "year": str(value.year)}

    @property
    def is_blank(self) -> bool:
        """Whether all three boxes are empty."""
        return not any(self.typed.values())

    @property
    def parts(self) -> list[dict[str, Any]]:
        """What the page needs to draw each box."""
        wrong = {problem.part for problem in self.problems} or (set(PARTS) if self.errors else set())
        return [
            {
                "id": f"{self.id}-{part}",
                "name": f"{self.name}-{part}",
                "label": part.capitalize(),
                "value": self.typed[part],
                "is_wrong": part in wrong,
                "inputmode": "text" if part == "month" else "numeric",
                "autocomplete": self.autocomplete if self.autocomplete == "off" else f"{self.autocomplete}-{part}",
            }
            for part in PARTS
        ]

    @property
    def first_control_id(self) -> str:
        """The month, where a whole date may be typed as well."""
        return f"{self.id}-month"

    def error_links(self) -> list[tuple[str, str]]:
        """Each sentence leads to the box it is about."""
        boxes = {problem.sentence: f"{self.id}-{problem.part}" for problem in self.problems}
        return [(boxes.get(sentence, self.first_control_id), sentence) for sentence in self.errors]

    def _read(self) -> date | None:
        if self.is_blank:
            return None
        month, day, year = self.typed.values()
        try:
            if month and not day and not year and not _is_month_alone(month):
                return read_typed_date(month)
            return read_date(month=month, day=day, year=year)
        except UnreadableDate as failure:
            self.problems = self._where_typed(failure.problems)
            self.process_errors.extend(problem.sentence for problem in self.problems)
            return None

    def _where_typed(self, problems: tuple[DateProblem, ...]) -> tuple[DateProblem, ...]:
        """A date typed whole into the first box is corrected there."""
        if self.typed["day"] or self.typed["year"] or _is_month_alone(self.typed["month"]):
            return problems
        return tuple(DateProblem("month", problem.sentence) for problem in problems)


def _is_month_alone(typed: str) -> bool:
    """ "6" or "June" is a month that waits for its day; anything longer is meant as a date."""
    return typed.isalpha() or (typed.isdecimal() and len(typed) <= 2)

"""Measures and amounts as people write them: 5 ft, 5'6", 1 1/4 inches, 11 gauge, $300,000."""

import re
from decimal import Decimal
from typing import Any

from wtforms.validators import StopValidation

from portal.forms.fields import TextField

MOST = Decimal(1_000_000_000)
FINEST = Decimal("0.001")
SIGNS = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅛": " 1/8"}
# A comma stands before three digits: 5,50 is no number here, and surely not 550.
DECIMAL = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+", re.ASCII)
MIXED = re.compile(r"(?:(?P<whole>\d{1,3})[ -])?(?P<over>\d{1,3})/(?P<under>\d{1,3})", re.ASCII)
FEET = re.compile(
    r"(?P<feet>[^'’f]+) ?(?:'|’|feet|foot|ft\.?)[ ,]*(?:(?P<inches>[^\"”i]+) ?(?:\"|”|''|inches|inch|in\.?)?)?"
)
UNITS = {
    "square feet": ("square feet", "sq ft", "sq. ft.", "sqft", "ft2", "ft²"),
    "feet": ("feet", "foot", "ft", "ft.", "'", "’"),
    "inches": ("inches", "inch", "in", "in.", '"', "”"),
    "gauge": ("gauge", "ga", "ga.", "gage"),
    "dollars": ("dollars", "usd", "$"),
    "years": ("years", "year", "years old", "yrs"),
}


def read_number(typed: str, *, unit: str) -> Decimal | None:
    """The number in words of one unit; None when it can't be one. Feet may be followed by inches."""
    plain = " ".join(typed.lower().split())
    for sign, written in SIGNS.items():
        plain = plain.replace(sign, written)
    if unit == "feet" and (found := FEET.fullmatch(plain)) and found["inches"]:
        feet, inches = _plain_number(found["feet"]), _plain_number(found["inches"])
        return None if feet is None or inches is None else _rounded(feet + inches / 12)
    for name in sorted(UNITS[unit], key=len, reverse=True):
        plain = plain.removesuffix(name).removeprefix(name).strip()
    return _plain_number(plain)


def _plain_number(typed: str) -> Decimal | None:
    plain = typed.strip()
    if DECIMAL.fullmatch(plain):
        value = Decimal(plain.replace(",", ""))
        return value if value < MOST else None
    found = MIXED.fullmatch(plain)
    if found is None or not int(found["under"]):
        return None
    return _rounded(Decimal(found["whole"] or 0) + Decimal(found["over"]) / Decimal(found["under"]))


def _rounded(value: Decimal) -> Decimal:
    """A third as people read it: 4'11" is 4.917 feet, not 28 digits."""
    finest = value.quantize(FINEST)
    return value if value == finest else finest


class MeasureField(TextField):
    """A number with its unit; `data` is what was typed, `number` what it means. Small or large is no mistake."""

    def __init__(self, *args: Any, unit: str, example: str, **kwargs: Any) -> None:
        self.unit, self.example = unit, example
        self.number: Decimal | None = None
        keyboard = {"autocomplete": "off", "spellcheck": "false", "inputmode": "decimal"}
        if unit in ("feet", "inches"):
            del keyboard["inputmode"]  # the keys for 5'6" and 1 1/4
        super().__init__(*args, **{"width": "short", "max_length": 40, **keyboard, **kwargs})

    def pre_validate(self, form: Any) -> None:
        """Read the number, or say how to write one."""
        super().pre_validate(form)
        self.number = read_number(self.data, unit=self.unit) if self.data else None
        if self.data and self.number is None:
            raise StopValidation(f"Enter a number, like {self.example}")
        if self.unit == "dollars" and self.number is not None and self.number * 100 % 1:
            raise StopValidation("Enter the amount in dollars and cents, like 12.50")

    @property
    def value(self) -> Decimal | int | None:
        """The number as it is kept: money in cents, a gauge and an age without their fraction."""
        if self.number is None or self.unit in ("feet", "inches", "square feet"):
            return self.number
        return self.cents if self.unit == "dollars" else int(self.number)

    @property
    def cents(self) -> int | None:
        """Dollars as money is kept."""
        return None if self.number is None else int(self.number * 100)

    def process_data(self, value: Any) -> None:
        """Cents are shown as dollars."""
        if value is not None and self.unit == "dollars":
            dollars, cents = divmod(int(value), 100)
            value = f"{dollars:,}.{cents:02}" if cents else f"{dollars:,}"
        super().process_data(None if value is None else str(value))

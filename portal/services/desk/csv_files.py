"""Tables as CSV files, exact in both shapes: raw, and for a spreadsheet, which reads more into a cell than it says.

A spreadsheet takes a cell that begins with = + - or @ for a formula, a microchip for a number it rounds, and `00123`
for 123. So text that begins like a formula gets an apostrophe before it, and text that looks like a number or a date is
written as the formula of a text, ="00123", which every spreadsheet shows as it is. Raw files hold what the database
holds, for software.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from itertools import chain

# Tells spreadsheets that the accents are UTF-8.
MARK = "\ufeff"
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
READ_AS_MORE = re.compile(
    rf"[-+]?[\d\s.,:/()%$e+-]*\d[\d\s.,:/()%$e+-]*|{MONTH}[\s/-]*\d+.*|\d+[\s/-]*{MONTH}.*|true|false",
    re.IGNORECASE,
)
# A spreadsheet takes no longer text within a formula.
LONGEST_IN_FORMULA = 250


class Shape(StrEnum):
    SPREADSHEET = "spreadsheet"
    MACHINES = "machines"


def csv_lines(heads: Sequence[str], rows: Iterable[Sequence[object]], shape: Shape) -> Iterator[str]:
    """The file, line by line (RFC 4180)."""
    yield from [MARK] if shape is Shape.SPREADSHEET else []
    buffer = StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_MINIMAL)
    for row in chain([heads], rows):
        writer.writerow([cell(value, shape) for value in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def cell(value: object, shape: Shape) -> str:
    """A value as it stands in the file."""
    written = _written(value)
    if shape is Shape.MACHINES or not isinstance(value, str):
        return written
    if READ_AS_MORE.fullmatch(written) and len(written) <= LONGEST_IN_FORMULA:
        return f'="{written}"'
    return f"'{written}" if written.startswith(FORMULA_BEGINS) else written


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value)

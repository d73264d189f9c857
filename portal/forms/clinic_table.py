"""A table of certificates as a clinic's program writes it: any common encoding and separator, one filing a row.

Every cell is only text: nothing in it is ever computed, and what is handed back cannot be computed by a spreadsheet.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portal.forms.clinic_cells import COLUMNS, Column
from portal.forms.text import one_line

MOST_ROWS = 10_000
LARGEST_BYTES = 8_000_000
SEPARATORS = (",", ";", "\t", "|")
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
COMPUTED = ("=", "+", "-", "@", "\t", "\r")
MARKED = re.compile(r"'[=+\-@]")
WHAT_TO_CORRECT = "What to correct"


class UnreadableTable(ValueError):
    """Nothing can be read from the file; the message says what to do."""


@dataclass(frozen=True)
class TableRow:
    """One line of the table: where it begins in the file, and its cells as written."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The columns that we know, by their place, and the head as written."""

    head: tuple[str, ...]
    places: dict[int, Column]
    separator: str
    rows: Sequence[TableRow]

    def answers(self, row: TableRow) -> dict[str, str]:
        """What stands in the row under each column we know."""
        cells = dict(enumerate(row.cells))
        return {column.name: plain_cell(cells.get(place, "")) for place, column in self.places.items()}


def read_table(content: bytes) -> Table:
    """The table of a CSV file; raises UnreadableTable."""
    if not content.strip():
        raise UnreadableTable("The file is empty. Fill in the template and save it as CSV")
    if content.startswith(WORKBOOKS):
        raise UnreadableTable("This is a workbook. Open it in your spreadsheet and save it as CSV, then send that")
    text = decoded(content)
    separator = _separator(text)
    rows = _rows(text, separator)
    try:
        head = next(rows).cells
        known = _places(head)
        body = [row for _, row in zip(range(MOST_ROWS + 1), rows, strict=False)]
    except (csv.Error, StopIteration) as failure:
        raise UnreadableTable("This can’t be read as a table. Start from the template, and save it as CSV") from failure
    if len(body) > MOST_ROWS:
        raise UnreadableTable(f"A table may have {MOST_ROWS:,} rows. Send it in two parts")
    return Table(head, known, separator, body)


def decoded(content: bytes) -> str:
    """UTF-8 or UTF-16 where the file says so, UTF-8 where it is, else the Windows code page of the country."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def plain_cell(cell: str) -> str:
    """What somebody wrote in a cell: one line, without the mark that we or a spreadsheet put before a formula."""
    text = one_line(cell)
    return text[1:] if MARKED.match(text) else text


def inert_cell(cell: str) -> str:
    """The cell so that no spreadsheet computes it."""
    return f"'{cell}" if cell.startswith(COMPUTED) else cell


def written(head: Sequence[str], rows: Sequence[Sequence[str]], *, separator: str = ",") -> bytes:
    """A table as CSV that every spreadsheet opens: UTF-8 with its mark, nothing in it computed."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerow([inert_cell(cell) for cell in head])
    writer.writerows([inert_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig", "replace")


def template() -> bytes:
    """An empty table with one row that shows how it is filled in."""
    return written([column.label for column in COLUMNS], [[column.example for column in COLUMNS]])


def _rows(text: str, separator: str) -> Iterator[TableRow]:
    """The lines that have anything in them; a line break within quotes belongs to its cell."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    line = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield TableRow(line, tuple(cells))
        line = reader.line_num + 1


def _separator(text: str) -> str:
    """The one that finds most of our columns in the first line."""
    first = text.lstrip("\ufeff\r\n ").partition("\n")[0]
    found = {separator: len(_known(next(csv.reader([first], delimiter=separator), []))) for separator in SEPARATORS}
    return max(SEPARATORS, key=lambda separator: found[separator])


def _known(head: Sequence[str]) -> dict[int, Column]:
    wanted = {name: column for column in COLUMNS for name in column.names}
    found = {place: wanted[name] for place, cell in enumerate(head) if (name := _word(cell)) in wanted}
    # A column that is there twice is taken where it stands first.
    first = {column.name: place for place, column in reversed(found.items())}
    return {place: column for place, column in found.items() if first[column.name] == place}


def _places(head: Sequence[str]) -> dict[int, Column]:
    """Our columns in this head; raises UnreadableTable when one is missing that every row needs."""
    known = _known(head)
    there = {column.name for column in known.values()}
    missing = [column.label for column in COLUMNS if column.is_needed and column.name not in there]
    if missing:
        raise UnreadableTable(f"The first line has no column for: {', '.join(missing)}. Compare it with the template")
    return known


def _word(cell: str) -> str:
    return re.sub(r"[^a-z0-9]", "", one_line(cell).lower())

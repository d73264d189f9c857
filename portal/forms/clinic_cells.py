"""The columns of a clinic's table, and how each cell is read (90.04(D)(2))."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from portal.forms.dates import UnreadableDate, read_typed_date
from portal.forms.filing import counted_due
from portal.ordinance.certificates import Dose, VaccineType
from portal.schema.animals import Sex, Species
from portal.services.clinics.filing_answers import FilingAnswers

LONGEST = 400
AT_NIGHT = re.compile(r"[ T]\d{1,2}:\d{2}(:\d{2})?(\.\d+)?( ?[AP]M)?$", re.IGNORECASE)
YEARS = re.compile(r"(\d{1,2}) ?(?:y|yr|yrs|year|years)?\.?", re.IGNORECASE)
MONTHS = re.compile(r"(12|24|36|48) ?(?:m|mo|mos|month|months)\.?", re.IGNORECASE)


class UnreadableCell(ValueError):
    """The cell says nothing we understand; the message says what to do."""


@dataclass(frozen=True)
class CellProblem:
    """What is wrong in one cell: the column as the clinic calls it, and what to do."""

    column: str
    sentence: str


@dataclass(frozen=True)
class Column:
    """A column: its name among the answers, how the template calls it, other names for it, an example."""

    name: str
    label: str
    example: str
    read: Callable[[str], Any]
    others: tuple[str, ...] = ()
    is_needed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Everything the head may say for it, in lower case without blanks."""
        words = (self.name, self.label, *self.others)
        return tuple(re.sub(r"[^a-z0-9]", "", word.lower()) for word in words)


def _text(cell: str) -> str:
    if len(cell) > LONGEST:
        raise UnreadableCell(f"Use {LONGEST} characters or fewer")
    return cell


def _text_or_none(cell: str) -> str | None:
    return _text(cell) or None


def _day(cell: str) -> date | None:
    try:
        return read_typed_date(AT_NIGHT.sub("", cell)) if cell else None
    except UnreadableDate as failure:
        raise UnreadableCell(str(failure)) from failure


def _one_of(words: Mapping[str, Any], sentence: str, *, empty: Any = None) -> Callable[[str], Any]:
    def read(cell: str) -> Any:
        word = " ".join(re.sub(r"[^a-z0-9]", " ", cell.lower()).split())
        if not word:
            return empty
        if word not in words:
            raise UnreadableCell(sentence)
        return words[word]

    return read


def _species(cell: str) -> Species:
    species: Species | None = _SPECIES_WORD(cell)
    if species is None:
        raise UnreadableCell("Enter dog or cat")
    return species


def _years(cell: str) -> int | None:
    if not cell:
        return None
    if found := MONTHS.fullmatch(cell):
        return int(found[1]) // 12
    if found := YEARS.fullmatch(cell):
        return int(found[1])
    raise UnreadableCell("Enter the years the vaccine lasts as a number, like 3")


_SPECIES_WORD = _one_of(
    {
        **dict.fromkeys(("dog", "d", "canine", "k9"), Species.DOG),
        **dict.fromkeys(("cat", "c", "feline"), Species.CAT),
    },
    "Enter dog or cat",
)
_SEX = _one_of(
    {
        **dict.fromkeys(("f", "female", "fs", "sf", "spayed female", "female spayed", "female intact"), Sex.FEMALE),
        **dict.fromkeys(("m", "male", "mn", "nm", "neutered male", "male neutered", "male intact"), Sex.MALE),
    },
    "Enter female or male",
)
_DOSE = _one_of(
    {
        **dict.fromkeys(("yes", "y", "first", "initial", "primary", "1", "true"), Dose.FIRST),
        **dict.fromkeys(("no", "n", "booster", "0", "false"), Dose.BOOSTER),
        "unknown": Dose.UNKNOWN,
    },
    "Enter yes, no or unknown",
    empty=Dose.UNKNOWN,
)
_TYPE = _one_of(
    {
        **dict.fromkeys(("inactivated", "killed", "k", "inactivated killed"), VaccineType.INACTIVATED),
        **dict.fromkeys(("modified live", "live modified", "mlv", "live"), VaccineType.MODIFIED_LIVE),
        **dict.fromkeys(("other", "recombinant"), VaccineType.OTHER),
    },
    "Enter inactivated, modified live or other",
    empty=VaccineType.UNKNOWN,
)

COLUMNS = (
    Column("owner_name", "Owner name", "Pat Olson", _text, ("owner", "client", "client name"), is_needed=True),
    Column("owner_address", "Owner address", "1310 Idaho Ave, Benson, MN 56215", _text, ("address",), is_needed=True),
    Column("owner_phone", "Owner phone", "320-555-0101", _text_or_none, ("phone",)),
    Column("animal_name", "Animal name", "Pepper", _text, ("animal", "pet", "pet name", "patient"), is_needed=True),
    Column("species", "Species", "dog", _species, is_needed=True),
    Column("sex", "Sex", "female", _SEX, ("gender",), is_needed=True),
    Column("description", "Breed, color, marks", "Labrador mix, black", _text, ("breed",), is_needed=True),
    Column("weight", "Weight or size", "62 lb", _text_or_none, ("weight", "size"), is_needed=True),
    Column("age", "Age", "3 years", _text_or_none),
    Column("microchip", "Microchip", "985112000000000", _text_or_none, ("chip", "microchip number")),
    Column("rabies_tag", "Rabies tag", "26-0412", _text_or_none, ("tag", "tag number", "rabies tag number")),
    Column("given_on", "Date given", "2026-06-12", _day, ("given", "vaccination date", "date"), is_needed=True),
    Column("due_on", "Next due", "2029-06-12", _day, ("due", "due date", "next due by")),
    Column("dose", "First rabies shot", "no", _DOSE, ("first dose", "first")),
    Column("vaccine_type", "Type of vaccine", "inactivated", _TYPE, ("type", "vaccine type"), is_needed=True),
    Column("product", "Product", "Imrab 3", _text_or_none, ("vaccine", "vaccine name")),
    Column("manufacturer", "Maker", "Boehringer Ingelheim", _text_or_none),
    Column("lot", "Lot", "18231A", _text_or_none, ("serial", "serial number", "lot number")),
    Column("vaccine_expires_on", "Date on the vial", "2027-01-31", _day, ("vaccine expires", "vial expiration")),
    Column("duration_years", "Years", "3", _years, ("duration", "lasts years")),
    Column("veterinarian", "Veterinarian", "Ann Lee, DVM", _text, ("vet",)),
    Column("veterinarian_license", "License number", "MN 12345", _text_or_none, ("vet license", "license")),
)
LABELS = {column.name: column.label for column in COLUMNS}


def read_cells(cells: Mapping[str, str], *, signed_by: str) -> tuple[FilingAnswers, list[CellProblem]]:
    """The answers of one row as far as they can be read, and everything that is wrong in its cells."""
    read: dict[str, Any] = {}
    problems: list[CellProblem] = []
    for column in COLUMNS:
        try:
            if column.name in cells:
                read[column.name] = column.read(cells[column.name])
        except UnreadableCell as failure:
            problems.append(CellProblem(column.label, str(failure)))
    if read.get("due_on") is None:
        read["due_on"] = counted_due(
            read.get("given_on"), dose=read.get("dose", Dose.UNKNOWN), years=read.get("duration_years")
        )
    return FilingAnswers(**read, attested_name=signed_by), problems

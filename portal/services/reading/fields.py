"""From the lines of a certificate to what it says: each field with its value and how sure the reading is.

A label is looked for at the start of a line, or inside one before a colon; its value follows in the same line, stands
on its right, or right below. What no label names is looked for by its shape. These are suggestions for the person who
holds the paper: nothing here decides anything, and what contradicts itself is left as it is read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from portal.gateways.reading.reader import Line
from portal.ordinance.days import add_years
from portal.services.reading.labels import CLEAR, VAGUE, Label, PaperField, Section, label_at, misread_label
from portal.services.reading.layout import Placed, are_on_their_side, below, placed_lines, right_of, same_row
from portal.services.reading.values import READERS, Found, Value, read_microchip, read_name, read_text, read_years

# How sure a value is by where it stands: with its label, below it, in a table of several vaccines, or by itself.
BESIDE, BELOW, BY_SHAPE = 1.0, 0.92, 0.75
TABLE_REACH = 14.0
YEARS_IN_PRODUCT = 0.8
COULD_BE_DUE, DUE_TOLERANCE_DAYS = 0.5, 31
VACCINE_FIELDS = frozenset(
    (
        PaperField.GIVEN_ON,
        PaperField.DUE_ON,
        PaperField.PRODUCT,
        PaperField.MANUFACTURER,
        PaperField.LOT,
        PaperField.VACCINE_EXPIRES_ON,
        PaperField.DURATION_YEARS,
        PaperField.RABIES_TAG,
        PaperField.VETERINARIAN,
    )
)
_ABOUT_RABIES = re.compile(r"rabies|imrab|rabvac|defensor|prorab|nobivac\W*[13]", re.I)
_KNOWN_PRODUCTS = re.compile(
    r"\b(?:imrab\W?(?:[13]\W?tf|[13]|tf|large animal)?|nobivac\W{0,3}[13]?\W{0,3}rabies(?:\W?(?:ca|eq|omni))?"
    r"|nobivac\W?[13]\b|defensor\W?[13]|rabvac\W?[13](?:\W?tf)?|prorab\W?1|vanguard\W?rabies(?:\W?[13]\W?y(?:ea)?r)?"
    r"|purevax\W?(?:feline\W?)?rabies(?:\W?[13]\W?y(?:ea)?r)?|canine\W?rabies\W?[13])",
    re.I,
)
_CLINIC = re.compile(
    r"\b(?:veterinary|animal|pet|vet)\s+(?:clinic|hospital|service|center|care|med)|\bvet clinic\b", re.I
)
_VETERINARIAN = re.compile(r"^(?:dr\.?\s+\w|.{5,40},?\s+(?:d\.?v\.?m|v\.?m\.?d|bvsc|bvms)\b)", re.I)
_TITLE_WORDS = re.compile(r"certificate|signature|license|vaccinat|information", re.I)


@dataclass(frozen=True)
class ReadField:
    """A suggestion: the value, and how sure it is from 0 to 1."""

    value: Value
    confidence: float


@dataclass(frozen=True)
class Piece:
    """A part of a line: a label with what follows it, or text without a label."""

    place: Placed
    label: Label | None
    text: str


Fields = dict[PaperField, ReadField]


def read_fields(lines: Sequence[Line]) -> Fields:
    """What the certificate says, as far as it can be read."""
    # A photo may lie on its side or upside down: the engine reads it all the same, but right and below are elsewhere.
    turns = (1, 3) if are_on_their_side(lines) else (0, 2)
    return max((_fields_of(placed_lines(lines, quarter_turns=turn)) for turn in turns), key=len)


def _fields_of(placed: Sequence[Placed]) -> Fields:
    pieces = _with_sections([piece for place in placed for piece in _pieces(place)])
    found: Fields = {}
    for piece in pieces:
        if piece.label is None or piece.label.field is None:
            continue
        field = piece.label.field
        for read in _values(piece, field, pieces):
            if field not in found or read.confidence > found[field].confidence:
                found[field] = read
            break
    for field, read in _by_shape(pieces):
        found.setdefault(field, read)
    return _with_likely_due_date(found)


def _pieces(place: Placed) -> Iterator[Piece]:
    """The line cut before each label in it; one inside a line needs its colon."""
    text = place.text
    cuts = [(0, label_at(text) or misread_label(text))]
    for word in re.finditer(r"(?<=[\s|])\w|(?<=[a-z\d)])(?=[A-Z])", text):
        at = word.start()
        last = cuts[-1][1]
        label = label_at(text, at) if last is None or at >= last.end else None
        if label and not label.is_bare_name and text[label.end :].lstrip()[:1] in (":", "#"):
            cuts.append((at, label))
    for (start, label), end in zip(cuts, [at for at, _ in cuts[1:]] + [len(text)], strict=True):
        value = text[label.end : end] if label else text[start:end]
        value = re.sub(r"^\s*\([^)]*\)", "", value) if label else value
        yield Piece(_part(place, start, end), label, value.strip(" :#=.|-–_\t"))


def _part(place: Placed, start: int, end: int) -> Placed:
    """The place of a part of a line, its letters taken as equally wide."""
    wide = place.width / max(len(place.text), 1)
    return replace(place, text=place.text[start:end], left=place.left + wide * start, right=place.left + wide * end)


def _with_sections(pieces: Sequence[Piece]) -> list[Piece]:
    """A label that says only "Name" asks for the owner's or the animal's, by the part of the page it stands in."""
    section: Section | None = None
    told = []
    for piece in pieces:
        label = piece.label
        if label and label.is_bare_name:
            field = {Section.OWNER: PaperField.OWNER_NAME, Section.ANIMAL: PaperField.ANIMAL_NAME}.get(
                section or Section.VACCINE
            )
            piece = replace(piece, label=replace(label, field=field))
        elif label and label.section:
            section = label.section
        told.append(piece)
    return told


def _values(piece: Piece, field: PaperField, pieces: Sequence[Piece]) -> Iterator[ReadField]:
    """What the label's value may be, the likeliest first."""
    label = piece.label
    certainty = label.certainty if label else CLEAR
    for text, place, where in _candidates(piece, field, pieces):
        if text and (found := READERS[field](text)):
            yield _read(found, place, certainty * where)


def _candidates(piece: Piece, field: PaperField, pieces: Sequence[Piece]) -> Iterator[tuple[str, Placed, float]]:
    yield piece.text, piece.place, BESIDE
    by_place = {id(other.place): other for other in pieces}
    places = [other.place for other in pieces]
    for place in right_of(piece.place, places):
        if by_place[id(place)].label:
            break
        yield place.text, place, BESIDE
    column = [one for one in below(piece.place, places, reach=TABLE_REACH) if not by_place[id(one)].label]
    near = list(below(piece.place, [*column], reach=3.2))
    if field in VACCINE_FIELDS:
        about_rabies = [one.place for one in pieces if _ABOUT_RABIES.search(one.place.text)]
        rows = [one for one in column if any(same_row(one, row) for row in about_rabies)]
        near = rows + [one for one in near if one not in rows]
    for place in near:
        yield place.text, place, BELOW


def _read(found: Found, place: Placed, certainty: float) -> ReadField:
    return ReadField(found.value, round(place.confidence * found.certainty * certainty, 3))


def _by_shape(pieces: Sequence[Piece]) -> Iterator[tuple[PaperField, ReadField]]:
    """What is known by its looks, wherever it stands."""
    for piece in pieces:
        place = piece.place
        if len(re.sub(r"\D", "", place.text)) >= 15 and (chip := read_microchip(place.text)):
            yield PaperField.MICROCHIP, _read(chip, place, BY_SHAPE)
        if product := _KNOWN_PRODUCTS.search(place.text):
            yield PaperField.PRODUCT, _read(Found(product[0].strip()), place, BY_SHAPE)
        if _ABOUT_RABIES.search(place.text) and (years := read_years(place.text)):
            yield PaperField.DURATION_YEARS, _read(years, place, YEARS_IN_PRODUCT)
        if piece.label is None and _CLINIC.search(place.text) and not _TITLE_WORDS.search(place.text):
            if found := read_text(place.text.split(",")[0]):
                yield PaperField.CLINIC_NAME, _read(found, place, BY_SHAPE)
        elif piece.label is None and _VETERINARIAN.search(place.text) and (found := read_name(piece.text)):
            yield PaperField.VETERINARIAN, _read(found, place, BY_SHAPE)


def _with_likely_due_date(found: Fields) -> Fields:
    """ "Expires" may be the certificate's or the vial's. A year or three after the dose it is more likely the first."""
    given, expires = found.get(PaperField.GIVEN_ON), found.get(PaperField.VACCINE_EXPIRES_ON)
    if PaperField.DUE_ON in found or given is None or expires is None or expires.confidence > VAGUE:
        return found
    if isinstance(given.value, date) and isinstance(expires.value, date) and _fits(given.value, expires.value):
        found[PaperField.DUE_ON] = ReadField(expires.value, COULD_BE_DUE)
        del found[PaperField.VACCINE_EXPIRES_ON]
    return found


def _fits(given_on: date, due_on: date) -> bool:
    return any(abs((due_on - add_years(given_on, years)).days) <= DUE_TOLERANCE_DAYS for years in (1, 3))

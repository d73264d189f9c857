"""What may stand beside each label of a certificate, and what it means: one reader for each field.

A reader takes the text of a line and gives the value and how sure it is (0 to 1), or None: then the line is not it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from portal.ordinance.certificates import Dose
from portal.schema.animals import Sex
from portal.services.reading.dates import LIKE_DIGITS, read_printed_date
from portal.services.reading.labels import PaperField

Value = str | int | date
# Letters that were taken for digits; a name that is only the disease's; a word that describes no single thing.
REPAIRED, UNSPECIFIC = 0.8, 0.6
LONGEST_NAME = 80


@dataclass(frozen=True)
class Found:
    """A value and how sure its reading is."""

    value: Value
    certainty: float = 1.0


_NUMBER = re.compile(
    r"(?<![\w.])[A-Z0-9]{1,6}(?:\s?[-/]\s?[A-Z0-9]+)+(?!\w)|(?<![\w.])[A-Z]{0,4}\d[A-Z0-9]*(?!\w)", re.I
)
_LICENSE = re.compile(r"(?<!\w)(?:[A-Z]{1,4}[\s\-#.:]{0,2})?\d{3,}[A-Z]?(?!\w)", re.I)
_CHIP = re.compile(r"(?<!\w)[\dOoQIl|]{3}[\s\-]?(?:[\dOoQIl|SB][\s\-]?){11}[\dOoQIl|SB](?!\w)")
_SHORT_CHIP = re.compile(r"(?<!\w)[0-9A-F]{9,10}(?!\w)")
_YEARS = re.compile(r"(?<!\d)([1-4Il|])\s?-?\s?(?:y(?:ea)?rs?\b|y\b|year)", re.I)
_MONTHS = re.compile(r"(?<!\d)(12|36|48)\s?-?\s?mo(?:nth|s|\b)", re.I)
_WORD_YEARS = {"one year": 1, "three year": 3, "four year": 4}
_MARKED = re.compile(r"[\[(]?\s?[xX✓✔☒☑■]\s?[\])]?\s{0,2}([134])\s?-?\s?y", re.I)
_WEIGHT = re.compile(
    r"(?<!\w)(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:-|–|to)?\s?(\d{1,3}(?:\.\d+)?)?\s?([lI1|]bs?|pounds?|#|kgs?|kilograms?|oz)?(?!\w)",
    re.I,
)
_SIZES = re.compile(r"\b(?:under|over|less than|more than|up to|small|medium|large|toy|giant)\b", re.I)
_KINDS = frozenset(("killed", "inactivated", "modified live", "mlv", "live", "killed virus", "recombinant", "other"))
_NOTHING = frozenset(("none", "no", "n/a", "na", "unknown", "not given", "-", "--", "nil", "not applicable", "tbd"))
_HINT = re.compile(r"\([^)]*\)?")
_PLACE = re.compile(r"\s*,\s*(?:\d.*|.*\b[A-Z]{2}\s*\d{5}.*)$|\s+\d{2,}\s+\w.*$")
_FEMALE = re.compile(r"\b(?:female|fem|spayed|spay|f|fs|sf|f/?s|f/?n|intact female)\b", re.I)
_MALE = re.compile(r"\b(?:male|neutered|neuter|castrated|m|mn|nm|cm|mc|m/?n|m/?c)\b", re.I)
_FIRST = re.compile(r"\b(?:initial|first|1st|primary|puppy|kitten)\b", re.I)
_LATER = re.compile(r"\b(?:booster|revaccination|re-?vaccination|adult|annual|subsequent|2nd|second)\b", re.I)


def read_date(text: str) -> Found | None:
    found = read_printed_date(text)
    return Found(found.value, found.certainty) if found else None


def read_number(text: str) -> Found | None:
    """A lot or tag: letters and digits, with at least one digit; a date is none."""
    if read_printed_date(text):
        return None
    for match in _NUMBER.finditer(text):
        number = re.sub(r"\s", "", match[0])
        if 3 <= len(number) <= 24 and any(character.isdigit() for character in number):
            return Found(number.upper())
    return None


def read_license(text: str) -> Found | None:
    """A veterinarian's license, with the state where it is printed."""
    match = _LICENSE.search(text)
    return Found(" ".join(match[0].split())) if match else None


def read_microchip(text: str) -> Found | None:
    """ISO 11784: fifteen digits; older chips have nine or ten characters."""
    if match := _CHIP.search(text):
        plain = re.sub(r"[\s\-]", "", match[0])
        digits = plain.translate(LIKE_DIGITS)
        return Found(digits, 1.0 if plain == digits else REPAIRED) if digits.isdecimal() else None
    match = _SHORT_CHIP.search(text.upper())
    return Found(match[0], UNSPECIFIC) if match and sum(map(str.isdigit, match[0])) > 3 else None


def read_years(text: str) -> Found | None:
    """How long the product is licensed for; of several years printed to choose from, the one that is marked."""
    if marked := _MARKED.search(text):
        return Found(int(marked[1]), REPAIRED)
    years = {int(found.translate(LIKE_DIGITS)) for found in _YEARS.findall(text)}
    years |= {int(found) // 12 for found in _MONTHS.findall(text)}
    years |= {number for words, number in _WORD_YEARS.items() if words in text.lower()}
    if not years and (bare := re.fullmatch(r"\W*([134])\W*", text)):
        return Found(int(bare[1]), REPAIRED)
    return Found(years.pop()) if len(years) == 1 else None


def read_dose(text: str) -> Found | None:
    """The first dose or a later one; a form that prints both without a mark says nothing."""
    is_first, is_later = bool(_FIRST.search(text)), bool(_LATER.search(text))
    if is_first == is_later:
        return None
    return Found((Dose.FIRST if is_first else Dose.BOOSTER).value)


def read_weight(text: str) -> Found | None:
    """A number with its unit, or a size band as it is printed."""
    match = _WEIGHT.search(text)
    if match is None or _SIZES.search(text) or match[2]:
        return Found(text.strip()[:60]) if match or _SIZES.search(text) else None
    unit = re.sub(r"^[I1|l]b", "lb", match[3] or "", flags=re.I).lower()
    if not unit:
        return Found(match[1], UNSPECIFIC)
    return Found(f"{match[1]} {'lb' if unit == '#' else unit}")


def read_sex(text: str) -> Found | None:
    """Female or male, in words or in the letters practices use: FS, MN."""
    is_female = bool(_FEMALE.search(text))
    is_male = bool(_MALE.search(text))
    if is_female and is_male and re.search(r"\bfemale\b", text, re.I) and not re.search(r"\bmale\b", text, re.I):
        is_male = False  # "Female, neutered"
    if is_female == is_male:
        return None
    return Found((Sex.FEMALE if is_female else Sex.MALE).value)


def read_product(text: str) -> Found | None:
    """The product's name; the kind of vaccine is not its name."""
    found = read_text(text)
    if found is None or str(found.value).lower() in _KINDS:
        return None
    is_vague = re.fullmatch(r"rabies(?: vaccine| vaccination)?", str(found.value), re.I)
    return Found(found.value, UNSPECIFIC) if is_vague else found


def read_text(text: str) -> Found | None:
    """Words as printed."""
    plain = text.strip(" .,:;#-–_*")
    if plain.lower() in _NOTHING or sum(map(str.isalpha, plain)) < 2 or read_printed_date(plain):
        return None
    return Found(plain[:LONGEST_NAME])


def read_name(text: str) -> Found | None:
    """Somebody's name; what stands in brackets behind it is a number of the practice's."""
    return read_text(_HINT.sub(" ", text))


def read_place_name(text: str) -> Found | None:
    """A clinic's name without the address that follows it."""
    return read_text(_PLACE.sub("", text).split(",")[0])


READERS: dict[PaperField, Callable[[str], Found | None]] = {
    PaperField.GIVEN_ON: read_date,
    PaperField.DUE_ON: read_date,
    PaperField.PRODUCT: read_product,
    PaperField.MANUFACTURER: read_text,
    PaperField.LOT: read_number,
    PaperField.VACCINE_EXPIRES_ON: read_date,
    PaperField.DURATION_YEARS: read_years,
    PaperField.DOSE: read_dose,
    PaperField.RABIES_TAG: read_number,
    PaperField.MICROCHIP: read_microchip,
    PaperField.VETERINARIAN: read_name,
    PaperField.VETERINARIAN_LICENSE: read_license,
    PaperField.CLINIC_NAME: read_place_name,
    PaperField.ANIMAL_NAME: read_name,
    PaperField.OWNER_NAME: read_name,
    PaperField.WEIGHT: read_weight,
    PaperField.SEX: read_sex,
    PaperField.BREED: read_text,
    PaperField.COLOR: read_text,
}

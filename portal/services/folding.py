"""Names and addresses folded for comparing. What was typed stays as it was typed; only the folded copy is compared.

`folded`, `surname` and `chip` do what the database's own functions `folded`, `surname` and `mark` do (migration 0003),
so that what is folded here finds what was folded there, whoever wrote the row.
"""

import re
import unicodedata

LEFT_OUT = re.compile("['’\u0300-\u036f]")
NOT_WORDS = re.compile(
    "[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u3000-\u303f"
    "\ufe00-\ufe0f\U0001f000-\U0001faff]+"
)
ONE_LETTER = str.maketrans({"Đ": "d", "đ": "d", "Ø": "o", "ø": "o", "Ł": "l", "ł": "l", "ß": "ss", "æ": "ae"})
SAME_WORD = {
    "avenue": "ave",
    "street": "st",
    "road": "rd",
    "drive": "dr",
    "lane": "ln",
    "court": "ct",
    "boulevard": "blvd",
    "highway": "hwy",
    "county": "co",
    "north": "n",
    "south": "s",
    "east": "e",
    "west": "w",
    "apartment": "apt",
    "unit": "apt",
    "minnesota": "mn",
}
NUMBER_SIGN = re.compile(r"(?:\b(?:apt|apartment|unit)\.?\s*)?#\s*(?=\w)", re.IGNORECASE)
STATE_AND_ZIP = re.compile(r"(?: [a-z]{2})? (\d{5})(?: \d{4})?$")
BEHIND_A_NAME = frozenset({"jr", "sr", "ii", "iii", "iv", "md", "dvm"})


def folded(typed: str) -> str:
    """Lower case, without accents, signs and double blanks: `D’Angelo` and `dangelo` are the same word."""
    letters = LEFT_OUT.sub("", unicodedata.normalize("NFD", typed)).lower().translate(ONE_LETTER)
    return NOT_WORDS.sub(" ", letters).strip(" ")


def folded_address(*parts: str | None) -> str:
    """An address however it is written: `1310 Idaho Avenue, Benson, Minnesota 56215-1234` is `1310 Idaho Ave. ...`.

    The state before a ZIP code is left out, since the ZIP code tells it; of that the first five digits count.
    """
    whole = NUMBER_SIGN.sub(" apt ", " ".join(part for part in parts if part))
    words = " ".join(SAME_WORD.get(word, word) for word in folded(whole).split())
    return STATE_AND_ZIP.sub(r" \1", words)


def surname(name: str) -> str:
    """The folded family name of `Pat O'Brien`, `O'Brien, Pat` or `Pat O'Brien Jr.`; a one-word name is its own."""
    family, comma, _ = name.partition(",")
    words = folded(family if comma and folded(family) else name).split()
    while len(words) > 1 and words[-1] in BEHIND_A_NAME:
        words.pop()
    return words[-1] if words else ""


def chip(typed: str | None) -> str | None:
    """A microchip or rabies tag number: letters and digits alone, in capitals."""
    return re.sub(r"[^0-9A-Za-z]", "", typed or "").upper() or None

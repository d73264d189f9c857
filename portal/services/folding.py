"""Names and addresses folded for comparing. What was typed stays as it was typed; only the folded copy is compared."""

import re
import unicodedata

NOT_WORDS = re.compile(r"[^\w½¼¾]+")
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
BEHIND_A_NAME = frozenset({"jr", "sr", "ii", "iii", "iv", "md", "dvm"})


def folded(typed: str) -> str:
    """Lower case, without accents, signs and double blanks: `D’Angelo` and `dangelo` are the same word."""
    plain = unicodedata.normalize("NFKD", typed.replace("’", "").replace("'", "").replace("đ", "d").replace("Đ", "D"))
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    return " ".join(NOT_WORDS.sub(" ", letters.casefold()).split())


def folded_address(*parts: str | None) -> str:
    """An address however it is written: `1310 Idaho Avenue` is `1310 Idaho Ave.`"""
    words = folded(" ".join(part for part in parts if part)).split()
    return " ".join(SAME_WORD.get(word, word) for word in words)


def surname(name: str) -> str:
    """The folded family name of `Pat O'Brien`, `O'Brien, Pat` or `Pat O'Brien Jr.`; a one-word name is its own."""
    family, comma, _ = name.partition(",")
    words = folded(family if comma and folded(family) else name).split()
    while len(words) > 1 and words[-1] in BEHIND_A_NAME:
        words.pop()
    return words[-1] if words else ""


def chip(typed: str | None) -> str | None:
    """A microchip number without blanks and dashes, in capitals."""
    return re.sub(r"[^0-9A-Za-z]", "", typed or "").upper() or None

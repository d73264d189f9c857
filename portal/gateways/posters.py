"""Posters for lost animals, for a shop's window and for lamp posts: in English and Spanish, on one letter page.

A poster shows no name, address or phone of the keeper unless the phone was chosen to stand there; whoever saw the
animal writes by the address on it.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.gateways.qr import qr_svg
from portal.gateways.typesetting import typeset

HEADINGS = {
    "dog": ("LOST DOG", "PERRO PERDIDO"),
    "cat": ("LOST CAT", "GATO PERDIDO"),
    "bird": ("LOST BIRD", "AVE PERDIDA"),
    "rabbit": ("LOST RABBIT", "CONEJO PERDIDO"),
}
HEADING_OF_OTHERS = ("LOST PET", "MASCOTA PERDIDA")
SPANISH_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip
ADVICE = {
    "shy": (
        "Shy. Please do not chase or call: note the place, and tell us.",
        "Animal tímido. No lo persiga ni lo llame: anote el lugar y avísenos.",
    ),
    "friendly": (
        "Friendly. If it comes to you, please hold it, and tell us.",
        "Animal amistoso. Si se acerca, sujételo y avísenos.",
    ),
}
LONGEST_TEXT = 240
# A line breaks only at blanks; what is longer than any word is broken here.
UNBROKEN = re.compile(r"\S{28}")
ZERO_WIDTH_BLANK = "\u200b"


@dataclass(frozen=True)
class Poster:
    """What a poster says; texts as they were typed. `link` stands on it without its scheme."""

    species: str
    name: str
    looks: str
    last_seen_place: str
    last_seen_at: datetime
    link: str
    wears: str = ""
    temperament: str = ""
    when_seen: str = ""
    phone: str | None = None
    photo: bytes | None = None


def poster_pdf(poster: Poster) -> bytes:
    """The poster as a PDF; see `typeset` for what may be raised."""
    heading, heading_es = HEADINGS.get(poster.species, HEADING_OF_OTHERS)
    link = poster.link.removeprefix("https://").removeprefix("http://")
    host, _, path = link.partition("/")
    said = {
        "title": f"{heading.capitalize()}: {poster.name}" if poster.name else heading.capitalize(),
        "heading": heading,
        "heading_es": heading_es,
        "name": _one_line(poster.name),
        "facts": _facts(poster),
        "link": link,
        "phone": poster.phone,
        "on_strip": [
            line for line in (heading, heading_es, _one_line(poster.name), host, f"/{path}", poster.phone) if line
        ],
        "photo_is": f"Photo of {poster.name}" if poster.name else "Photo of the animal",
    }
    pictures = {"code": qr_svg(poster.link).encode()}
    if poster.photo:
        pictures["photo"] = poster.photo
    return typeset("lost", said, pictures=pictures)


def _facts(poster: Poster) -> list[dict[str, Any]]:
    advice = ADVICE.get(poster.temperament)
    when_seen = [_as_typed(poster.when_seen)] if poster.when_seen else []
    rows = (
        ("Looks like", "Descripción", [_as_typed(poster.looks)]),
        ("Last seen", "Visto por última vez", [_as_typed(poster.last_seen_place), *_when(poster.last_seen_at)]),
        ("Wears", "Lleva", [_as_typed(poster.wears)]),
        ("If you see it", "Si lo ve", [*(_both(*advice) if advice else ()), *when_seen]),
    )
    told = ((label, label_es, [line for line in lines if line["text"]]) for label, label_es, lines in rows)
    return [{"label": label, "label_es": label_es, "lines": lines} for label, label_es, lines in told if lines]


def _when(at: datetime) -> list[dict[str, Any]]:
    hour = f"{at.hour % 12 or 12}:{at:%M} {'AM' if at.hour < 12 else 'PM'}"
    month = SPANISH_MONTHS[at.month - 1]
    return _both(
        f"{at:%B} {at.day}, {at.year}, about {hour}", f"{at.day} de {month} de {at.year}, hacia las {at:%H:%M}"
    )


def _both(english: str, spanish: str) -> list[dict[str, Any]]:
    return [{"text": english, "es": False}, {"text": spanish, "es": True}]


def _as_typed(text: str) -> dict[str, Any]:
    return {"text": _one_line(text), "es": False}


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1].rstrip() + "…"
    return UNBROKEN.sub(rf"\g<0>{ZERO_WIDTH_BLANK}", short)

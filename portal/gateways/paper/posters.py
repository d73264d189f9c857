"""Posters for lost animals, for a shop's window and for lamp posts: in English and Spanish, on one letter page.

A poster shows no name, address or phone of the keeper unless the phone was chosen to stand there; whoever saw the
animal writes by the address on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from portal.gateways.paper.typesetting import breakable, typeset
from portal.gateways.qr import qr_svg
from portal.ordinance.wall_clock import spoken_time

Both = tuple[str, str]
"""English and Spanish."""

HEADINGS: Mapping[str, Both] = {
    "dog": ("LOST DOG", "PERRO PERDIDO"),
    "cat": ("LOST CAT", "GATO PERDIDO"),
    "bird": ("LOST BIRD", "AVE PERDIDA"),
    "rabbit": ("LOST RABBIT", "CONEJO PERDIDO"),
    "ferret": ("LOST FERRET", "HURÓN PERDIDO"),
}
HEADING_OF_OTHERS: Both = ("LOST PET", "MASCOTA PERDIDA")
SEXES: Mapping[str, Both] = {"female": ("Female", "Hembra"), "male": ("Male", "Macho")}
SIZES: Mapping[str, Both] = {
    "small": ("small", "de tamaño pequeño"),
    "medium": ("medium size", "de tamaño mediano"),
    "large": ("large", "de tamaño grande"),
}
ADVICE: Mapping[str, Both] = {
    "shy": (
        "Shy. Please do not chase or call: note the place, and write to us.",
        "Animal tímido. No lo persiga ni lo llame: anote el lugar y escríbanos.",
    ),
    "friendly": (
        "Friendly. If it comes to you, please stay with it, and write to us.",
        "Animal amistoso. Si se acerca, quédese con él y escríbanos.",
    ),
    "may_bite": (
        "May bite when afraid. Please keep away: note the place, and write to us.",
        "Puede morder si tiene miedo. No se acerque: anote el lugar y escríbanos.",
    ),
}
SPANISH_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip
LONGEST_TEXT = 240
LONGEST_ON_STRIP = 20


@dataclass(frozen=True, kw_only=True)
class Poster:
    """What a poster says; texts as they were typed, the time as the clock on the wall had it.

    `link` stands on it without its scheme. Words for species, sex, size and temperament are those of the notice; one
    that is not known here is left out.
    """

    species: str
    name: str
    looks: str
    sex: str = ""
    size: str = ""
    last_seen_place: str
    last_seen_on: date
    last_seen_at: time | None = None
    wears: str = ""
    temperament: str = ""
    when_seen: str = ""
    link: str
    phone: str | None = None
    photo: bytes | None = None


def poster_pdf(poster: Poster) -> bytes:
    """The poster as a PDF; see `typeset` for what may be raised."""
    heading, heading_es = HEADINGS.get(poster.species, HEADING_OF_OTHERS)
    link = poster.link.removeprefix("https://").removeprefix("http://")
    host, _, path = link.partition("/")
    short_name = _one_line(poster.name, longest=LONGEST_ON_STRIP)
    said = {
        "title": f"{heading.capitalize()}: {poster.name}" if poster.name else heading.capitalize(),
        "heading": heading,
        "heading_es": heading_es,
        "name": _one_line(poster.name),
        "facts": _facts(poster),
        "link": link,
        "phone": poster.phone,
        "on_strip": [line for line in (heading, heading_es, short_name, host, f"/{path}", poster.phone) if line],
        "photo_is": f"Photo of {poster.name}" if poster.name else "Photo of the animal",
    }
    pictures = {"code": qr_svg(poster.link).encode()}
    if poster.photo:
        pictures["photo"] = poster.photo
    return typeset("lost", said, pictures=pictures)


def _facts(poster: Poster) -> list[dict[str, Any]]:
    rows = (
        ("Looks like", "Descripción", [_as_typed(poster.looks), *_both(_sex_and_size(poster))]),
        ("Last seen", "Visto por última vez", [_as_typed(poster.last_seen_place), *_both(_when(poster))]),
        ("Wears", "Lleva", [_as_typed(poster.wears)]),
        ("If you see it", "Si lo ve", [*_both(ADVICE.get(poster.temperament)), _as_typed(poster.when_seen)]),
    )
    told = ((label, label_es, [line for line in lines if line["text"]]) for label, label_es, lines in rows)
    return [{"label": label, "label_es": label_es, "lines": lines} for label, label_es, lines in told if lines]


def _sex_and_size(poster: Poster) -> Both | None:
    known = [words for words in (SEXES.get(poster.sex), SIZES.get(poster.size)) if words]
    if not known:
        return None
    english, spanish = (", ".join(words) for words in zip(*known, strict=True))
    return english[0].upper() + english[1:], spanish[0].upper() + spanish[1:]


def _when(poster: Poster) -> Both:
    day, at = poster.last_seen_on, poster.last_seen_at
    english = f"{day:%B} {day.day}, {day.year}"
    spanish = f"{day.day} de {SPANISH_MONTHS[day.month - 1]} de {day.year}"
    if at is None:
        return english, spanish
    return f"{english}, about {spoken_time(at)}", f"{spanish}, hacia las {at:%H:%M}"


def _both(words: Both | None) -> list[dict[str, Any]]:
    return [{"text": words[0], "es": False}, {"text": words[1], "es": True}] if words else []


def _as_typed(text: str) -> dict[str, Any]:
    return {"text": _one_line(text), "es": False}


def _one_line(text: str, *, longest: int = LONGEST_TEXT) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
    return breakable(short)

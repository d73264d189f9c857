"""What a notice being written says, as rows to read over: each with its answer and where to change it."""

from datetime import time

from flask import url_for

from portal.forms.notice_choices import SEXES, SIZES, TEMPERAMENTS
from portal.ordinance.wall_clock import spoken_time
from portal.schema.notices import NoticeKind
from portal.services.notices.in_progress import BegunNotice, Step
from portal.views.notices.words import HOLDINGS, SPECIES
from portal.views.words import day

Row = dict[str, str | None]


def shown_rows(begun: BegunNotice) -> list[Row]:
    """What everybody will see, in the order of the pages."""
    pet, more = begun.pet, begun.more
    is_lost = begun.kind is NoticeKind.LOST
    rows = [
        ("Name", pet.name, Step.PET) if is_lost else None,
        ("Kind", pet.species_text or SPECIES[pet.species].capitalize(), Step.PET),
        ("Breed, or looks", pet.breed, Step.PET),
        ("Colors", pet.color, Step.PET),
        ("Size", SIZES[pet.size] if pet.size else "", Step.PET),
        ("Sex", SEXES[pet.sex] if pet.sex else "", Step.PET),
        ("Wears", pet.wears, Step.PET),
        ("Marks", pet.marks, Step.PET),
        ("Where", _where(begun), Step.WHERE),
        ("When", _when(begun), Step.WHERE),
        ("Now", HOLDINGS[begun.where.holding], Step.WHERE) if begun.where and begun.where.holding else None,
        ("With people", TEMPERAMENTS[more.temperament] if more.temperament else "", Step.MORE) if is_lost else None,
        ("What to do", more.what_to_do, Step.MORE) if is_lost else None,
        ("Phone", more.shown_phone, Step.MORE) if is_lost and more.shown_phone else None,
    ]
    return [_row(begun, *row) for row in rows if row]


def apart_rows(begun: BegunNotice) -> list[Row]:
    """What nobody sees but whoever files it and the city."""
    more = begun.more
    rows = [("The mark you keep to yourself", more.withheld_mark), ("Microchip", more.chip)]
    if begun.kind is NoticeKind.FOUND:
        rows += [("Number on the tag", more.tag), ("E-mail", more.email), ("Phone for animal control", more.phone)]
    return [_row(begun, question, answer, Step.MORE) for question, answer in rows]


def _where(begun: BegunNotice) -> str:
    if begun.where is None:
        return ""
    phone = "\nAnd, on a map and to a block, where your phone was when you pressed the button"
    return begun.where.place + (phone if begun.where.latitude is not None else "")


def _when(begun: BegunNotice) -> str:
    if begun.where is None:
        return ""
    at = f" at {spoken_time(time.fromisoformat(begun.where.clock))}" if begun.where.clock else ""
    return f"{day(begun.where.on)}{at}"


def _row(begun: BegunNotice, question: str, answer: str, step: Step) -> Row:
    change = url_for(f"notices.new_{step.value}", kind=begun.kind.value)
    return {"question": question, "answer": answer, "change": change}

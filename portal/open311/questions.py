"""What may be told of a report besides where and what happened: the attributes of a service's definition.

Nothing is required: whatever is left out, the report is kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from portal.forms.text import many_lines, one_line
from portal.ordinance.nuisances import SECTIONS, Nuisance
from portal.ordinance.wall_clock import instants
from portal.services.reports.answers import LONGEST_LINE, LONGEST_TEXT

YEARS = range(1990, 2101)
YES_NO = {"yes": "Yes", "no": "No"}
NOTICE_VERSION = ATTESTATION_VERSION = "open311-2026-11"
NOTICE = (
    "You may leave out any answer, and your name. What you send goes to the police department, which looks into it; "
    "whoever keeps the animal and the public do not see it. Who reports is confidential (Minn. Stat. 13.44): an "
    "officer who reads it writes down why, and a court may order that it be told. Without a name a report is kept, but "
    "can't alone support taking an animal from private property (90.11(A)(1)). In danger now: call 911."
)


class Datatype(StrEnum):
    """How an answer is typed (GeoReport v2, service definition)."""

    STRING = "string"
    DATETIME = "datetime"
    TEXT = "text"
    ONE_OF_A_LIST = "singlevaluelist"


@dataclass(frozen=True)
class Question:
    """One question, and what may be answered."""

    asks: str
    datatype: Datatype = Datatype.STRING
    values: Mapping[str, str] | None = None


class Unreadable(ValueError):
    """An answer that can't be read; the sentence says how to write it."""


def _words(*keys: str) -> dict[str, str]:
    return {key: key.capitalize() for key in keys}


def _one_of(asks: str, values: Mapping[str, str]) -> Question:
    return Question(asks, Datatype.ONE_OF_A_LIST, values)


# The keys are those of the portal's own pages.
GROUNDS = {
    "street": "A street or a road",
    "path": "A sidewalk or a path",
    "park": "A park or a parkway",
    "other": "Somewhere else",
}
REPORTERS = {
    "bitten": "The one who was bitten",
    "keeper": "Who keeps the animal that was bitten",
    "parent": "A parent, or somebody who looks after the one bitten",
    "witness": "Somebody who saw it",
}
# Of every kind.
USUAL = {
    "happened_at": Question("When did it happen?", Datatype.DATETIME),
    "animal": Question("What does the animal look like?"),
    "whose": Question("Whose animal may it be, and where does it live?"),
    "is_going_on": _one_of("Is it going on now?", YES_NO),
    "is_again": _one_of("Did it happen before?", YES_NO),
}
# Of one kind, by the names of its answers.
OF_KIND: Mapping[Nuisance, Mapping[str, Question]] = {
    Nuisance.BARKING: {
        "heard_from": Question("Where did you hear it from?"),
        "how_long": Question("How long did it bark without a break of a minute?", Datatype.TEXT),
        "interruptions": Question("How long was it quiet in between?", Datatype.TEXT),
    },
    Nuisance.DAMAGE: {
        "what": Question("What was damaged?", Datatype.TEXT),
        "whose_property": Question("Whose is it?"),
        "estimate": Question("What may it cost to mend?"),
    },
    Nuisance.CHASING: {
        "chased": _one_of("Who or what was chased?", _words("pedestrian", "bicycle", "vehicle", "animal")),
        "ground": _one_of("On what ground?", GROUNDS),
        "had_contact": _one_of("Did it touch anybody?", YES_NO),
        "injury": Question("Was anybody hurt, and how?", Datatype.TEXT),
    },
    Nuisance.BITE: {
        "bitten": _one_of("Who was bitten?", _words("person", "animal")),
        "reporter_is": _one_of("Who are you?", REPORTERS),
        "injury": Question("What is the injury?", Datatype.TEXT),
        "treated_by": Question("Which doctor or vet treated it?"),
        "animal_is_now": Question("Where is the animal now?"),
        "vaccination": Question("What is known of its rabies vaccination?"),
    },
    Nuisance.LITTER: {
        "ground": _one_of(
            "Where does it lie?",
            {"own": "On the keeper’s own property", "others": "On that of others", "public": "On public property"},
        ),
    },
    Nuisance.AT_LARGE: {
        "direction": Question("Which way did it go?"),
        "tag": Question("What is on its tag?"),
    },
    Nuisance.NEGLECT: {
        "lacks": Question("What does the animal lack?", Datatype.TEXT),
        "since": Question("Since when?"),
        "seen_from": Question("Where can it be seen from?"),
    },
    Nuisance.DEAD_ANIMAL: {
        "species": Question("What animal is it?"),
        "tag": Question("What is on its tag?"),
    },
    Nuisance.STRAY: {
        "is_confined": _one_of("Has somebody taken it in?", YES_NO),
        "confined_at": Question("When was it taken in?", Datatype.DATETIME),
        "tag": Question("What is on its tag?"),
    },
    Nuisance.OTHER: {},
}


def questions(kind: Nuisance) -> dict[str, Question]:
    """By their codes, in the order they are asked in."""
    return {**OF_KIND[kind], **USUAL}


def definition(kind: Nuisance) -> dict[str, Any]:
    """The service's definition: what helps an officer and what is done with the answers first, then the questions."""
    helps = f"What helps: {'; '.join(SECTIONS[kind].helps)}."
    shown = [_attribute("helps", Question(helps), is_asked=False), _attribute("notice", Question(NOTICE), False)]
    asked = [_attribute(code, question) for code, question in questions(kind).items()]
    ordered = [{**one, "order": place} for place, one in enumerate((*shown, *asked), start=1)]
    return {"service_code": kind.value, "attributes": ordered}


def _attribute(code: str, question: Question, is_asked: bool = True) -> dict[str, Any]:
    values = [{"key": key, "name": name} for key, name in (question.values or {}).items()]
    hints = {Datatype.DATETIME: "Date, time and offset, such as 2026-11-30T09:15:00-06:00"}
    return {
        "variable": is_asked,
        "code": code,
        "datatype": question.datatype.value,
        "required": False,
        "datatype_description": hints.get(question.datatype),
        "order": 0,
        "description": question.asks,
        **({"values": values} if values else {}),
    }


def read_answer(question: Question, typed: str, *, zone: ZoneInfo, now: datetime) -> Any:
    """What was answered; raises Unreadable."""
    return READERS[question.datatype](question, typed, zone, now)


def read_instant(typed: str, *, zone: ZoneInfo) -> datetime:
    """A date and time of ISO 8601; without an offset it is the city's time. Raises Unreadable."""
    # A plus sign that was not escaped in a form or a query arrives as a blank.
    written = typed.strip().replace(" ", "+") if "T" in typed else typed.strip()
    try:
        found = datetime.fromisoformat(written)
    except ValueError as wrong:
        raise Unreadable("Write a date and time such as 2026-11-30T09:15:00-06:00.") from wrong
    if found.year not in YEARS:
        raise Unreadable("Write the right year.")
    if found.tzinfo:
        return found
    shown = instants(found.date(), found.time(), zone)
    if not shown:
        raise Unreadable("The clock skipped this time that night. Write it with its offset from UTC.")
    return shown[0].astimezone(zone)


def _line(_question: Question, typed: str, _zone: ZoneInfo, _now: datetime) -> str:
    return _within(one_line(typed), LONGEST_LINE)


def _text(_question: Question, typed: str, _zone: ZoneInfo, _now: datetime) -> str:
    return _within(many_lines(typed), LONGEST_TEXT)


def _past(_question: Question, typed: str, zone: ZoneInfo, now: datetime) -> datetime:
    found = read_instant(typed, zone=zone)
    if found > now:
        raise Unreadable("Write a time that is not in the future.")
    return found


def _choice(question: Question, typed: str, _zone: ZoneInfo, _now: datetime) -> str | bool:
    values = question.values or {}
    if typed not in values:
        raise Unreadable(f"Send one of these keys: {', '.join(values)}.")
    return typed == "yes" if values is YES_NO else typed


def _within(written: str, most: int) -> str:
    if len(written) > most:
        raise Unreadable(f"Use {most:,} characters or fewer.")
    return written


READERS: Mapping[Datatype, Callable[[Question, str, ZoneInfo, datetime], Any]] = {
    Datatype.STRING: _line,
    Datatype.TEXT: _text,
    Datatype.DATETIME: _past,
    Datatype.ONE_OF_A_LIST: _choice,
}

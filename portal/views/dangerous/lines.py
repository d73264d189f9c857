"""Each requirement as one line of the list: where it stands, what is still to do, and one thing to do about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import partial
from uuid import UUID

from flask import url_for

from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Requirement, RowState
from portal.ordinance.dangerous_rows import Shown
from portal.services.dangerous.days_to_know import FOLLOW
from portal.services.dangerous.dog import DangerousDog
from portal.services.dangerous.requirement_rows import RowView
from portal.views.dogs.look import Link
from portal.views.words import day
from portal.views.work import gateways

GOOD, PLAIN, PROBLEM, WARNING = "good", "plain", "problem", "warning"
LABELS = {
    Requirement.REGISTRATION: "Certificate of registration",
    Requirement.ENCLOSURE: "Enclosure",
    Requirement.RESTRAINT: "Muzzle and leash",
    Requirement.SIGNS: "Warning signs, front and rear",
    Requirement.INSURANCE: "Insurance or bond",
    Requirement.FEE: "Registration fee",
    Requirement.TAG: "Dangerous-dog tag",
    Requirement.MICROCHIP: "Microchip",
    Requirement.LICENSE: "License and rabies",
    Requirement.PHOTOGRAPH: "Photograph by the officer",
    Requirement.RENEWAL: "Renewal every year",
    Requirement.DEATH_OR_TRANSFER: "Notice of a move or death",
    Requirement.LANDLORD: "Your landlord",
    Requirement.NEW_OWNER: "Notice of a new owner",
    Requirement.STERILIZATION: "Sterilization",
    Requirement.COUNTY: "County registration",
}
STATES = {
    RowState.ACCEPTED: (GOOD, "accepted"),
    RowState.WAIVED: (GOOD, "waived"),
    RowState.NOT_APPLICABLE: (PLAIN, "not needed now"),
    RowState.SENT_BACK: (PROBLEM, "sent back"),
    RowState.SENT: (PLAIN, "officer is checking"),
}
WORDS = {RowState.NOT_YET: "Show it", RowState.SENT_BACK: "Send another", RowState.SENT: "What you sent"}
SAYS_WHY = frozenset({RowState.SENT_BACK, RowState.NOT_YET, RowState.WAIVED, RowState.NOT_APPLICABLE})
# What a row of this kind leads to; the others lead to their own page.
TELLS = frozenset({Requirement.DEATH_OR_TRANSFER, Requirement.NEW_OWNER})


class WaitsFor(StrEnum):
    """Who or what moves a line on, the most urgent first."""

    OWNER = "owner"
    OFFICER = "officer"
    OTHERS = "others"
    NOBODY = "nobody"
    EVENT = "event"


@dataclass(frozen=True)
class Line:
    """One requirement on the list."""

    requirement: Requirement
    label: str
    asks: str
    rule: Rule
    tag: tuple[str, str]
    detail: str
    action: Link | None
    waits_for: WaitsFor


def lines_of(dog: DangerousDog) -> list[Line]:
    """The list: first what needs the owner, then what an officer looks at, each in the order of the ordinance."""
    return sorted((line_of(dog, row) for row in dog.rows), key=lambda line: list(WaitsFor).index(line.waits_for))


def line_of(dog: DangerousDog, row: RowView) -> Line:
    """One line of it."""
    return Line(
        requirement=row.requirement,
        label=LABELS[row.requirement],
        asks=row.law.asks,
        rule=row.law.rule,
        tag=_tag(row),
        detail=" ".join(_details(dog, row)),
        action=_action(dog.animal.id, row),
        waits_for=_waits_for(row),
    )


def _waits_for(row: RowView) -> WaitsFor:
    if row.state is RowState.NOT_APPLICABLE:
        return WaitsFor.EVENT
    if row.is_settled:
        return WaitsFor.NOBODY
    if row.requirement in FOLLOW:
        return WaitsFor.OTHERS
    return WaitsFor.OFFICER if row.state is RowState.SENT else WaitsFor.OWNER


def _tag(row: RowView) -> tuple[str, str]:
    if row.state in STATES:
        return STATES[row.state]
    if row.requirement in FOLLOW:
        return PLAIN, "comes last"
    if row.due is None:
        return PLAIN, "not yet"
    return (
        (WARNING, f"due {row.due.show_by:%b} {row.due.show_by.day}") if row.due.period.length else (WARNING, "due now")
    )


def _details(dog: DangerousDog, row: RowView) -> Iterator[str]:
    """What to know about the row as it stands."""
    newest, read = row.evidence, dog.read
    if row.requirement is Requirement.LICENSE and read:
        yield f"License {read.license_number}." if read.license_number else "No license is in force."
        yield _rabies(read.rabies_good_to)
    if row.reason and row.state in SAYS_WHY:
        yield _sentence(row.reason)
    if row.certificate_ended_on and row.requirement is Requirement.REGISTRATION:
        yield f"The last one ended on {day(row.certificate_ended_on)}."
    if row.ran_out_on:
        yield f"It was good to {day(row.ran_out_on)}."
    if newest and row.state is RowState.SENT:
        yield "From last year." if row.is_from_year_before else f"Sent {day(newest.created_at)}."
    if newest and row.state is not RowState.ACCEPTED:
        yield from (_sentence(str(finding["sentence"])) for finding in newest.findings)
    if newest and newest.last_day and row.state is RowState.ACCEPTED:
        yield f"Good to {day(newest.last_day)}."


def _rabies(good_to: date | None) -> str:
    if good_to is None:
        return "No rabies certificate is accepted."
    if good_to < gateways().clock.today():
        return f"The rabies certificate ended on {day(good_to)}."
    return f"Rabies certificate good to {day(good_to)}."


def _action(animal_id: UUID, row: RowView) -> Link | None:
    if row.requirement in FOLLOW:
        return None
    if row.requirement in TELLS:
        return Link(partial(url_for, "dangerous.tell", animal_id=animal_id), "Tell us when it happens")
    words = WORDS.get(row.state, "See it")
    if row.law.shown is Shown.PORTAL:
        words = "Pay it" if row.requirement is Requirement.FEE and not row.is_settled else "See it"
    return Link(partial(url_for, "dangerous.row", animal_id=animal_id, requirement=row.requirement.value), words)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."

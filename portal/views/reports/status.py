"""How a report stands, in words, with who acts next."""

from dataclasses import dataclass

from flask import url_for

from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import ReportState, UpdateBy, UpdateKind
from portal.services.reports.follow_report import REOPENS_FOR, MyReport, MyUpdate
from portal.views.words import day, moment

KINDS = {
    Nuisance.BARKING: "Barking",
    Nuisance.DAMAGE: "Damage",
    Nuisance.CHASING: "Chasing",
    Nuisance.BITE: "A bite or an attack",
    Nuisance.LITTER: "Dog waste",
    Nuisance.AT_LARGE: "A loose animal",
    Nuisance.NEGLECT: "An animal in need",
    Nuisance.DEAD_ANIMAL: "A dead animal",
    Nuisance.STRAY: "A stray animal",
    Nuisance.OTHER: "Something else",
}
STATES = {
    ReportState.RECEIVED: "Received. An officer reads it next",
    ReportState.LOOKING: "An officer is looking into it",
    ReportState.WAITING: "An officer asked you something",
    ReportState.CLOSED: "Closed",
}
HAPPENINGS = {
    UpdateKind.INCIDENT: "You told what happened next",
    UpdateKind.QUESTION: "An officer asked",
    UpdateKind.ANSWER: "You answered",
    UpdateKind.STATUS: "An officer wrote",
    UpdateKind.WITHDRAWN: "You took it back",
    UpdateKind.REOPENED: "You opened it again",
    UpdateKind.CLOSED: "An officer closed it",
    UpdateKind.IDENTIFIED: "You gave your name",
}


@dataclass(frozen=True)
class Track:
    """One of the three lines of a report's way."""

    label: str
    state: str
    detail: str
    action: dict[str, str] | None = None


def tracks_of(report: MyReport) -> list[Track]:
    """Received, looked into, closed: what is done, what is now and who acts."""
    received = Track("We have your report", "done", f"Since {moment(report.created_at)}")
    if report.state is ReportState.CLOSED:
        closed = f"On {day(report.closed_at)}" if report.closed_at else ""
        return [received, Track("It is closed", "done", closed)]
    last = Track("It is closed", "waiting", "With a reason, which you read here.")
    if report.state is ReportState.WAITING:
        answer = {"href": url_for("reports.answer", reference=report.reference), "label": "Answer"}
        return [received, Track("You act next", "problem", "An officer asked you something.", answer), last]
    if report.state is ReportState.LOOKING:
        return [received, Track("An officer is looking into it", "now", "The officer acts next."), last]
    return [received, Track("An officer reads it", "now", "The officer acts next."), last]


def reopens_until(report: MyReport) -> str:
    """The last day on which it can be opened again."""
    return day(report.closed_at + REOPENS_FOR) if report.closed_at else ""


def said_by_officer(update: MyUpdate) -> bool:
    """Whether it is an officer's."""
    return update.by is UpdateBy.OFFICER

"""What a report says, as rows for its sender to read over: each question with its answer and where to change it."""

from collections.abc import Iterator, Mapping
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from flask import url_for

from portal.forms.report_details import DETAILS_FORMS, shown_details
from portal.forms.times import TimeField
from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance
from portal.ordinance.wall_clock import spoken_time
from portal.schema.reports import ReportFileKind
from portal.services.reports.answers import FileAnswers
from portal.services.reports.in_progress import BegunReport, Step, When, WhenAnswers
from portal.views.reports.status import KINDS
from portal.views.words import day, from_to, moment

Row = dict[str, str | None]
FILE_KINDS = {ReportFileKind.PHOTO: "photo", ReportFileKind.SOUND: "sound", ReportFileKind.VIDEO: "film"}
YES_NO = {True: "Yes", False: "No"}


def said_rows(begun: BegunReport, files: tuple[FileAnswers, ...], *, zone: ZoneInfo) -> list[Row]:
    """What the police get of the matter, in the order of the pages."""
    animal = begun.animal
    rows = [
        _row(begun, "What", KINDS[begun.kind], None),
        _row(begun, "Where", _where(begun), Step.WHERE),
        _row(begun, "When", when_words(begun.when), Step.WHEN),
    ]
    if begun.kind is Nuisance.BARKING:
        rows.append(_row(begun, "Times you heard it", _episodes(begun, zone), Step.LOG))
    rows += [
        _row(begun, asked, answer, Step.DETAILS) for asked, answer in details_said(begun.kind, begun.details, zone=zone)
    ]
    rows.append(_row(begun, "The animal", animal.animal, Step.ANIMAL))
    if begun.kind not in ACCUSES_NOBODY:
        rows.append(_row(begun, "Whose it may be", animal.whose, Step.ANIMAL))
        before = {True: "Yes", False: "No, the first time", None: ""}[animal.is_again]
        rows.append(_row(begun, "Happened before", before, Step.ANIMAL))
    rows.append(_row(begun, "What happened", begun.narrative, Step.WORDS))
    rows.append(_row(begun, "Photos, sound, video", _files(files), Step.FILES))
    return rows


def said_of_sender(begun: BegunReport) -> list[Row]:
    """What the police get of who sends it, which is kept apart."""
    said = begun.contact
    if not begun.is_named:
        mailbox = [_row(begun, "Mail with the private link goes to", said.email, Step.CONTACT)] if said.email else []
        return [_row(begun, "Your name", "Not given", Step.WHO), *mailbox]
    return [
        _row(begun, "Your name", said.name, Step.WHO),
        _row(begun, "E-mail", said.email, Step.CONTACT),
        _row(begun, "Phone", said.phone, Step.CONTACT),
        _row(begun, "Address", said.address, Step.CONTACT),
        _row(begun, "You ask not to be named publicly", YES_NO[said.asks_not_public], Step.CONTACT),
    ]


def when_words(when: WhenAnswers | None) -> str:
    """When it happened, as they said it."""
    if when is None:
        return ""
    said = {When.NOW: "It is going on now", When.UNSURE: "Over some time, or not sure"}.get(when.is_when, day(when.on))
    at = f" at {spoken_time(time.fromisoformat(when.clock))}" if when.clock else ""
    return f"{said}{at}" + (f". {when.words}" if when.words else "")


def details_said(kind: Nuisance, stored: Mapping[str, Any], *, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    """Each question of this kind that was answered, in the words of its page."""
    if kind not in DETAILS_FORMS:
        return
    shown = shown_details(kind, stored, zone=zone)
    form = DETAILS_FORMS[kind](formdata=None, data=shown)
    for field in form:
        answer = shown.get(field.name)
        if answer is None or answer == "":
            continue
        if isinstance(field, TimeField):
            answer = spoken_time(time.fromisoformat(answer))
        labels = {option.value: option.label for option in getattr(field, "choices", ())}
        yield field.label.text, YES_NO[answer] if isinstance(answer, bool) else labels.get(answer, answer)


def _where(begun: BegunReport) -> str:
    if begun.where is None:
        return ""
    phone = "\nAnd where your phone was when you pressed the button" if begun.where.latitude is not None else ""
    return begun.where.place + phone


def _episodes(begun: BegunReport, zone: ZoneInfo) -> str:
    return "\n".join(episode_words(one.started_at, one.ended_at, zone) for one in begun.episodes)


def episode_words(started_at: datetime, ended_at: datetime, zone: ZoneInfo) -> str:
    """November 28, 2026 at 11:30 p.m. to 11:42 p.m."""
    began, ended = started_at.astimezone(zone), ended_at.astimezone(zone)
    if began.date() != ended.date():
        return f"{moment(began)} to {moment(ended)}"
    return f"{day(began)} at {from_to(began, ended)}"


def _files(files: tuple[FileAnswers, ...]) -> str:
    return "\n".join(f"{one.original_name} ({FILE_KINDS[one.kind]})" for one in files) or "None"


def _row(begun: BegunReport, question: str, answer: str, step: Step | None) -> Row:
    change = url_for(f"reports.new_{step.value}", kind=begun.kind.value) if step else url_for("reports.new")
    return {"question": question, "answer": answer, "change": change}

"""What a reporter may do on their own report: add the next incident, answer, withdraw, reopen.

Each asks the database whether the link or the sign-in opens the report; one that does not exists for nobody else.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from sqlalchemy import TextClause, text
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.nuisances import URGENT
from portal.schema.confidential import LinkPurpose
from portal.schema.reports import UpdateKind
from portal.services.refusal import Refused
from portal.services.reports.answers import (
    LONGEST_TEXT,
    TOO_LONG,
    EpisodeAnswers,
    FileAnswers,
    Incident,
    too_much,
)
from portal.services.reports.follow_report import (
    MY_EPISODES,
    MY_FILES,
    REOPENS_FOR,
    WAY,
    MyReport,
    WayIn,
    WholeReport,
    came_before,
    my_report,
)
from portal.services.reports.rows import add_episodes, add_files, add_link, add_update, derived_key, tell_city
from portal.services.reports.tell_police import tell_police_at_once

MOVE_MINE = text(f"SELECT confidential.move_mine({WAY}, :report, :change, CAST(:closed_since AS timestamptz))")

IS_CLOSED = "This report is closed. Open it again within 30 days of its closing, or send a new one"
IS_OPEN = "This report is open already"
TOO_LATE = "A report can be opened again within 30 days of its closing. Send a new one"
SAY_SOMETHING = "Write something"
NO_QUESTION = "Nothing was asked that waits for an answer"


def add_incident(
    session: Session, way: WayIn, *, report_id: UUID, incident: Incident, key: UUID, city: City, clock: Clock
) -> MyReport:
    """It happened again. The same form again adds nothing; raises NotTheirs, and Refused for a closed report."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    if reasons := too_much(incident):
        raise Refused(reasons)
    if not report.is_open and not came_before(session, way, report, derived_key(key, "incident"), clock=clock):
        raise Refused([Refusal("report", IS_CLOSED)])
    note_incident(session, way, report, incident, key=key, city=city, clock=clock)
    return report


def note_incident(
    session: Session, way: WayIn, report: MyReport, incident: Incident, *, key: UUID, city: City, clock: Clock
) -> None:
    """Add an incident to a report that is known to be open and the sender's own.

    The next bite is told to the police as the first one was. It waits for no answer to what was asked about the first:
    an officer looks at once, and asks again if need be (90.08(A)(1)).
    """
    now, update_id = clock.now(), derived_key(key, "incident")
    is_new = add_update(
        session,
        report.id,
        UpdateKind.INCIDENT,
        incident.text,
        key=update_id,
        at=now,
        happened_at=incident.happened_at,
        details=incident.plain(),
    )
    if not is_new:
        return
    add_episodes(session, report.id, incident.episodes, at=now)
    add_files(session, report.id, incident.files, at=now, update_id=update_id)
    is_urgent = report.kind in URGENT
    _move(session, way, report.id, "answered" if is_urgent and report.waits_for_reporter else "touched", clock=clock)
    _tell(session, "report.incident", report)
    if is_urgent:
        tell_police_at_once(
            session,
            reference=report.reference,
            place=report.place,
            animal=incident.animal or report.animal,
            is_going_on=bool(incident.is_going_on),
            is_again=True,
            city=city,
            clock=clock,
        )


def add_to_log(
    session: Session, way: WayIn, *, report_id: UUID, episodes: Sequence[EpisodeAnswers], clock: Clock
) -> MyReport:
    """Add entries to a barking log, sent late or twice as may be; raises NotTheirs, and Refused for a closed report."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    if reasons := too_much(Incident(text="", episodes=tuple(episodes))):
        raise Refused(reasons)
    if not report.is_open:
        if _are_there(session, MY_EPISODES, way, report, [one.id for one in episodes], clock=clock):
            return report
        raise Refused([Refusal("report", IS_CLOSED)])
    add_episodes(session, report.id, episodes, at=clock.now())
    _move(session, way, report.id, "touched", clock=clock)
    _tell(session, "report.log", report, entries=len(episodes))
    return report


def add_report_files(
    session: Session, way: WayIn, *, report_id: UUID, files: Sequence[FileAnswers], key: UUID, clock: Clock
) -> MyReport:
    """Add files to the report itself, once under a key; raises NotTheirs, and Refused for too many or when closed."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    if reasons := too_much(Incident(text="", files=tuple(files))):
        raise Refused(reasons)
    numbered = [replace(one, id=derived_key(key, f"file {number}")) for number, one in enumerate(files)]
    if _are_there(session, MY_FILES, way, report, [one.id for one in numbered], clock=clock):
        return report
    if not report.is_open:
        raise Refused([Refusal("report", IS_CLOSED)])
    add_files(session, report.id, numbered, at=clock.now())
    _move(session, way, report.id, "touched", clock=clock)
    _tell(session, "report.files", report, files=len(files))
    return report


def answer_question(
    session: Session,
    way: WayIn,
    *,
    report_id: UUID,
    answer: str,
    key: UUID,
    clock: Clock,
    files: Sequence[FileAnswers] = (),
) -> MyReport:
    """Answer the officer; the report goes back to them. The same form again answers once.

    Raises NotTheirs, and Refused when nothing waits.
    """
    report = my_report(session, way, report_id=report_id, clock=clock)
    written, update_id = _written(answer, "answer"), derived_key(key, "answer")
    if not report.waits_for_reporter and not came_before(session, way, report, update_id, clock=clock):
        raise Refused([Refusal("report", NO_QUESTION, "answer")])
    if add_update(session, report.id, UpdateKind.ANSWER, written, key=update_id, at=clock.now()):
        add_files(session, report.id, files, at=clock.now(), update_id=update_id)
        _move(session, way, report.id, "answered", clock=clock)
        _tell(session, "report.answered", report)
    return report


def withdraw_report(session: Session, way: WayIn, *, report_id: UUID, why: str, clock: Clock) -> MyReport:
    """Take the report back: it is closed, and what was told stays. Twice does it once; raises NotTheirs."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    written = _written(why, "why", may_be_empty=True)
    if _move(session, way, report.id, "withdrawn", clock=clock):
        add_update(session, report.id, UpdateKind.WITHDRAWN, written, key=uuid4(), at=clock.now())
        _tell(session, "report.withdrawn", report)
    return report


def reopen_report(session: Session, way: WayIn, *, report_id: UUID, why: str, key: UUID, clock: Clock) -> MyReport:
    """Open it again within 30 days of its closing; the same form again opens it once, whatever came of it since.

    Raises NotTheirs, and Refused when it is too late or open.
    """
    report, update_id = my_report(session, way, report_id=report_id, clock=clock), derived_key(key, "reopened")
    if came_before(session, way, report, update_id, clock=clock):
        return report
    if report.is_open:
        raise Refused([Refusal("report", IS_OPEN)])
    if not report.may_reopen(clock=clock):
        raise Refused([Refusal("report", TOO_LATE)])
    written = _written(why, "why")
    if _move(session, way, report.id, "reopened", clock=clock):
        add_update(session, report.id, UpdateKind.REOPENED, written, key=update_id, at=clock.now())
        _tell(session, "report.reopened", report)
    return report


def open_for(
    session: Session,
    way: WayIn,
    *,
    report_id: UUID,
    token: str,
    clock: Clock,
    purpose: LinkPurpose = LinkPurpose.FOLLOW,
) -> MyReport:
    """One more link of theirs, or one for other software that tells kind and state alone; raises NotTheirs."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    add_link(session, report.id, token, at=clock.now(), purpose=purpose)
    return report


def files_came(whole: WholeReport, key: UUID) -> bool:
    """Whether the files of this form came already: then nothing has to be kept a second time, and nothing counted."""
    first = derived_key(derived_key(key, "file 0"), str(whole.report.id))
    return any(file.id == first for file in whole.files)


def _are_there(
    session: Session, mine: TextClause, way: WayIn, report: MyReport, keys: Sequence[UUID], *, clock: Clock
) -> bool:
    """Whether all of what was sent stands there already, under the keys that its form gave it."""
    there = {row["id"] for row in session.execute(mine, way.values(clock) | {"report": report.id}).mappings()}
    return bool(keys) and {derived_key(key, str(report.id)) for key in keys} <= there


def _move(session: Session, way: WayIn, report_id: UUID, change: str, *, clock: Clock) -> bool:
    values = {"report": report_id, "change": change, "closed_since": clock.now() - REOPENS_FOR}
    return bool(session.scalar(MOVE_MINE, way.values(clock) | values))


def _tell(session: Session, what: str, report: MyReport, **detail: int) -> None:
    tell_city(session, what, report.id, reference=report.reference, kind=report.kind.value, **detail)


def _written(typed: str, field: str, *, may_be_empty: bool = False) -> str:
    written = typed.strip()
    if not written and not may_be_empty:
        raise Refused([Refusal("report", SAY_SOMETHING, field)])
    if len(written) > LONGEST_TEXT:
        raise Refused([Refusal("report", TOO_LONG.format(most=LONGEST_TEXT), field)])
    return written

"""What an officer does with reports: look, ask, say how it stands, close with a reason, read who reported and say why.

Run in the role of the city's desk, which reads reports and not who made them.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.barking import Episode, heard_together
from portal.ordinance.finding import Refusal
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import (
    Report,
    ReportEpisode,
    ReportFile,
    ReportState,
    ReportUpdate,
    UpdateBy,
    UpdateKind,
)
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused

REPORTERS_PAGE = "/reports/open/{token}"
READ_IDENTITY = text("SELECT * FROM confidential.read_identity(:report, :staff, :why, :moment)")
IDENTITY_READS = text("SELECT * FROM confidential.identity_reads(:report)")
WRITE_TO_REPORTER = text("SELECT confidential.write_to_reporter(:report, :letter, :page, :moment)")

SAY_WHY = "Say why you read who reported: it is written down"
SAY_REASON = "Say why it is closed: the reporter reads it"
SAY_SOMETHING = "Write what the reporter is to read"
IS_CLOSED = "This report is closed"


@dataclass(frozen=True)
class LinkedReport:
    """Another report about the same place: an earlier complaint may count (90.11(A)(3))."""

    report: Report
    is_same_kind: bool
    is_joined: bool
    heard_together: tuple[Episode, ...]
    """When both households heard barking at once, if one joined the other."""


@dataclass(frozen=True)
class ReportView:
    """A report as an officer looks at it; who made it is asked for apart."""

    report: Report
    updates: tuple[ReportUpdate, ...]
    episodes: tuple[ReportEpisode, ...]
    files: tuple[ReportFile, ...]
    linked: tuple[LinkedReport, ...]


@dataclass(frozen=True)
class ReporterIdentity:
    """Who made a report, as far as they said."""

    name: str | None
    email: str | None
    phone: str | None
    address: str | None
    asked_not_public_at: datetime | None
    attested_name: str | None
    attested_at: datetime
    attestation_version: str
    notice_version: str
    confirmed_at: datetime | None
    denied_at: datetime | None
    is_signed_in: bool


def reports_open(session: Session, *, kind: Nuisance | None = None, limit: int = 100) -> list[Report]:
    """The officer's queue: what waits for an officer first, bites before all, then the oldest."""
    waits = Report.state.in_([ReportState.RECEIVED, ReportState.LOOKING, ReportState.WAITING])
    wanted = select(Report).where(waits)
    if kind:
        wanted = wanted.where(Report.kind == kind)
    order = (Report.kind != Nuisance.BITE, Report.state == ReportState.WAITING, Report.created_at, Report.id)
    return list(session.scalars(wanted.order_by(*order).limit(limit)))


def report_view(session: Session, report_id: UUID) -> ReportView:
    """One report with all that belongs to it, and the others about the same place."""
    report = _report(session, report_id)
    episodes = _episodes(session, report.id)
    return ReportView(
        report=report,
        updates=tuple(
            session.scalars(
                select(ReportUpdate)
                .where(ReportUpdate.report_id == report.id)
                .order_by(ReportUpdate.created_at, ReportUpdate.id)
            )
        ),
        episodes=episodes,
        files=tuple(
            session.scalars(
                select(ReportFile)
                .where(ReportFile.report_id == report.id)
                .order_by(ReportFile.created_at, ReportFile.id)
            )
        ),
        linked=_linked(session, report, episodes),
    )


def look_into(session: Session, *, report_id: UUID, words: str, officer: str, clock: Clock) -> Report:
    """Say how it stands; the reporter reads the words."""
    report = _open_report(session, report_id)
    written = _written(words, SAY_SOMETHING, "words")
    report.state = ReportState.LOOKING
    return _say(session, report, UpdateKind.STATUS, written, officer=officer, clock=clock)


def ask_reporter(session: Session, *, report_id: UUID, question: str, officer: str, clock: Clock) -> Report:
    """Ask the reporter something; the report waits for them."""
    report = _open_report(session, report_id)
    written = _written(question, SAY_SOMETHING, "question")
    report.state = ReportState.WAITING
    return _say(session, report, UpdateKind.QUESTION, written, officer=officer, clock=clock)


def close_report(session: Session, *, report_id: UUID, reason: str, officer: str, clock: Clock) -> Report:
    """Close it. There is always a reason, and the reporter reads it."""
    report = _open_report(session, report_id)
    written = _written(reason, SAY_REASON, "reason")
    report.state = ReportState.CLOSED
    report.closed_at = clock.now()
    report.closed_reason = written
    return _say(session, report, UpdateKind.CLOSED, written, officer=officer, clock=clock)


def read_identity(session: Session, *, report_id: UUID, why: str, officer: str, clock: Clock) -> ReporterIdentity:
    """Who made a report. That it was read, by whom and why, is written down in the same commit (13.055)."""
    report = _report(session, report_id)
    if not why.strip():
        raise Refused([Refusal("report", SAY_WHY, "why")])
    values = {"report": report.id, "staff": officer, "why": why.strip(), "moment": clock.now()}
    row = session.execute(READ_IDENTITY, values).mappings().first()
    if row is None:
        raise NotTheirs("Nobody is noted as its reporter")
    record_event(session, "report.identity_read", report, actor=f"officer:{officer}", reference=report.reference)
    return ReporterIdentity(**row)


def identity_reads(session: Session, *, report_id: UUID) -> list[tuple[str, str, datetime]]:
    """Who read the identity behind a report, why and when, oldest first."""
    found = session.execute(IDENTITY_READS, {"report": report_id})
    return [(row.read_by, row.why, row.created_at) for row in found]


def _report(session: Session, report_id: UUID) -> Report:
    report = session.get(Report, report_id)
    if report is None:
        raise NotTheirs("There is no such report")
    return report


def _open_report(session: Session, report_id: UUID) -> Report:
    report = session.get(Report, report_id, with_for_update=True)
    if report is None:
        raise NotTheirs("There is no such report")
    if report.state is ReportState.CLOSED:
        raise Refused([Refusal("report", IS_CLOSED)])
    return report


def _say(session: Session, report: Report, kind: UpdateKind, written: str, *, officer: str, clock: Clock) -> Report:
    """Note it, tell the feed, and write to the reporter if a proved mailbox is known; who that is, is not learned."""
    now = clock.now()
    report.changed_at = now
    session.add(ReportUpdate(report_id=report.id, by=UpdateBy.OFFICER, kind=kind, text=written, created_at=now))
    session.flush()
    record_event(session, f"report.{kind.value}", report, actor=f"officer:{officer}", reference=report.reference)
    values = {"report": report.id, "letter": "report_news", "page": REPORTERS_PAGE, "moment": now}
    session.execute(WRITE_TO_REPORTER, values)
    return report


def _linked(session: Session, report: Report, episodes: tuple[ReportEpisode, ...]) -> tuple[LinkedReport, ...]:
    same_place = select(Report).where(Report.place_key == report.place_key, Report.id != report.id)
    found = {one.id: one for one in session.scalars(same_place.order_by(Report.created_at.desc()).limit(50))}
    first = report.joined_report_id or report.id
    household = select(Report).where((Report.joined_report_id == first) | (Report.id == first), Report.id != report.id)
    joined = {one.id: one for one in session.scalars(household.limit(50))}
    theirs: dict[UUID, list[Episode]] = {}
    if joined:
        heard = select(ReportEpisode).where(ReportEpisode.report_id.in_(joined))
        for one in session.scalars(heard):
            theirs.setdefault(one.report_id, []).append(Episode(one.started_at, one.ended_at))
    mine = [Episode(one.started_at, one.ended_at) for one in episodes]
    return tuple(
        LinkedReport(
            report=other,
            is_same_kind=other.kind is report.kind,
            is_joined=other.id in joined,
            heard_together=heard_together(mine, theirs.get(other.id, [])),
        )
        for other in (found | joined).values()
    )


def _episodes(session: Session, report_id: UUID) -> tuple[ReportEpisode, ...]:
    wanted = select(ReportEpisode).where(ReportEpisode.report_id == report_id)
    return tuple(session.scalars(wanted.order_by(ReportEpisode.started_at, ReportEpisode.id)))


def _written(typed: str, refusal: str, field: str) -> str:
    if not typed.strip():
        raise Refused([Refusal("report", refusal, field)])
    return typed.strip()

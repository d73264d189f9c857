"""What an officer does with reports: look, ask, say how it stands, close with a reason, read who reported and say why.

Run in the role of the city's desk, which reads reports and not who made them.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, not_, or_, select, text
from sqlalchemy.orm import Session, aliased

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
from portal.services.reports.merge_reports import Deed, goes_under_another, merged_into, merges_of, together
from portal.services.say_why import said

REPORTERS_PAGE = "/reports/open/{token}"
READ_IDENTITY = text("SELECT * FROM confidential.read_identity(:report, :staff, :why, :moment)")
IDENTITY_READS = text("SELECT * FROM confidential.identity_reads(:report)")
WRITE_TO_REPORTER = text("SELECT confidential.write_to_reporter(:report, :letter, :page, :moment)")

SAY_WHY = "Say why you read who reported: it is written down"
SAY_REASON = "Say why it is closed: the reporter reads it"
SAY_SOMETHING = "Write what the reporter is to read"
IS_CLOSED = "This report is closed"

WAITS = Report.state.in_((ReportState.RECEIVED, ReportState.LOOKING, ReportState.WAITING))
WAITS_ALONE = and_(WAITS, ~goes_under_another())
HOW_MANY_WAIT = select(func.count()).select_from(Report).where(WAITS_ALONE)


@dataclass(frozen=True)
class LinkedReport:
    """Another report about the same place: an earlier complaint may count (90.11(A)(3))."""

    report: Report
    is_same_kind: bool
    is_joined: bool
    heard_together: tuple[Episode, ...]
    """When both households heard barking at once, if one joined the other or both are merged."""


@dataclass(frozen=True)
class ReportView:
    """A report as an officer looks at it; who made it is asked for apart."""

    report: Report
    updates: tuple[ReportUpdate, ...]
    episodes: tuple[ReportEpisode, ...]
    files: tuple[ReportFile, ...]
    linked: tuple[LinkedReport, ...]
    merged: tuple[Report, ...]
    """Reports about the same thing that go under this one: each has a reporter of its own."""
    merges: tuple[Deed, ...]

    @property
    def before(self) -> tuple[LinkedReport, ...]:
        """The others about the same place, without those about the very same thing."""
        same = {self.report.merged_into_id, *(one.id for one in self.merged)}
        return tuple(one for one in self.linked if one.report.id not in same)

    def heard_with(self, other: Report) -> int:
        """How often both households heard it at once."""
        return sum(len(one.heard_together) for one in self.linked if one.report.id == other.id)

    @property
    def under(self) -> Report | None:
        """The report that this one goes under."""
        into = self.report.merged_into_id
        return next((one.into for one in reversed(self.merges) if one.into.id == into), None)


@dataclass(frozen=True)
class OpenReport:
    """A line of the officer's queue: a report, and since when and by how many the same was reported."""

    report: Report
    since: datetime
    count: int


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
    wanted = select(Report).where(WAITS)
    if kind:
        wanted = wanted.where(Report.kind == kind)
    order = (Report.kind != Nuisance.BITE, Report.state == ReportState.WAITING, Report.created_at, Report.id)
    return list(session.scalars(wanted.order_by(*order).limit(limit)))


def reports_waiting(session: Session, *, limit: int) -> list[OpenReport]:
    """The same with those about one thing as one item, which waits since the first of them came.

    A bite is promised an answer sooner than the rest. So of bites and of the rest there are the first `limit` each:
    together they hold the `limit` that are due first, whatever was promised of either.
    """
    other = aliased(Report)
    under_it = (other.merged_into_id == Report.id, other.state != ReportState.CLOSED)
    others = select(func.count()).select_from(other).where(*under_it).scalar_subquery()
    since = func.least(Report.created_at, select(func.min(other.created_at)).where(*under_it).scalar_subquery())
    goes_first = and_(Report.kind == Nuisance.BITE, Report.state != ReportState.WAITING)
    by_time = (not_(goes_first), since, Report.id)
    of_its_sort = func.row_number().over(partition_by=Report.kind == Nuisance.BITE, order_by=by_time)
    waiting = (
        select(Report.id, since.label("since"), others.label("others"), of_its_sort.label("place"))
        .where(WAITS_ALONE)
        .subquery()
    )
    wanted = (
        select(Report, waiting.c.since, waiting.c.others)
        .join(waiting, waiting.c.id == Report.id)
        .where(waiting.c.place <= limit)
        .order_by(not_(goes_first), waiting.c.since, Report.id)
    )
    return [OpenReport(one, at, n + 1) for one, at, n in session.execute(wanted)]


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
        merged=merged_into(session, report.id),
        merges=merges_of(session, report.id),
    )


def look_into(
    session: Session, *, report_id: UUID, words: str, officer: str, clock: Clock, to_all: bool = False
) -> Report:
    """Say how it stands; the reporter reads the words, and with `to_all` each one who reported the same."""
    report, *others = _open_reports(session, report_id)
    written = said(words, "report", SAY_SOMETHING, field="words")
    for one in (report, *(others if to_all else ())):
        one.state = ReportState.LOOKING
        _say(session, one, UpdateKind.STATUS, written, officer=officer, clock=clock)
    return report


def ask_reporter(session: Session, *, report_id: UUID, question: str, officer: str, clock: Clock) -> Report:
    """Ask the reporter something; the report waits for them."""
    report = _open_report(session, report_id)
    written = said(question, "report", SAY_SOMETHING, field="question")
    report.state = ReportState.WAITING
    return _say(session, report, UpdateKind.QUESTION, written, officer=officer, clock=clock)


def close_report(session: Session, *, report_id: UUID, reason: str, officer: str, clock: Clock) -> Report:
    """Close it, and what is merged into it. There is always a reason, and each reporter reads it on their own page."""
    report, *others = _open_reports(session, report_id)
    written = said(reason, "report", SAY_REASON)
    for one in (report, *others):
        one.state = ReportState.CLOSED
        one.closed_at = clock.now()
        one.closed_reason = written
        _say(session, one, UpdateKind.CLOSED, written, officer=officer, clock=clock)
    return report


def read_identity(session: Session, *, report_id: UUID, why: str, officer: str, clock: Clock) -> ReporterIdentity:
    """Who made a report. That it was read, by whom and why, is written down in the same commit (13.055)."""
    report = _report(session, report_id)
    written = said(why, "report", SAY_WHY, field="why")
    values = {"report": report.id, "staff": officer, "why": written, "moment": clock.now()}
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


def _open_reports(session: Session, report_id: UUID) -> tuple[Report, ...]:
    """The report and the open ones that are merged into it, locked in the order of their keys."""
    wanted = select(Report).where(together(report_id)).order_by(Report.id).with_for_update()
    found = session.scalars(wanted, execution_options={"populate_existing": True}).all()
    report = next((one for one in found if one.id == report_id), None)
    if report is None:
        raise NotTheirs("There is no such report")
    if report.state is ReportState.CLOSED:
        raise Refused([Refusal("report", IS_CLOSED)])
    return report, *(one for one in found if one is not report and one.state is not ReportState.CLOSED)


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
    first, main = report.joined_report_id or report.id, report.merged_into_id or report.id
    is_theirs = or_(Report.joined_report_id == first, Report.id.in_((first, main)), Report.merged_into_id == main)
    household = select(Report).where(is_theirs, Report.id != report.id)
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
            is_joined=other.joined_report_id == first or other.id == report.joined_report_id,
            heard_together=heard_together(mine, theirs.get(other.id, [])),
        )
        for other in (found | joined).values()
    )


def _episodes(session: Session, report_id: UUID) -> tuple[ReportEpisode, ...]:
    wanted = select(ReportEpisode).where(ReportEpisode.report_id == report_id)
    return tuple(session.scalars(wanted.order_by(ReportEpisode.started_at, ReportEpisode.id)))

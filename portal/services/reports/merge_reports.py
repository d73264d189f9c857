"""Put reports about the same thing together, and take them apart again. Run in the role of the city's desk.

Each report stays its reporter's own: none of them is told of another, and each gets an answer. Only the officer's
queue has them as one. Of a merged report nothing is changed but `merged_into_id`: taking it apart puts back what was.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, exists, or_, select, update
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.nuisances import Nuisance
from portal.schema.report_merges import MergeDeed, ReportMerge
from portal.schema.reports import Report, ReportState
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import unexplained
from portal.services.secrets import read_spoken_code

MOST = 100

NO_SUCH = "There is no report with this reference"
ITSELF = "Choose another report"
IS_CLOSED = "This report is closed, so it goes under no other"
OTHER_IS_CLOSED = "That report is closed: choose one that is open"
IS_MERGED = "It is merged already. Take it apart first"
OTHER_IS_MERGED = "That one is merged into another already: go on with that other one, or take it apart first"
HAS_OTHERS = "Others are merged into this one. Merge the other report into this one, or take them apart first"
BITE_FIRST = "A bite goes before everything: merge the other report into it"
NOT_MERGED = "It is not merged"


@dataclass(frozen=True)
class Deed:
    """One line of what was merged and taken apart."""

    report: Report
    into: Report
    deed: MergeDeed
    why: str
    done_by: str
    at: datetime


def together(report_id: UUID) -> ColumnElement[bool]:
    """The rows that are decided with a report: its own, and those merged into it."""
    return or_(Report.id == report_id, Report.merged_into_id == report_id)


def goes_under_another() -> ColumnElement[bool]:
    """Whether an officer goes on with an open report instead. One that was reopened later stands for itself."""
    other = aliased(Report)
    return exists().where(other.id == Report.merged_into_id, other.state != ReportState.CLOSED)


def report_meant(session: Session, reference: str) -> Report:
    """The report whose reference an officer typed; raises Refused."""
    found = session.scalar(select(Report).where(Report.reference == read_spoken_code(reference)))
    if found is None:
        raise Refused([Refusal("report", NO_SUCH, "reference")])
    return found


def stands_in_the_way(session: Session, report: Report) -> list[Refusal]:
    """Why a report goes under no other, whichever it be."""
    reasons = []
    if report.state is ReportState.CLOSED:
        reasons.append(Refusal("report", IS_CLOSED, "into"))
    if report.merged_into_id:
        reasons.append(Refusal("report", IS_MERGED, "into"))
    if session.scalar(select(exists().where(Report.merged_into_id == report.id))):
        reasons.append(Refusal("report", HAS_OTHERS, "into"))
    return reasons


def is_apart(report: Report) -> list[Refusal]:
    """Why it can't be taken apart."""
    return [] if report.merged_into_id else [Refusal("report", NOT_MERGED)]


def merge_report(
    session: Session, *, report_id: UUID, into_id: UUID, why: str, officer: str, clock: Clock
) -> tuple[Report, Report]:
    """Go on with `into_id` for both; raises NotTheirs or Refused."""
    report, into = _both(session, report_id, into_id)
    if reasons := [*_refusals(session, report, into), *unexplained(why, "report", field="why")]:
        raise Refused(reasons)
    report.merged_into_id = into.id
    _note(session, report, into, MergeDeed.MERGED, why=why, officer=officer, clock=clock)
    return report, into


def unmerge_report(session: Session, *, report_id: UUID, why: str, officer: str, clock: Clock) -> tuple[Report, Report]:
    """Take it apart again: it waits as it did before, unless it was answered meanwhile."""
    found = session.get(Report, report_id)
    if found is None:
        raise NotTheirs("There is no such report")
    if found.merged_into_id is None:
        raise Refused(is_apart(found))
    report, into = _both(session, report_id, found.merged_into_id)
    if report.merged_into_id != into.id:
        raise Refused([Refusal("report", NOT_MERGED)])
    if reasons := unexplained(why, "report", field="why"):
        raise Refused(reasons)
    report.merged_into_id = None
    _note(session, report, into, MergeDeed.UNMERGED, why=why, officer=officer, clock=clock)
    return report, into


def merged_into(session: Session, report_id: UUID) -> tuple[Report, ...]:
    """The reports that go under this one, the oldest first."""
    wanted = select(Report).where(Report.merged_into_id == report_id).order_by(Report.created_at, Report.id)
    return tuple(session.scalars(wanted.limit(MOST)))


def may_be_merged(session: Session, report: Report) -> tuple[Report, ...]:
    """Open reports about the same place that it could go under, the oldest first."""
    same_place = Report.place_key == report.place_key
    joined = [one for one in (report.joined_report_id, report.previous_report_id) if one]
    wanted = select(Report).where(
        or_(same_place, Report.id.in_(joined), Report.joined_report_id == report.id),
        Report.id != report.id,
        Report.state != ReportState.CLOSED,
        Report.merged_into_id.is_(None),
    )
    return tuple(session.scalars(wanted.order_by(Report.created_at, Report.id).limit(MOST)))


def merges_of(session: Session, report_id: UUID) -> tuple[Deed, ...]:
    """Who merged what with it, or took it apart, when and why; oldest first."""
    into = aliased(Report)
    wanted = (
        select(ReportMerge, Report, into)
        .join(Report, Report.id == ReportMerge.report_id)
        .join(into, into.id == ReportMerge.into_report_id)
        .where(or_(ReportMerge.report_id == report_id, ReportMerge.into_report_id == report_id))
        .order_by(ReportMerge.created_at, ReportMerge.id)
        .limit(MOST)
    )
    found = session.execute(wanted)
    return tuple(Deed(one, other, row.deed, row.why, row.done_by, row.created_at) for row, one, other in found)


def _both(session: Session, report_id: UUID, into_id: UUID) -> tuple[Report, Report]:
    """Locked in the order of their keys, so that two officers who cross each other take turns."""
    wanted = select(Report).where(Report.id.in_((report_id, into_id))).order_by(Report.id).with_for_update()
    found = {one.id: one for one in session.scalars(wanted, execution_options={"populate_existing": True})}
    if report_id not in found or into_id not in found:
        raise NotTheirs("There is no such report")
    return found[report_id], found[into_id]


def _refusals(session: Session, report: Report, into: Report) -> Iterable[Refusal]:
    if report.id == into.id:
        yield Refusal("report", ITSELF, "into")
        return
    yield from stands_in_the_way(session, report)
    if into.state is ReportState.CLOSED and report.state is not ReportState.CLOSED:
        yield Refusal("report", OTHER_IS_CLOSED, "into")
    if into.merged_into_id and not report.merged_into_id:
        yield Refusal("report", OTHER_IS_MERGED, "into")
    if report.kind is Nuisance.BITE and into.kind is not Nuisance.BITE:
        yield Refusal("report", BITE_FIRST, "into")


def _note(
    session: Session, report: Report, into: Report, deed: MergeDeed, *, why: str, officer: str, clock: Clock
) -> None:
    session.add(
        ReportMerge(
            report_id=report.id,
            into_report_id=into.id,
            deed=deed,
            why=why.strip(),
            done_by=officer,
            created_at=clock.now(),
        )
    )
    session.flush()
    # Whoever has the other one open decides about more, or less, than they saw: its version has to be a new one.
    session.execute(update(Report).where(Report.id == into.id).values(changed_at=Report.changed_at))
    for one in (report, into):
        about = {"reference": report.reference, "into": into.reference}
        record_event(session, f"report.{deed.value}", one, actor=f"officer:{officer}", **about)

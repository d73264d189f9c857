"""Reports that wait for an officer (90.08, 90.10, 90.14): bites first, then the oldest."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import Report, ReportState
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.handle_report import reports_open

WAITS = (ReportState.RECEIVED, ReportState.LOOKING, ReportState.WAITING)


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [_line(report, city) for report in reports_open(session, limit=limit)]


def _line(report: Report, city: City) -> Waiting:
    is_bite = report.kind is Nuisance.BITE
    days = city.desk.urgent_days if is_bite else city.desk.answer_days
    marks = (
        "asked the reporter" if report.state is ReportState.WAITING else "",
        "look twice" if report.is_suspicious else "",
    )
    return Waiting(
        item_id=report.id,
        what=f"{report.kind.value.replace('_', ' ').capitalize()}: {report.place_text}",
        detail=f"{report.reference}, {'with a name' if report.has_identity else 'without a name'}",
        since=report.created_at,
        due_on=promised(report.created_at, days, city=city),
        mark=", ".join(mark for mark in marks if mark),
        is_first=is_bite and report.state is not ReportState.WAITING,
    )


def _count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Report).where(Report.state.in_(WAITS))) or 0


REPORTS = Queue("report", "Reports", StaffRole.OFFICER, _find, _count)

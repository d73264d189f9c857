"""Reports that wait for an officer (90.08, 90.10, 90.14): bites first, then what is due first."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import ReportState
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, place_in_queue, promised
from portal.services.reports.handle_report import HOW_MANY_WAIT, OpenReport, reports_waiting


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    lines = [_line(found, city) for found in reports_waiting(session, limit=limit)]
    return sorted(lines, key=place_in_queue)[:limit]


def _line(found: OpenReport, city: City) -> Waiting:
    report = found.report
    is_bite = report.kind is Nuisance.BITE
    days = city.desk.urgent_days if is_bite else city.desk.answer_days
    marks = (
        f"{found.count} reports" if found.count > 1 else "",
        "asked the reporter" if report.state is ReportState.WAITING else "",
        "look twice" if report.is_suspicious else "",
    )
    return Waiting(
        item_id=report.id,
        what=f"{report.kind.value.replace('_', ' ').capitalize()}: {report.place_text}",
        detail=f"{report.reference}, {'with a name' if report.has_identity else 'without a name'}",
        since=found.since,
        due_on=promised(found.since, days, city=city),
        mark=", ".join(mark for mark in marks if mark),
        is_first=is_bite and report.state is not ReportState.WAITING,
    )


REPORTS = Queue("report", "Reports", StaffRole.OFFICER, _find, HOW_MANY_WAIT)

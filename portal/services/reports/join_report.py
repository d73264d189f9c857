"""Another household joins a report by a code. Neither sees the other's; only an officer sees both (90.11(A))."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.nuisances import Nuisance
from portal.schema.confidential import ReportInvitation
from portal.services.refusal import Refused
from portal.services.reports.follow_report import WAY, WayIn, my_report
from portal.services.reports.rows import add_row, tell_city
from portal.services.secrets import read_spoken_code, spoken_code, token_hash

CODE_LENGTH = 16
INVITATION_LASTS = timedelta(days=30)
INVITED_TO = text("SELECT confidential.invited_to(:code, :moment)")
JOIN_INVITED = text(f"SELECT confidential.join_invited({WAY}, :report, :code)")

IS_CLOSED = "This report is closed: nobody can join it"


def invite_household(session: Session, way: WayIn, *, report_id: UUID, clock: Clock) -> str:
    """A code to pass on by word of mouth or on paper. Shown once; raises NotTheirs, and Refused for a closed report."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    if not report.is_open:
        raise Refused([Refusal("report", IS_CLOSED)])
    code = spoken_code(CODE_LENGTH)
    now = clock.now()
    add_row(
        session,
        ReportInvitation,
        code_hash=token_hash(code),
        report_id=report.id,
        expires_at=now + INVITATION_LASTS,
        created_at=now,
    )
    return code


def invited_to(session: Session, *, code: str, clock: Clock) -> Nuisance | None:
    """What kind of report a code joins, and nothing more: neither where nor by whom. None for a wrong or old code."""
    kind = session.scalar(INVITED_TO, {"code": _hash(code), "moment": clock.now()})
    return Nuisance(kind) if kind else None


def join_report(session: Session, way: WayIn, *, report_id: UUID, code: str, clock: Clock) -> bool:
    """Join a report of one's own to another household's; False for a wrong or old code, or one's own report's."""
    joined = session.scalar(JOIN_INVITED, way.values(clock) | {"report": report_id, "code": _hash(code)})
    if joined:
        tell_city(session, "report.joined", report_id)
    return bool(joined)


def _hash(code: str) -> str:
    return token_hash(read_spoken_code(code))

"""Other software sends a report for somebody (Open311): it gets an id that tells how the report stands, and no more."""

import hashlib
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.confidential import LinkPurpose
from portal.services.reports.add_to_report import open_for
from portal.services.reports.answers import ReportAnswers
from portal.services.reports.file_report import Sender, file_report
from portal.services.reports.follow_report import WayIn
from portal.services.secrets import derived_token, new_token


def sending_key(sender: UUID, said: str) -> UUID:
    """The key of a sending: what the same sender says again in the same words is the same report (R1)."""
    written = sender.bytes + said.encode("utf-8", "surrogatepass")
    return UUID(bytes=hashlib.sha256(written).digest()[:16], version=4)


def report_by_software(
    session: Session, answers: ReportAnswers, sender: Sender, *, key: UUID, secret_key: str, city: City, clock: Clock
) -> str:
    """Take the report and give its id. Sent again under the same key it gives the same id; raises Refused.

    The link that would open the report to its reader is told to nobody: the software is not the reporter.
    """
    link, told = new_token(), derived_token(f"report status {key}", key=secret_key)
    filed = file_report(session, answers, sender, key=key, token=link, city=city, clock=clock)
    way = WayIn(link=link)
    open_for(session, way, report_id=filed.report_id, token=told, clock=clock, purpose=LinkPurpose.STATUS)
    return told

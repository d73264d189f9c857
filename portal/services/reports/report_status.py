"""How a report stands, as other software is told (Open311): kind and state, never words, place or person.

Whoever holds the link of a report may ask about it. Of all others only those are told that accuse nobody: dead and
stray animals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import ReportState
from portal.services.secrets import token_hash

STATUS_BY_LINK = text("SELECT * FROM confidential.status_by_link(:link)")
STATUSES_BY_LINK = text(
    "SELECT asked.link, told.* FROM unnest(CAST(:links AS text[])) AS asked(link), "
    "LATERAL confidential.status_by_link(asked.link) AS told"
)
ONE_ACCUSING_NOBODY = text("SELECT * FROM confidential.status_accusing_nobody(:reference)")
ACCUSING_NOBODY = text("SELECT * FROM confidential.reports_accusing_nobody(:since, :until)")


@dataclass(frozen=True)
class ReportStatus:
    """All that is told of a report."""

    kind: Nuisance
    state: ReportState
    closed_reason: str | None
    changed_at: datetime
    created_at: datetime
    reference: str | None = None


def status_by_link(session: Session, *, token: str) -> ReportStatus | None:
    """What the software that sent a report may ask; None for an id that is none."""
    row = session.execute(STATUS_BY_LINK, {"link": token_hash(token)}).mappings().first()
    return _status(row) if row else None


def statuses_by_link(session: Session, *, tokens: Sequence[str]) -> dict[str, ReportStatus]:
    """The same for several ids at once; one that is none is left out."""
    by_hash = {token_hash(token): token for token in tokens}
    found = session.execute(STATUSES_BY_LINK, {"links": list(by_hash)}).mappings()
    return {by_hash[row["link"]]: _status(row) for row in found}


def status_accusing_nobody(session: Session, *, reference: str) -> ReportStatus | None:
    """A dead or stray animal by its reference, as the list shows it; None for any other report, and for none."""
    row = session.execute(ONE_ACCUSING_NOBODY, {"reference": reference}).mappings().first()
    return _status(row) if row else None


def reports_accusing_nobody(session: Session, *, since: datetime, until: datetime) -> list[ReportStatus]:
    """Dead and stray animals, newest first: all that any public list may hold."""
    values = {"since": since, "until": until}
    return [_status(row) for row in session.execute(ACCUSING_NOBODY, values).mappings()]


def _status(row: RowMapping) -> ReportStatus:
    return ReportStatus(
        kind=Nuisance(row["kind"]),
        state=ReportState(row["state"]),
        closed_reason=row["closed_reason"],
        changed_at=row["changed_at"],
        created_at=row["created_at"],
        reference=row.get("reference"),
    )

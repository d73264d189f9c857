"""What the portal holds about the reports that a person sent with their sign-in, to read and to take away.

The database's functions answer only to the live sign-in itself, so that nobody's download tells of a report by others.
Who they said they are is confidential data, which not even its subject gets here (Minn. Stat. 13.44, 13.02 subd. 3).
"""

from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.services.reports.follow_report import WAY, WayIn

Entry = dict[str, Any]

_MINE = f"confidential.my_reports({WAY}) AS mine"
_REPORTS = text(
    "SELECT reference, kind, state, closed_reason, happened_at, happened_text, "  # noqa: S608 - ours
    "place_text AS place, animal_description AS animal, whose_text AS whose, is_going_on, is_again, details, "
    f"narrative, has_identity, asked_not_public_at, changed_at, created_at FROM {_MINE} ORDER BY created_at"
)
_UPDATES = text(
    "SELECT mine.reference, told.by, told.kind, told.text, told.happened_at, told.details, told.created_at "  # noqa: S608 - ours
    f"FROM {_MINE}, LATERAL confidential.my_updates({WAY}, mine.id) AS told ORDER BY told.created_at"
)
_EPISODES = text(
    "SELECT mine.reference, heard.started_at, heard.ended_at, heard.source, "  # noqa: S608 - ours
    "heard.is_backdated, heard.heard_from "
    f"FROM {_MINE}, LATERAL confidential.my_episodes({WAY}, mine.id) AS heard ORDER BY heard.started_at"
)
_FILES = text(
    "SELECT mine.reference, sent.kind, sent.original_name, sent.media_type, "  # noqa: S608 - ours
    "sent.size_bytes, sent.created_at "
    f"FROM {_MINE}, LATERAL confidential.my_files({WAY}, mine.id) AS sent ORDER BY sent.created_at"
)
REPORTED = {
    "reports_sent": _REPORTS,
    "told_on_reports": _UPDATES,
    "barking_logged": _EPISODES,
    "files_of_reports": _FILES,
}


def my_report_data(session: Session, way: WayIn, *, clock: Clock) -> dict[str, list[Entry]]:
    """By subject, what is held; four statements, however many reports."""
    values = way.values(clock)
    return {
        subject: [dict(row) for row in session.execute(held, values).mappings()] for subject, held in REPORTED.items()
    }

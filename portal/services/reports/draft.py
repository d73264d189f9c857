"""A report that is not sent yet, kept behind the wall too and found by the browser's secret alone (F1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.services.plain_values import plain_values
from portal.services.reports.answers import FileAnswers, files_of, plain_files
from portal.services.secrets import token_hash

DRAFT_LASTS = timedelta(days=7)
KEEP_DRAFT = text(
    "SELECT confidential.keep_draft(:draft, CAST(:answers AS jsonb), CAST(:files AS jsonb), :moment, :until)"
)
READ_DRAFT = text("SELECT answers, files FROM confidential.read_draft(:draft, :moment)")
DROP_DRAFT = text("SELECT confidential.drop_draft(:draft)")


@dataclass(frozen=True)
class ReportDraft:
    """Answers so far, by step, as plain values; and the files that are in the store."""

    answers: Mapping[str, Any]
    files: tuple[FileAnswers, ...] = ()


def keep_draft(session: Session, *, token: str, draft: ReportDraft, clock: Clock) -> None:
    """Keep the answers so far for a week from now; `token` is the browser's secret."""
    now = clock.now()
    values = {
        "draft": token_hash(token),
        "answers": plain_values().dumps(dict(draft.answers)),
        "files": plain_values().dumps(plain_files(draft.files)),
        "moment": now,
        "until": now + DRAFT_LASTS,
    }
    session.execute(KEEP_DRAFT, values)


def read_draft(session: Session, *, token: str, clock: Clock) -> ReportDraft | None:
    """The answers so far; None when there are none, or when they are too old."""
    row = session.execute(READ_DRAFT, {"draft": token_hash(token), "moment": clock.now()}).mappings().first()
    return ReportDraft(row["answers"], files_of(row["files"])) if row else None


def drop_draft(session: Session, *, token: str) -> None:
    """Forget it: it was sent, or given up."""
    session.execute(DROP_DRAFT, {"draft": token_hash(token)})

"""Rows of reports as the portal adds them: nothing is read back, for it may read nothing there (13.44)."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.base import Base
from portal.schema.confidential import LinkPurpose, ReportLink
from portal.schema.reports import Report, ReportEpisode, ReportFile, ReportUpdate, UpdateBy, UpdateKind
from portal.services.folding import folded, folded_address
from portal.services.record_event import record_event_about
from portal.services.reports.answers import EpisodeAnswers, FileAnswers
from portal.services.secrets import SPOKEN, token_hash

REPORTER = "reporter"


def derived_key(key: UUID, what: str) -> UUID:
    """A key of ours from the key a form carried: the same form gives the same, and nobody gets back from it."""
    return UUID(bytes=_digest(key, what)[:16], version=4)


def derived_reference(key: UUID) -> str:
    """Twelve letters and digits, sixty bits, from the key of the form: both replies to one form show the same (R1)."""
    number = int.from_bytes(_digest(key, "reference")[:8], "big") >> 4
    characters = "".join(SPOKEN[number >> 5 * place & 31] for place in range(12))
    return "-".join(characters[start : start + 4] for start in (0, 4, 8))


def place_key(typed: str, city: City) -> str:
    """A place folded for comparing; the city, the state and the ZIP code at its end are left out."""
    words = folded_address(typed).split()
    here = {*folded(city.short_name).split(), city.zip_code, folded(city.state), "mn"}
    while len(words) > 1 and words[-1] in here:
        words.pop()
    return " ".join(words)


def add_row(session: Session, model: type[Base], **values: Any) -> bool:
    """Add a row and read nothing back; False when a row with its key is there."""
    added = insert(model).values(**values).on_conflict_do_nothing().inline()
    counted = added.execution_options(preserve_rowcount=True)
    return session.connection().execute(counted).rowcount == 1


def add_link(
    session: Session, report_id: UUID, token: str, *, at: datetime, purpose: LinkPurpose = LinkPurpose.FOLLOW
) -> None:
    """Whoever holds `token` gets as far as its purpose says."""
    add_row(
        session, ReportLink, token_hash=token_hash(token), report_id=report_id, purpose=purpose.value, created_at=at
    )


def add_update(
    session: Session,
    report_id: UUID,
    kind: UpdateKind,
    text: str,
    *,
    key: UUID,
    at: datetime,
    happened_at: datetime | None = None,
    details: dict[str, Any] | None = None,
) -> bool:
    """Note what the reporter said; False when it was said already under this key."""
    return add_row(
        session,
        ReportUpdate,
        id=key,
        report_id=report_id,
        by=UpdateBy.REPORTER,
        kind=kind,
        text=text,
        happened_at=happened_at,
        details=details or {},
        created_at=at,
    )


def add_episodes(session: Session, report_id: UUID, episodes: Iterable[EpisodeAnswers], *, at: datetime) -> None:
    """Note entries of a log, all in one statement; one that is there already stays as it is."""
    rows = [
        {
            "id": derived_key(one.id, str(report_id)),
            "report_id": report_id,
            "started_at": one.started_at,
            "ended_at": one.ended_at,
            "source": one.source,
            "is_backdated": one.is_backdated,
            "heard_from": one.heard_from,
            "created_at": at,
        }
        for one in episodes
    ]
    if rows:
        session.connection().execute(insert(ReportEpisode).values(rows).on_conflict_do_nothing().inline())


def add_files(
    session: Session, report_id: UUID, files: Iterable[FileAnswers], *, at: datetime, update_id: UUID | None = None
) -> None:
    """Note files that are in the store, all in one statement."""
    rows = [
        {
            "id": derived_key(one.id, str(report_id)),
            "report_id": report_id,
            "update_id": update_id,
            "kind": one.kind,
            "key": one.key,
            "thumbnail_key": one.thumbnail_key,
            "original_name": one.original_name,
            "media_type": one.media_type,
            "size_bytes": one.size_bytes,
            "created_at": at,
        }
        for one in files
    ]
    if rows:
        session.connection().execute(insert(ReportFile).values(rows).on_conflict_do_nothing().inline())


def tell_city(session: Session, what: str, report_id: UUID, /, **detail: Any) -> None:
    """An event about a report, for the city's software: a reference and a kind, never who."""
    record_event_about(session, what, Report.__tablename__, report_id, actor=REPORTER, **detail)


def _digest(key: UUID, what: str) -> bytes:
    return hashlib.sha256(f"report {what} ".encode() + key.bytes).digest()

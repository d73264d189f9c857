"""What does not agree, noted for a person: once each, gone by itself when it agrees again."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, case, or_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.operating import Finding, FindingKind
from portal.services.record_event import record_event
from portal.services.refusal import ChangedMeanwhile, NotTheirs
from portal.services.say_why import said


@dataclass(frozen=True)
class Found:
    """One thing that does not agree, and since when. The facts are counts and keys, of no person."""

    subject: str
    since: datetime
    facts: dict[str, Any] = field(default_factory=dict)


def note_found(session: Session, kind: FindingKind, found: Found) -> None:
    """Found again it is the same finding; found again after it was mended, it is open anew.

    What staff said is dealt with stays so while it lasts. A row is written only where something about it is new, so
    that whoever has it open at the desk is not told that somebody else was quicker.
    """
    noted = insert(Finding).values(kind=kind, subject=found.subject, since=found.since, facts=found.facts)
    is_back, is_open = Finding.mended_at.is_not(None), Finding.resolved_at.is_(None)
    session.execute(
        noted.on_conflict_do_update(
            index_elements=[Finding.kind, Finding.subject],
            set_={
                "facts": noted.excluded.facts,
                "since": case((is_back, noted.excluded.since), else_=Finding.since),
                "mended_at": None,
                "resolved_by": case((is_back, None), else_=Finding.resolved_by),
                "resolved_at": case((is_back, None), else_=Finding.resolved_at),
                "reason": case((is_back, None), else_=Finding.reason),
            },
            where=or_(is_back, and_(is_open, Finding.facts.is_distinct_from(noted.excluded.facts))),
        )
    )


def note_mended(session: Session, kind: FindingKind, *, still: Collection[str], clock: Clock) -> None:
    """All of a kind that were not found again agree now."""
    gone = update(Finding).where(Finding.kind == kind, Finding.mended_at.is_(None), Finding.subject.not_in(list(still)))
    session.execute(gone.values(mended_at=clock.now()), execution_options={"synchronize_session": False})


def resolve_finding(session: Session, *, finding_id: UUID, reason: str, officer: str, clock: Clock) -> None:
    """Somebody looked at it and says why it is dealt with, although it does not agree."""
    finding = session.get(Finding, finding_id, with_for_update=True)
    if finding is None:
        raise NotTheirs("There is no such finding")
    if finding.mended_at or finding.resolved_at:
        raise ChangedMeanwhile(Finding.__tablename__)
    finding.reason = said(reason, "90.03", "Say what was done about it")
    finding.resolved_by, finding.resolved_at = officer, clock.now()
    session.flush()
    record_event(session, "finding.resolved", finding, actor=f"officer:{officer}", what=finding.kind.value)

"""A report as its reporter sees it: by its private link, or by their own sign-in (13.44).

The portal can't read the tables of reports. It asks functions of the database, which answer only to whoever holds the
link or the sign-in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, TextClause, text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.barking import Episode
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import EpisodeSource, ReportFileKind, ReportState, UpdateBy, UpdateKind
from portal.services.refusal import NotTheirs
from portal.services.reports.answers import Details, details_of
from portal.services.secrets import token_hash

REOPENS_FOR = timedelta(days=30)
WAY = "CAST(:link AS text), CAST(:sign_in AS text), CAST(:moment AS timestamptz)"
MY_REPORTS = text(f"SELECT * FROM confidential.my_reports({WAY}) LIMIT 200")  # noqa: S608 - ours
BY_ID = text(f"SELECT * FROM confidential.my_reports({WAY}) WHERE id = :id")  # noqa: S608 - ours
BY_REFERENCE = text(f"SELECT * FROM confidential.my_reports({WAY}) WHERE reference = :reference")  # noqa: S608 - ours
SAME_MATTER = text(
    f"SELECT * FROM confidential.my_reports({WAY}) WHERE kind = :kind AND place_key = :place_key"  # noqa: S608 - ours
)
MY_UPDATES = text(f"SELECT * FROM confidential.my_updates({WAY}, :report)")  # noqa: S608 - ours
MY_EPISODES = text(f"SELECT * FROM confidential.my_episodes({WAY}, :report)")  # noqa: S608 - ours
MY_FILES = text(f"SELECT * FROM confidential.my_files({WAY}, :report)")  # noqa: S608 - ours


@dataclass(frozen=True)
class WayIn:
    """What opens a report: the token of its private link, that of the browser's sign-in, or either."""

    link: str | None = None
    sign_in: str | None = None

    def values(self, clock: Clock) -> dict[str, Any]:
        """As the database's functions take it."""
        link = token_hash(self.link) if self.link else None
        return {"link": link, "sign_in": self.sign_in or None, "moment": clock.now()}


@dataclass(frozen=True)
class MyReport:
    """A report as its reporter reads it."""

    id: UUID
    reference: str
    kind: Nuisance
    state: ReportState
    closed_reason: str | None
    closed_at: datetime | None
    reopened_at: datetime | None
    happened_at: datetime | None
    happened_text: str | None
    place: str
    place_key: str
    is_outside_city: bool
    animal: str
    whose: str
    is_going_on: bool | None
    is_again: bool | None
    details: Details
    narrative: str
    has_identity: bool
    asked_not_public_at: datetime | None
    changed_at: datetime
    created_at: datetime

    @property
    def is_open(self) -> bool:
        return self.state is not ReportState.CLOSED

    @property
    def waits_for_reporter(self) -> bool:
        """Who acts next: the reporter, who was asked something; or an officer, while it is open."""
        return self.state is ReportState.WAITING

    def may_reopen(self, *, clock: Clock) -> bool:
        """Within 30 days of its closing."""
        return self.closed_at is not None and self.closed_at >= clock.now() - REOPENS_FOR


@dataclass(frozen=True)
class MyUpdate:
    """Something said or done on a report."""

    id: UUID
    by: UpdateBy
    kind: UpdateKind
    text: str
    happened_at: datetime | None
    details: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True)
class MyEpisode:
    """One entry of a barking log."""

    id: UUID
    started_at: datetime
    ended_at: datetime
    source: EpisodeSource
    is_backdated: bool
    heard_from: str | None
    created_at: datetime

    @property
    def heard(self) -> Episode:
        """As the ordinance counts it."""
        return Episode(self.started_at, self.ended_at)


@dataclass(frozen=True)
class MyFile:
    """A file that came with a report."""

    id: UUID
    update_id: UUID | None
    kind: ReportFileKind
    key: str
    thumbnail_key: str | None
    original_name: str
    media_type: str
    size_bytes: int
    created_at: datetime


@dataclass(frozen=True)
class WholeReport:
    """A report with all that belongs to it, oldest first."""

    report: MyReport
    updates: tuple[MyUpdate, ...]
    episodes: tuple[MyEpisode, ...]
    files: tuple[MyFile, ...]

    @property
    def question(self) -> MyUpdate | None:
        """What the officer asked last, while it waits for its answer."""
        asked = [update for update in self.updates if update.kind is UpdateKind.QUESTION]
        return asked[-1] if asked and self.report.waits_for_reporter else None

    def file(self, file_id: UUID) -> MyFile:
        """One of its files; raises NotTheirs."""
        found = next((file for file in self.files if file.id == file_id), None)
        if found is None:
            raise NotTheirs("No such file")
        return found


def my_reports(session: Session, way: WayIn, *, clock: Clock) -> list[MyReport]:
    """The reports that this link or sign-in opens, newest first. A wrong or ended one opens none."""
    return [_report(row) for row in session.execute(MY_REPORTS, way.values(clock)).mappings()]


def my_report(session: Session, way: WayIn, *, report_id: UUID, clock: Clock) -> MyReport:
    """One of them; raises NotTheirs."""
    return _one(session, BY_ID, way.values(clock) | {"id": report_id})


def my_report_called(session: Session, way: WayIn, *, reference: str, clock: Clock) -> MyReport:
    """One of them by its reference; raises NotTheirs."""
    return _one(session, BY_REFERENCE, way.values(clock) | {"reference": reference})


def my_reports_of(session: Session, way: WayIn, *, kind: Nuisance, place_key: str, clock: Clock) -> list[MyReport]:
    """Those of the same kind about the same place, newest first."""
    values = way.values(clock) | {"kind": kind.value, "place_key": place_key}
    return [_report(row) for row in _rows(session, SAME_MATTER, values)]


def whole_report(session: Session, way: WayIn, *, reference: str, clock: Clock) -> WholeReport:
    """One of them with all that belongs to it, in four statements; raises NotTheirs."""
    report = my_report_called(session, way, reference=reference, clock=clock)
    values = way.values(clock) | {"report": report.id}
    return WholeReport(
        report=report,
        updates=tuple(_update(row) for row in _rows(session, MY_UPDATES, values)),
        episodes=tuple(_episode(row) for row in _rows(session, MY_EPISODES, values)),
        files=tuple(_file(row) for row in _rows(session, MY_FILES, values)),
    )


def came_before(session: Session, way: WayIn, report: MyReport, update_id: UUID, *, clock: Clock) -> bool:
    """Whether this form came already and only its reply was lost (R1): then nothing about it is refused."""
    said = _rows(session, MY_UPDATES, way.values(clock) | {"report": report.id})
    return any(row["id"] == update_id for row in said)


def _rows(session: Session, statement: TextClause, values: dict[str, Any]) -> Sequence[RowMapping]:
    return session.execute(statement, values).mappings().all()


def _one(session: Session, statement: TextClause, values: dict[str, Any]) -> MyReport:
    row = session.execute(statement, values).mappings().first()
    if row is None:
        raise NotTheirs("No such report")
    return _report(row)


def _report(row: RowMapping) -> MyReport:
    kind = Nuisance(row["kind"])
    return MyReport(
        id=row["id"],
        reference=row["reference"],
        kind=kind,
        state=ReportState(row["state"]),
        closed_reason=row["closed_reason"],
        closed_at=row["closed_at"],
        reopened_at=row["reopened_at"],
        happened_at=row["happened_at"],
        happened_text=row["happened_text"],
        place=row["place_text"],
        place_key=row["place_key"],
        is_outside_city=row["is_outside_city"],
        animal=row["animal_description"],
        whose=row["whose_text"],
        is_going_on=row["is_going_on"],
        is_again=row["is_again"],
        details=details_of(kind, row["details"]),
        narrative=row["narrative"],
        has_identity=row["has_identity"],
        asked_not_public_at=row["asked_not_public_at"],
        changed_at=row["changed_at"],
        created_at=row["created_at"],
    )


def _update(row: RowMapping) -> MyUpdate:
    words = {"by": UpdateBy(row["by"]), "kind": UpdateKind(row["kind"])}
    return MyUpdate(**{**row, **words})


def _episode(row: RowMapping) -> MyEpisode:
    return MyEpisode(**{**row, "source": EpisodeSource(row["source"])})


def _file(row: RowMapping) -> MyFile:
    return MyFile(**{**row, "kind": ReportFileKind(row["kind"])})

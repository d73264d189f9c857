"""Files that had to wait for the scanner: who may be given one, what the scanner said later, and what the desk does.

The key says that a file waited; a row says what came of it. Without a row nobody is given the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import and_, func, select, text, union, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.confidential import ReportDraft
from portal.schema.documents import Document, DocumentPage
from portal.schema.drafts import Upload
from portal.schema.reports import Report, ReportFile
from portal.schema.scans import FileScan, Verdict
from portal.services.files.scan_file import UNSCANNED
from portal.services.record_event import record_event_about
from portal.services.refusal import ChangedMeanwhile, NotTheirs

SENT = "a file that was not sent in the end"
LONGEST_NAME = 200
# Written out, so that the small indexes of such files serve.
WAITED = text("starts_with(original_key, 'unscanned/')")
# The names are hexadecimal: in any collation they lie between these two, and a plain index serves.
FIRST, LAST = f"{UNSCANNED}/", f"{UNSCANNED}/g"
# Where files are mentioned that are kept as they came. Of what is not sent yet there is little.
KEPT_AS_SENT = union(
    select(Document.original_key).where(WAITED),
    select(DocumentPage.original_key).where(WAITED),
    select(ReportFile.key).where(ReportFile.key.between(FIRST, LAST)),
    select(Upload.original_key),
    select(func.jsonb_array_elements(Upload.pages).op("->>")("original_key")),
    select(func.jsonb_array_elements(ReportDraft.files).op("->>")("key")),
)
IS_OPEN = and_(FileScan.verdict == Verdict.INFECTED, FileScan.handled_at.is_(None))
HOW_MANY_INFECTED = select(func.count()).select_from(FileScan).where(IS_OPEN)


class HeldBack(Exception):
    """The file is given to nobody; `is_infected`, or it waits for the scanner still."""

    def __init__(self, *, is_infected: bool) -> None:
        super().__init__("infected" if is_infected else "not scanned yet")
        self.is_infected = is_infected


class Hold(StrEnum):
    """Why a file is given to nobody."""

    WAITS = "waits"
    INFECTED = "infected"


@dataclass(frozen=True)
class InfectedFile:
    """A file in which the scanner found something after it was kept."""

    id: UUID
    found: str
    scanned_at: datetime
    handled_by: str | None
    name: str
    belongs_to: str


def check_clear(session: Session, key: str) -> None:
    """Raises HeldBack for a file that nobody may be given."""
    if hold := holds(session, [key]).get(key):
        raise HeldBack(is_infected=hold is Hold.INFECTED)


def holds(session: Session, keys: Iterable[str]) -> dict[str, Hold]:
    """Those of the keys whose files are given to nobody, and why."""
    waited = [key for key in keys if key.startswith(f"{UNSCANNED}/")]
    if not waited:
        return {}
    verdicts = select(FileScan.key, FileScan.verdict).where(FileScan.key.in_(waited))
    known: dict[str, Verdict] = {row.key: row.verdict for row in session.execute(verdicts)}
    said = {None: Hold.WAITS, Verdict.INFECTED: Hold.INFECTED}
    return {key: said[known.get(key)] for key in waited if known.get(key) is not Verdict.CLEAN}


def files_to_scan(session: Session) -> list[str]:
    """Those that rows mention and of which nothing was said yet."""
    key = KEPT_AS_SENT.subquery().c[0]
    is_known = select(FileScan.key).where(FileScan.key == key).exists()
    return list(session.scalars(select(key).where(func.starts_with(key, FIRST), ~is_known).order_by(key)))


def note_scan(session: Session, key: str, found: str | None, *, clock: Clock) -> None:
    """What the scanner said; two workers at once say it once."""
    said = insert(FileScan).values(
        key=key,
        verdict=Verdict.INFECTED if found else Verdict.CLEAN,
        found=found[:LONGEST_NAME] if found else None,
        scanned_at=clock.now(),
    )
    session.execute(said.on_conflict_do_nothing(index_elements=[FileScan.key]))


def infected_files(session: Session, *, limit: int) -> list[FileScan]:
    """Those nobody has dealt with, oldest first."""
    wanted = select(FileScan).where(IS_OPEN).order_by(FileScan.scanned_at, FileScan.key).limit(limit)
    return list(session.scalars(wanted))


def infected_file(session: Session, file_id: UUID) -> InfectedFile:
    """One of them, and what it was sent with."""
    scan = session.get(FileScan, _key(file_id))
    if scan is None or scan.verdict is not Verdict.INFECTED:
        raise NotTheirs("There is no such file")
    name, belongs_to = _sent_with(session, scan.key)
    return InfectedFile(file_id, scan.found or "", scan.scanned_at, scan.handled_by, name, belongs_to)


def handle_infected(session: Session, *, file_id: UUID, officer: str, clock: Clock) -> None:
    """Somebody told the sender, or found that nobody need be told. The file stays closed."""
    this_one = update(FileScan).where(FileScan.key == _key(file_id), IS_OPEN)
    handled = this_one.values(handled_by=officer, handled_at=clock.now())
    if session.scalar(handled.returning(FileScan.key)) is None:
        raise ChangedMeanwhile("file_scan")
    record_event_about(session, "file.handled", "file_scan", file_id, actor=f"officer:{officer}")


def id_of(key: str) -> UUID:
    """The random part of a key, which is as long as an id."""
    return UUID(hex=key.rpartition("/")[2])


def _key(file_id: UUID) -> str:
    return f"{UNSCANNED}/{file_id.hex[:2]}/{file_id.hex}"


def _sent_with(session: Session, key: str) -> tuple[str, str]:
    """The sender's name of the file, and what it belongs to."""
    report = select(ReportFile.original_name, Report.reference).join(Report, Report.id == ReportFile.report_id)
    if found := session.execute(report.where(ReportFile.key == key)).first():
        return found[0], f"report {found[1]}"
    alone = select(Document.id).where(Document.original_key == key, WAITED)
    page = select(DocumentPage.document_id).where(DocumentPage.original_key == key, WAITED)
    of_document = select(Document.original_name, Document.kind).where(Document.id.in_(alone.union(page)))
    if found := session.execute(of_document).first():
        return found[0], found[1].value.replace("_", " ")
    return SENT, "nothing"

"""What a clinic sees of its own filings. It never learns whether an animal or its owner is known here (90.04(D)(2)).

Received, waiting and filed are one word to it; no date and no other sign tells them apart.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, select, tuple_
from sqlalchemy.orm import Session

from portal.schema.clinics import ClinicFiling, FilingChannel, FilingState
from portal.schema.documents import Document, DocumentPage
from portal.services.refusal import NotTheirs

PAGE_ROWS = 50
REMEMBERED_ROWS = 200
MOST_OFFERED = 20


class Told(StrEnum):
    """Where a filing stands in the clinic's words."""

    TO_FILL_IN = "to_fill_in"
    RECEIVED = "received"
    SENT_BACK = "sent_back"
    WITHDRAWN = "withdrawn"


TOLD = {
    FilingState.UNREAD: Told.TO_FILL_IN,
    FilingState.WAITING: Told.RECEIVED,
    FilingState.UNSURE: Told.RECEIVED,
    FilingState.FILED: Told.RECEIVED,
    FilingState.SENT_BACK: Told.SENT_BACK,
    FilingState.WITHDRAWN: Told.WITHDRAWN,
}


@dataclass(frozen=True)
class FilingTold:
    """One line of the clinic's list."""

    id: UUID
    told: Told
    sent_at: datetime
    filed_by: str
    owner_name: str
    animal_name: str
    given_on: date | None
    due_on: date | None
    rabies_tag: str | None
    reason: str | None
    file_name: str | None

    @property
    def reference(self) -> str:
        """What the clinic quotes on the phone."""
        return reference(self.id)


@dataclass(frozen=True)
class Wanted:
    """What of the list is asked for; `after` is the last filing of the page before."""

    told: Told | None = None
    words: str = ""
    after: UUID | None = None


@dataclass(frozen=True)
class FilingsPage:
    """Filings newest first, and where the next page begins."""

    filings: tuple[FilingTold, ...]
    next_after: UUID | None


@dataclass(frozen=True)
class Remembered:
    """What this clinic wrote last, offered again: lists to choose from, and what was typed last, if anything was."""

    veterinarians: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    manufacturers: tuple[str, ...] = ()
    lots: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    last: ClinicFiling | None = None


def reference(filing_id: UUID) -> str:
    """The beginning of a filing's key, easy to read aloud."""
    digits = filing_id.hex[:8].upper()
    return f"{digits[:4]}-{digits[4:]}"


def filings_of(session: Session, *, clinic_id: UUID, wanted: Wanted) -> FilingsPage:
    """One page of the clinic's own filings."""
    mine = (
        select(ClinicFiling, Document.original_name)
        .outerjoin(Document, Document.id == ClinicFiling.document_id)
        .where(ClinicFiling.clinic_id == clinic_id)
        .order_by(ClinicFiling.created_at.desc(), ClinicFiling.id.desc())
        .limit(PAGE_ROWS + 1)
    )
    if wanted.told is not None:
        mine = mine.where(ClinicFiling.state.in_([state for state, told in TOLD.items() if told is wanted.told]))
    if wanted.words:
        mine = mine.where(_mentions(wanted.words))
    if wanted.after is not None:
        last = select(ClinicFiling.created_at, ClinicFiling.id).where(
            ClinicFiling.id == wanted.after, ClinicFiling.clinic_id == clinic_id
        )
        mine = mine.where(tuple_(ClinicFiling.created_at, ClinicFiling.id) < last.scalar_subquery())
    found = session.execute(mine).all()
    shown = tuple(told(filing, name) for filing, name in found[:PAGE_ROWS])
    return FilingsPage(shown, shown[-1].id if len(found) > PAGE_ROWS else None)


def told(filing: ClinicFiling, file_name: str | None) -> FilingTold:
    """A filing as its clinic may see it."""
    state = TOLD[filing.state]
    return FilingTold(
        id=filing.id,
        told=state,
        sent_at=filing.created_at,
        filed_by=filing.filed_by,
        owner_name=filing.owner_name,
        animal_name=filing.animal_name,
        given_on=filing.given_on,
        due_on=filing.certificate_due_on,
        rabies_tag=filing.rabies_tag,
        reason=filing.decision_reason if state in (Told.SENT_BACK, Told.WITHDRAWN) else None,
        file_name=file_name,
    )


def filing_of(session: Session, *, clinic_id: UUID, filing_id: UUID, lock: bool = False) -> ClinicFiling:
    """A clinic's own filing; anybody else's does not exist for it."""
    mine = select(ClinicFiling).where(ClinicFiling.id == filing_id, ClinicFiling.clinic_id == clinic_id)
    filing = session.scalar(mine.with_for_update() if lock else mine)
    if filing is None:
        raise NotTheirs("No such filing")
    return filing


def pages_of(session: Session, filing: ClinicFiling) -> list[DocumentPage]:
    """The pages of its file, if it came as one."""
    if filing.document_id is None:
        return []
    pages = select(DocumentPage).where(DocumentPage.document_id == filing.document_id)
    return list(session.scalars(pages.order_by(DocumentPage.number)))


def thumbnail_of(session: Session, filing: ClinicFiling) -> str | None:
    """Where the small picture of its file lies."""
    return session.scalar(select(Document.thumbnail_key).where(Document.id == filing.document_id))


def unread_count(session: Session, *, clinic_id: UUID) -> int:
    """How many files nobody has filled in yet."""
    unread = select(func.count()).where(ClinicFiling.clinic_id == clinic_id, ClinicFiling.state == FilingState.UNREAD)
    return session.scalar(unread) or 0


def next_unread(session: Session, *, clinic_id: UUID) -> UUID | None:
    """The oldest file that nobody has filled in."""
    unread = select(ClinicFiling.id).where(
        ClinicFiling.clinic_id == clinic_id, ClinicFiling.state == FilingState.UNREAD
    )
    return session.scalar(unread.order_by(ClinicFiling.created_at, ClinicFiling.id).limit(1))


def remembered(session: Session, *, clinic_id: UUID) -> Remembered:
    """What its last filings said about vaccines and veterinarians; of no other clinic's."""
    mine = (
        select(ClinicFiling)
        .where(
            ClinicFiling.clinic_id == clinic_id,
            ClinicFiling.given_on.is_not(None),
            ClinicFiling.channel != FilingChannel.LINK,
        )
        .order_by(ClinicFiling.created_at.desc(), ClinicFiling.id.desc())
        .limit(REMEMBERED_ROWS)
    )
    found = session.scalars(mine).all()
    typed = (filing for filing in found if filing.channel is FilingChannel.PAGE)
    return Remembered(
        veterinarians=_each_once(filing.veterinarian for filing in found),
        products=_each_once(filing.product for filing in found),
        manufacturers=_each_once(filing.manufacturer for filing in found),
        lots=_each_once(filing.lot for filing in found),
        signatures=_each_once(filing.attested_name for filing in found),
        last=next(typed, found[0] if found else None),
    )


def _each_once(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))[:MOST_OFFERED]


def _mentions(words: str) -> ColumnElement[bool]:
    columns = (ClinicFiling.owner_name, ClinicFiling.animal_name, ClinicFiling.rabies_tag, ClinicFiling.microchip)
    return or_(*(column.icontains(words, autoescape=True) for column in columns))

"""Lost and found notices as anybody may see them: one, and a page of the board.

Nothing else is read for the public. Who filed a notice and what is withheld of it stands in another table, which this
module does not know (an import contract says so): what is not read can't be shown.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from sqlalchemy import Row, Select, select, tuple_
from sqlalchemy.orm import Session

from portal.schema.animals import Sex
from portal.schema.notices import PUBLIC, Holding, NoticeKind, NoticeSpecies, NoticeState, PetNotice, Size, Temperament
from portal.services.refusal import NotTheirs

BOARD_PAGE = 24


@dataclass(frozen=True, kw_only=True)
class ShownNotice:
    """One notice. Of a pet that is home only its kind, its name and the fact are told."""

    id: UUID
    reference: str
    kind: NoticeKind
    state: NoticeState
    species: NoticeSpecies
    species_text: str = ""
    name: str = ""
    breed: str = ""
    color: str = ""
    sex: Sex | None = None
    size: Size | None = None
    marks: str = ""
    wears: str = ""
    temperament: Temperament | None = None
    what_to_do: str = ""
    place: str = ""
    latitude: float | None = None
    longitude: float | None = None
    happened_on: date
    happened_at: datetime | None = None
    photo_key: str | None = None
    thumbnail_key: str | None = None
    photo_width: int | None = None
    photo_height: int | None = None
    holding: Holding | None = None
    shown_phone: str | None = None
    changed_at: datetime
    created_at: datetime

    @property
    def is_home(self) -> bool:
        return self.state is NoticeState.HOME


@dataclass(frozen=True)
class BoardPlace:
    """Where a page of the board ends: the next begins behind it."""

    created_at: datetime
    id: UUID


@dataclass(frozen=True)
class BoardPage:
    """Notices, the newest first, and where the next page begins, if there is one."""

    notices: tuple[ShownNotice, ...]
    next: BoardPlace | None


# What the contract calls public is what is read.
COLUMNS = tuple(
    PetNotice.place_text.label("place") if name == "place_text" else getattr(PetNotice, name) for name in PUBLIC.split()
)


def shown_notice(session: Session, *, kind: NoticeKind, reference: str) -> ShownNotice:
    """The notice at this address; raises NotTheirs for one that nobody may see."""
    wanted = select(*COLUMNS).where(
        PetNotice.reference == reference,
        PetNotice.kind == kind,
        PetNotice.state.in_((NoticeState.SHOWN, NoticeState.HOME)),
    )
    row = session.execute(wanted).one_or_none()
    if row is None:
        raise NotTheirs("No such notice")
    found = _notice(row)
    return _told_when_home(found) if found.is_home else found


def board_page(
    session: Session,
    *,
    kind: NoticeKind,
    species: NoticeSpecies | None = None,
    size: Size | None = None,
    since: date | None = None,
    after: BoardPlace | None = None,
    length: int = BOARD_PAGE,
) -> BoardPage:
    """Those that are shown now, in one statement that an index answers whatever the page."""
    wanted = _board(kind, species, after)
    if size:
        wanted = wanted.where(PetNotice.size == size)
    if since:
        # Nobody files before it happened: the bound on what the index is in order of ends the search there.
        begins = datetime.combine(since, time.min, UTC) - timedelta(days=1)
        wanted = wanted.where(PetNotice.happened_on >= since, PetNotice.created_at >= begins)
    rows = session.execute(wanted.limit(length + 1)).all()
    notices = tuple(_notice(row) for row in rows[:length])
    is_more = len(rows) > length
    return BoardPage(notices, BoardPlace(notices[-1].created_at, notices[-1].id) if is_more else None)


def _board(kind: NoticeKind, species: NoticeSpecies | None, after: BoardPlace | None) -> Select[*tuple[object, ...]]:
    wanted = select(*COLUMNS).where(PetNotice.state == NoticeState.SHOWN, PetNotice.kind == kind)
    if species:
        wanted = wanted.where(PetNotice.species == species)
    if after:
        wanted = wanted.where(tuple_(PetNotice.created_at, PetNotice.id) < (after.created_at, after.id))
    return wanted.order_by(PetNotice.created_at.desc(), PetNotice.id.desc())


def _notice(row: Row[*tuple[object, ...]]) -> ShownNotice:
    return ShownNotice(**row._mapping)


def _told_when_home(found: ShownNotice) -> ShownNotice:
    return ShownNotice(
        id=found.id,
        reference=found.reference,
        kind=found.kind,
        state=found.state,
        species=found.species,
        name=found.name,
        happened_on=found.happened_on,
        changed_at=found.changed_at,
        created_at=found.created_at,
    )

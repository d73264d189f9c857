"""Where the pictures lie that a keeper may see: of an animal, and of the pages of its certificates."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.orm import Session, aliased

from portal.schema.animals import Animal, Keeper
from portal.schema.documents import Document, DocumentPage
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.refusal import NotTheirs

PICTURES = select(Document.thumbnail_key, DocumentPage.key).outerjoin(
    DocumentPage, DocumentPage.document_id == Document.id
)


_Named = aliased(Keeper)


def sees_sheet(person_id: UUID | None) -> ColumnElement[bool]:
    """A certificate's sheet bears a keeper's name and address: it is theirs to see, and others' once they share it."""
    is_shared = exists().where(
        _Named.animal_id == Vaccination.animal_id,
        _Named.person_id == Vaccination.named_person_id,
        _Named.until.is_(None),
        _Named.shares_contact,
    )
    return or_(Vaccination.named_person_id == person_id, is_shared)


@dataclass(frozen=True)
class PictureKeys:
    """Keys into the file store."""

    thumbnail_key: str
    page_keys: tuple[str, ...]


def certificate_pictures(
    session: Session, *, person_id: UUID | None, animal_id: UUID, certificate_id: UUID
) -> PictureKeys:
    """The pages of a certificate of an animal this person keeps; raises NotTheirs."""
    mine = (
        PICTURES.join(Vaccination, Vaccination.document_id == Document.id)
        .join(Keeper, and_(Keeper.animal_id == Vaccination.animal_id, Keeper.person_id == person_id))
        .where(
            Keeper.until.is_(None),
            Vaccination.id == certificate_id,
            Vaccination.animal_id == animal_id,
            Vaccination.state != CertificateState.REPLACED,
            sees_sheet(person_id),
        )
    )
    return _keys(session, mine)


def animal_pictures(session: Session, *, person_id: UUID | None, animal_id: UUID) -> PictureKeys:
    """The picture of an animal this person keeps; raises NotTheirs, also where there is none."""
    mine = (
        PICTURES.join(Animal, Animal.photo_id == Document.id)
        .join(Keeper, and_(Keeper.animal_id == Animal.id, Keeper.person_id == person_id))
        .where(Keeper.until.is_(None), Animal.id == animal_id)
    )
    return _keys(session, mine)


def _keys(session: Session, mine: Select[str, str]) -> PictureKeys:
    rows = session.execute(mine.order_by(DocumentPage.number)).all()
    if not rows:
        raise NotTheirs("No such picture")
    return PictureKeys(rows[0].thumbnail_key, tuple(row.key for row in rows if row.key))

"""Look at the certificates of an animal as its keeper sent them; anyone else's do not exist for them."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from portal.schema.animals import Keeper
from portal.schema.documents import DocumentPage
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.files.kept_pictures import sees_sheet


@dataclass(frozen=True)
class CertificateSent:
    """A certificate as its keeper sees it again."""

    vaccination: Vaccination
    pages: tuple[DocumentPage, ...]


def certificates_sent(session: Session, *, person_id: UUID | None, animal_id: UUID) -> list[CertificateSent]:
    """Every certificate of an animal this person keeps, newest first; none that was replaced.

    With its pages, unless they bear the name and address of somebody else who keeps it.
    """
    mine = (
        select(Vaccination, DocumentPage)
        .join(Keeper, Keeper.animal_id == Vaccination.animal_id)
        .outerjoin(DocumentPage, and_(DocumentPage.document_id == Vaccination.document_id, sees_sheet(person_id)))
        .where(
            Vaccination.animal_id == animal_id,
            Vaccination.state != CertificateState.REPLACED,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
        )
        .order_by(Vaccination.created_at.desc(), Vaccination.id, DocumentPage.number)
    )
    pages: dict[Vaccination, list[DocumentPage]] = {}
    for vaccination, page in session.execute(mine):
        pages.setdefault(vaccination, []).extend([page] if page else [])
    return [CertificateSent(vaccination, tuple(shown)) for vaccination, shown in pages.items()]

"""Sheets a keeper sent for one pet that may be about another: clinics print several pets on one page."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.documents import DocumentKind
from portal.schema.drafts import Upload
from portal.schema.vaccinations import Vaccination

LATELY = timedelta(days=30)


def sheets_sent(
    session: Session, *, account_id: UUID, person_id: UUID | None, animal_id: UUID, clock: Clock
) -> list[tuple[UUID, str]]:
    """Files this account sent lately for another animal it keeps, with that animal's name; none used for this one."""
    used_here = aliased(Vaccination)
    wanted = (
        select(Upload.id, Animal.name)
        .join(Vaccination, Vaccination.document_id == Upload.document_id)
        .join(Animal, Animal.id == Vaccination.animal_id)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(
            Upload.account_id == account_id,
            Upload.kind == DocumentKind.CERTIFICATE,
            Upload.created_at > clock.now() - LATELY,
            Animal.id != animal_id,
            Animal.state == AnimalState.KEPT,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
            ~exists().where(used_here.document_id == Upload.document_id, used_here.animal_id == animal_id),
        )
        .order_by(Upload.created_at.desc(), Animal.name)
        .limit(5)
    )
    return [(row.id, row.name) for row in session.execute(wanted)]

"""What the console shows staff: open orders, one certificate with its pages, rows found by the start of their key."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import String, cast, select
from sqlalchemy.orm import InstrumentedAttribute, Session, selectinload

from portal.schema.animals import Animal, Keeper
from portal.schema.documents import Document
from portal.schema.orders import Order, OrderState
from portal.schema.people import Person
from portal.schema.vaccinations import Vaccination
from portal.services.certificates.decide_certificate import is_taken_back
from portal.services.refusal import NotTheirs


class Ambiguous(LookupError):
    """More than one row has a key that begins like this."""


@dataclass(frozen=True)
class CertificateView:
    """A certificate as an officer looks at it."""

    vaccination: Vaccination
    animal: Animal
    keepers: tuple[Person, ...]
    document: Document | None
    is_taken_back: bool


def key_beginning(session: Session, key: InstrumentedAttribute[UUID], beginning: str) -> UUID:
    """The one key that begins like this; raises NotTheirs for none and Ambiguous for several."""
    wanted = beginning.strip().lower()
    found = session.scalars(select(key).where(cast(key, String).startswith(wanted, autoescape=True)).limit(2)).all()
    if not wanted or not found:
        raise NotTheirs(f"Nothing has an id that begins with {beginning}")
    if len(found) > 1:
        raise Ambiguous(f"More than one id begins with {beginning}: give more of it")
    return found[0]


def certificate_view(session: Session, vaccination_id: UUID) -> CertificateView:
    """One certificate, whatever its state, with its animal, the keepers of it and the pages."""
    vaccination = session.get_one(Vaccination, vaccination_id)
    keepers = (
        select(Person)
        .join(Keeper, Keeper.person_id == Person.id)
        .where(Keeper.animal_id == vaccination.animal_id, Keeper.until.is_(None))
        .order_by(Keeper.since)
    )
    document = None
    if vaccination.document_id:
        document = session.get_one(Document, vaccination.document_id, options=[selectinload(Document.pages)])
    return CertificateView(
        vaccination=vaccination,
        animal=session.get_one(Animal, vaccination.animal_id),
        keepers=tuple(session.scalars(keepers)),
        document=document,
        is_taken_back=is_taken_back(session, vaccination),
    )


def open_orders(session: Session, *, limit: int = 100) -> list[tuple[Order, Person]]:
    """Orders that are not paid, those whose payer comes to the counter first, then the oldest."""
    unpaid = (
        select(Order, Person)
        .join(Person, Person.id == Order.person_id)
        .where(Order.state == OrderState.OPEN)
        .order_by(Order.counter_chosen_at.nulls_last(), Order.created_at)
        .limit(limit)
    )
    return [(order, person) for order, person in session.execute(unpaid)]

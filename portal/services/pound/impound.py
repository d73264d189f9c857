"""An animal comes to the pound, is told to be somebody's, and leaves (90.07): what an officer writes down of it."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, Sex
from portal.schema.impoundments import (
    ImpoundBasis,
    Impoundment,
    ImpoundmentParty,
    ImpoundOutcome,
    OwnerTold,
    PartySide,
)
from portal.schema.notices import Size
from portal.services.claim_submission import hold_key
from portal.services.files.accept_upload import StoredUpload, add_document
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused

IN_FUTURE = "The day is in the future"
BEFORE_IT_CAME = "It cannot leave before it came"
GONE_ALREADY = "It left the pound already"
HERE_ALREADY = "This registered animal is at the pound already"


@dataclass(frozen=True)
class Party:
    """Whom an animal came from, or who took it over (346.47)."""

    name: str
    address: str


@dataclass(frozen=True)
class Intake:
    """What is written down when an animal comes in (90.07(E), 346.47)."""

    species: str
    place: str
    seized_on: date
    basis: ImpoundBasis = ImpoundBasis.AT_LARGE
    breed: str = ""
    color: str = ""
    sex: Sex | None = None
    size: Size | None = None
    age_text: str = ""
    marks: str = ""
    area: str = ""
    latitude: float | None = None
    longitude: float | None = None
    microchip: str | None = None
    tag_text: str | None = None
    animal_id: UUID | None = None
    photo: StoredUpload | None = None
    received_from: Party | None = None
    key: UUID | None = None
    """The key of the stay, where the form that was filled in may come twice."""


def take_in(session: Session, intake: Intake, *, officer: str, clock: Clock) -> Impoundment:
    """Write down an animal that came to the pound. Its keepers, once known, are written to by the worker.

    The same key a second time gives the stay that is there.
    """
    if intake.key:
        hold_key(session, intake.key)
        if earlier := session.get(Impoundment, intake.key):
            return earlier
    if intake.seized_on > clock.today():
        raise Refused([Refusal(Rule.IMPOUND_RECORDS, IN_FUTURE, "seized_on")])
    if intake.animal_id:
        _free_to_come(session, intake.animal_id)
    photo = add_document(session, intake.photo, at=clock.now()) if intake.photo else None
    stay = Impoundment(
        id=intake.key or uuid4(),
        basis=intake.basis,
        species=intake.species.strip().lower(),
        breed=intake.breed,
        color=intake.color,
        sex=intake.sex,
        size=intake.size,
        age_text=intake.age_text,
        marks=intake.marks,
        area=intake.area,
        place=intake.place,
        latitude=intake.latitude,
        longitude=intake.longitude,
        seized_on=intake.seized_on,
        microchip=intake.microchip,
        tag_text=intake.tag_text,
        animal_id=intake.animal_id,
        photo_id=photo.id if photo else None,
    )
    session.add(stay)
    session.flush()
    _note_party(session, stay, PartySide.RECEIVED_FROM, intake.received_from)
    record_event(session, "impoundment.added", stay, actor=f"officer:{officer}", basis=stay.basis.value)
    return stay


def identify(session: Session, *, impoundment_id: UUID, animal_id: UUID, officer: str) -> Impoundment:
    """Say which registered animal it is; its keepers are written to by the worker. A second time changes nothing."""
    stay = _here(session, impoundment_id)
    if stay.animal_id != animal_id:
        _free_to_come(session, animal_id)
        stay.animal_id, stay.keepers_written_at = animal_id, None
        session.flush()
        record_event(session, "impoundment.identified", stay, actor=f"officer:{officer}", animal_id=str(animal_id))
    return stay


def note_owner_told(
    session: Session, *, impoundment_id: UUID, how: OwnerTold, on: date | None = None, officer: str, clock: Clock
) -> Impoundment:
    """90.07(B): the owner was told, personally or through the mail. What the portal writes is a courtesy beside it."""
    stay = _here(session, impoundment_id)
    day = on or clock.today()
    if not stay.seized_on <= day <= clock.today():
        raise Refused([Refusal(Rule.IMPOUND_NOTICE, "They were told between the day it came and today", "on")])
    stay.owner_told_on, stay.owner_told_how = day, how
    session.flush()
    record_event(session, "impoundment.owner_told", stay, actor=f"officer:{officer}", how=how.value)
    return stay


def release(
    session: Session,
    *,
    impoundment_id: UUID,
    outcome: ImpoundOutcome,
    on: date | None = None,
    to: Party | None = None,
    officer: str,
    clock: Clock,
) -> Impoundment:
    """The animal left the pound: its page is over, its picture is shown no more, its record stays (90.07(E))."""
    stay = _here(session, impoundment_id)
    day = on or clock.today()
    if day > clock.today():
        raise Refused([Refusal(Rule.IMPOUND_RECORDS, IN_FUTURE, "on")])
    if day < stay.seized_on:
        raise Refused([Refusal(Rule.IMPOUND_RECORDS, BEFORE_IT_CAME, "on")])
    stay.left_on, stay.outcome = day, outcome
    session.flush()
    _note_party(session, stay, PartySide.TRANSFERRED_TO, to)
    record_event(session, "impoundment.left", stay, actor=f"officer:{officer}", outcome=outcome.value)
    return stay


def stays(session: Session, *, limit: int = 100) -> list[Impoundment]:
    """Every animal at the pound, on whatever basis, those that came first first."""
    here = select(Impoundment).where(Impoundment.left_on.is_(None))
    return list(session.scalars(here.order_by(Impoundment.seized_on, Impoundment.id).limit(limit)))


def parties(session: Session, impoundment_id: UUID) -> list[ImpoundmentParty]:
    """Whom it came from and went to; for the desk alone."""
    both = select(ImpoundmentParty).where(ImpoundmentParty.impoundment_id == impoundment_id)
    return list(session.scalars(both.order_by(ImpoundmentParty.created_at)))


def _here(session: Session, impoundment_id: UUID) -> Impoundment:
    stay = session.get(Impoundment, impoundment_id, with_for_update=True)
    if stay is None:
        raise NotTheirs("There is no such animal at the pound")
    if stay.left_on is not None:
        raise Refused([Refusal(Rule.IMPOUND_RECORDS, GONE_ALREADY)])
    return stay


def _free_to_come(session: Session, animal_id: UUID) -> None:
    if session.get(Animal, animal_id, with_for_update=True) is None:
        raise NotTheirs("There is no such animal")
    here = select(Impoundment.id).where(Impoundment.animal_id == animal_id, Impoundment.left_on.is_(None))
    if session.scalar(here):
        raise Refused([Refusal(Rule.IMPOUND_RECORDS, HERE_ALREADY, "animal")])


def _note_party(session: Session, stay: Impoundment, side: PartySide, party: Party | None) -> None:
    if party:
        session.add(ImpoundmentParty(impoundment_id=stay.id, side=side, name=party.name, address=party.address))
        session.flush()

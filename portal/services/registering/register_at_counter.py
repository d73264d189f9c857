"""Somebody comes to the counter without an account: staff write down who they are, their animal and what they owe.

Each deed is the one of the portal's own pages (90.04(B)(2)), done by an officer or a clerk for the resident: the feed
names who wrote it, and for whom. Nobody is written to, since there is no proved mailbox.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.licensing import birth_refusals
from portal.ordinance.rabies import Gate
from portal.schema.animals import Animal
from portal.schema.licenses import License
from portal.schema.orders import OrderLine
from portal.schema.people import Person, Premises
from portal.services.certificates.file_certificate import assess_answers
from portal.services.clinics.match_filing import filings_for
from portal.services.draft_answers import (
    AnimalAnswers,
    HomeAnswers,
    OtherDogsAnswers,
    OwnerAnswers,
    Registration,
)
from portal.services.files.accept_upload import StoredUpload
from portal.services.licensing.issue_license import issue_ready
from portal.services.orders.open_order import license_ids_of, open_order
from portal.services.owners.home import premises_at
from portal.services.owners.record_owner import write_owner
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.registering.apply_for_licenses import state_household
from portal.services.registering.certificate_at_counter import take_certificate
from portal.services.registering.register_animal import add_animal, apply_for_animal
from portal.services.reports.rows import derived_key

NO_HOME = "Their address is not known. Enter it on their own page first"


@dataclass(frozen=True, kw_only=True)
class NewResident:
    """Somebody the city does not know yet, as they say at the counter."""

    owner: OwnerAnswers
    home: HomeAnswers


@dataclass(frozen=True, kw_only=True)
class AtCounter:
    """What is written down: for whom, the animal, the dogs besides, and the certificate if it was shown."""

    resident: NewResident | UUID
    animal: AnimalAnswers
    others: OtherDogsAnswers
    is_certificate_shown: bool = False
    scan: StoredUpload | None = None


@dataclass(frozen=True)
class Registered:
    """What came of it; no order when no license was asked for."""

    person_id: UUID
    animal_id: UUID
    order_id: UUID | None


def register_at_counter(
    session: Session, at_counter: AtCounter, *, key: UUID, officer: str, city: City, clock: Clock
) -> Registered:
    """Register an animal for whoever stands there. The same key a second time gives the first answer again."""
    animal_id = derived_key(key, "animal")
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(str(key)))))
    if earlier := session.get(Animal, animal_id):
        return _earlier(session, earlier, person_id=derived_key(key, "person"), resident=at_counter.resident)
    answers, actor = at_counter.animal, f"officer:{officer}"
    if reasons := _refusals(at_counter, city=city, clock=clock):
        raise Refused(reasons)
    person, premises = _resident(session, at_counter.resident, key=key, actor=actor)
    stated = Registration(animals=(answers,), others=at_counter.others)
    state_household(session, stated, person=person, premises=premises, actor=actor, clock=clock)
    animal = add_animal(session, answers, person=person, photo=None, actor=actor, city=city, clock=clock, key=animal_id)
    if at_counter.is_certificate_shown:
        take_certificate(
            session,
            animal.id,
            answers.certificate,
            scan=at_counter.scan,
            key=derived_key(key, "certificate"),
            officer=officer,
            city=city,
            clock=clock,
        )
    charge = apply_for_animal(session, animal, answers, person=person, actor=actor, city=city, clock=clock)
    filings_for(session, person.id, city=city, clock=clock)
    if charge is None:
        return Registered(person.id, animal.id, None)
    order = open_order(session, person=person, charges=[charge], actor=actor, clock=clock)
    order.counter_chosen_at = clock.now()
    issue_ready(session, license_ids_of(session, order.id), clock=clock)
    return Registered(person.id, animal.id, order.id)


def _refusals(at_counter: AtCounter, *, city: City, clock: Clock) -> list[Refusal]:
    """Only what cannot be."""
    answers, today = at_counter.animal, clock.today()
    reasons = list(birth_refusals(born_on=answers.born_on, on=today))
    if at_counter.is_certificate_shown:
        gate: Gate = city.policy.vaccination_gate
        reasons += assess_answers(answers, answers.certificate, on=today, gate=gate).refusals
    return reasons


def _resident(session: Session, resident: NewResident | UUID, *, key: UUID, actor: str) -> tuple[Person, Premises]:
    if isinstance(resident, UUID):
        known = session.get(Person, resident, with_for_update=True)
        if known is None:
            raise NotTheirs("There is no such person")
        if known.home_premises_id is None:
            raise Refused([Refusal("90.04(B)(2)", NO_HOME)])
        return known, session.get_one(Premises, known.home_premises_id)
    premises = premises_at(session, resident.home)
    person = Person(id=derived_key(key, "person"), kind=resident.owner.kind, name=resident.owner.name)
    write_owner(person, resident.owner)
    person.home_premises_id = premises.id
    person.mailing_address = resident.home.mailing_address
    session.add(person)
    session.flush()
    record_event(session, "person.entered", person, actor=actor)
    return person, premises


def _earlier(session: Session, animal: Animal, *, person_id: UUID, resident: NewResident | UUID) -> Registered:
    paid_for = select(License.id).where(License.animal_id == animal.id)
    order_id = session.scalar(select(OrderLine.order_id).where(OrderLine.license_id.in_(paid_for)).limit(1))
    return Registered(resident if isinstance(resident, UUID) else person_id, animal.id, order_id)

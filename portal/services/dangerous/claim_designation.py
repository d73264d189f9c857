"""An owner claims a designation with the code on its notice, or tells that another place declared a dog (90.13(E)).

A notice reaches its owner by hand, by mail or on the door, so whoever has its code may say which dog it is about. A
designation that an officer has matched to a dog is claimed for no other.
"""

from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Ground
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, Species
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.services.certificates.ask_vet import about
from portal.services.dangerous.designate_dog import CODE_LENGTH, NOT_A_DOG, OPEN
from portal.services.dangerous.register_dangerous_dog import begin_rows
from portal.services.messages.queue_message import queue_message
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import keeper, record_event
from portal.services.refusal import Refused
from portal.services.secrets import new_reference, token_hash, whole_spoken_code

NOT_A_CODE = "There is no notice with this code. Check it letter by letter, or call the police department"
OF_ANOTHER_DOG = "This notice is about another dog. Call the police department if that is wrong"


def designation_with_code(session: Session, typed: str) -> DangerousDesignation | None:
    """The designation whose notice bears the code, however it was typed: for a page that asks which dog it is about."""
    code = whole_spoken_code(typed, length=CODE_LENGTH)
    if code is None:
        return None
    return session.scalar(select(DangerousDesignation).where(DangerousDesignation.code_hash == token_hash(code)))


def claim_designation(
    session: Session, *, code: str, animal_id: UUID, person_id: UUID, clock: Clock
) -> DangerousDesignation:
    """Say which of one's dogs a notice is about; its rows begin. Twice does it once.

    Raises NotTheirs for another's dog, Refused for a code that fits nothing or a notice about another dog.
    """
    animal = locked_animal(session, animal_id, person_id=person_id)
    found = designation_with_code(session, code)
    if found is None:
        raise Refused([Refusal(Rule.DESIGNATION_NOTICE, NOT_A_CODE, "code")])
    designation = session.get_one(DangerousDesignation, found.id, with_for_update=True, populate_existing=True)
    if designation.animal_id not in (None, animal.id):
        raise Refused([Refusal(Rule.DESIGNATION_NOTICE, OF_ANOTHER_DOG, "animal_id")])
    if animal.species is not Species.DOG:
        raise Refused([Refusal(Rule.DESIGNATION, NOT_A_DOG, "animal_id")])
    if designation.claimed_at is None:
        designation.animal_id = animal.id
        designation.claimed_by = person_id
        designation.claimed_at = clock.now()
        session.flush()
        record_event(session, "designation.claimed", designation, actor=keeper(person_id))
        if designation.state in OPEN:
            begin_rows(session, designation, person_id=person_id, clock=clock)
    return designation


def state_declared_elsewhere(
    session: Session, animal: Animal, *, person_id: UUID, where: str | None = None, city: City, clock: Clock
) -> DangerousDesignation | None:
    """A dog that another place declared dangerous lives here now (example 13): its rows begin, and the police hear.

    None when the dog has a designation here already. An officer looks at it; no day counts before the city gives
    notice, since no grace is stated and none is invented.
    """
    has_one = exists().where(DangerousDesignation.animal_id == animal.id, DangerousDesignation.state.in_(OPEN))
    if session.scalar(select(has_one)):
        return None
    designation = DangerousDesignation(
        reference=new_reference(),
        kind=Designated.DANGEROUS,
        state=DesignationState.STATED,
        animal_id=animal.id,
        dog=", ".join(part for part in (animal.name, about(animal)) if part),
        grounds=[Ground.DECLARED_ELSEWHERE.value],
        declared_by=where,
        designated_by=keeper(person_id),
    )
    session.add(designation)
    session.flush()
    record_event(session, "designation.stated", designation, actor=keeper(person_id))
    begin_rows(session, designation, person_id=person_id, clock=clock)
    if city.police.email:
        context = {"animal": animal.name, "about": about(animal), "reference": designation.reference}
        queue_message(session, to=city.police.email, template="declared_elsewhere", context=context, at=clock.now())
    return designation

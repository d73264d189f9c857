"""Register one animal: the animal, its keeper, its certificate, and the license applied for."""

from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.licensing import Situation
from portal.schema.animals import Animal, Keeper, KeeperRole, Species
from portal.schema.documents import Document
from portal.schema.licenses import LicenseBasis
from portal.schema.people import Person
from portal.schema.vaccinations import CertificateSource
from portal.services.animals.find_lookalikes import note_lookalikes
from portal.services.certificates.ask_vet import Addressee, ask_vet
from portal.services.certificates.file_certificate import assess_answers, file_certificate
from portal.services.certificates.paper import hold_paper, paper_of, with_paper
from portal.services.dangerous.claim_designation import state_declared_elsewhere
from portal.services.draft_answers import AnimalAnswers, CertificateAnswers
from portal.services.files.accept_upload import make_document, upload_of
from portal.services.licensing.apply_for_license import apply_for_license
from portal.services.orders.open_order import Charge
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import Refused

BASIS = {
    Situation.ASSISTANCE_DOG: LicenseBasis.ASSISTANCE_DOG,
    Situation.OTHER_SERVICE_DOG: LicenseBasis.OTHER_SERVICE_DOG,
    Situation.POLICE_DOG: LicenseBasis.POLICE_DOG,
}


def register_animal(
    session: Session, answers: AnimalAnswers, *, person: Person, account_id: UUID, city: City, clock: Clock
) -> Charge | None:
    """Add the animal and everything that hangs on it; the charge for its license, if one was asked for."""
    photo = None
    if answers.photo_upload_id:
        photo = make_document(session, upload_of(session, account_id=account_id, upload_id=answers.photo_upload_id))
    actor = keeper(person.id)
    animal = add_animal(session, answers, person=person, photo=photo, actor=actor, city=city, clock=clock)
    _file_certificate(session, animal, answers, account_id=account_id, actor=actor, city=city, clock=clock)
    return apply_for_animal(session, animal, answers, person=person, actor=actor, city=city, clock=clock)


def apply_for_animal(
    session: Session, animal: Animal, answers: AnimalAnswers, *, person: Person, actor: str, city: City, clock: Clock
) -> Charge | None:
    """Once it is registered: look whether it is known already, and ask for its license if one is wanted."""
    note_lookalikes(session, animal, person_id=person.id, rabies_tag=answers.certificate.rabies_tag)
    if not answers.applies:
        return None
    if answers.license_year is None:
        raise ValueError("A license is applied for by its year")
    return apply_for_license(
        session,
        animal,
        year=answers.license_year,
        basis=BASIS.get(answers.situation, LicenseBasis.FEE),
        delivery=answers.delivery,
        actor=actor,
        city=city,
        clock=clock,
    )


def add_animal(
    session: Session,
    answers: AnimalAnswers,
    *,
    person: Person,
    photo: Document | None,
    actor: str,
    city: City,
    clock: Clock,
    key: UUID | None = None,
) -> Animal:
    """The animal itself and its keeper; `actor` is whoever writes it down, the keeper or an officer for them."""
    if answers.name is None or answers.sex is None or person.home_premises_id is None:
        raise ValueError("An animal is registered once its own page is answered and its home is known")
    animal = Animal(
        id=key or uuid4(),
        species=Species.CAT if answers.is_cat else Species.DOG,
        name=answers.name,
        breed=answers.breed,
        color=answers.color,
        sex=answers.sex,
        is_altered=answers.is_altered,
        born_on=answers.born_on,
        estimated_age_months=answers.age_months,
        age_estimated_on=answers.age_estimated_on,
        microchip=answers.microchip or answers.certificate.microchip,
        came_from=answers.moved_from.value if answers.moved_from else None,
        declared_dangerous_elsewhere=answers.is_declared_dangerous_elsewhere,
        photo_id=photo.id if photo else None,
        premises_id=person.home_premises_id,
    )
    session.add(animal)
    session.flush()
    session.add(Keeper(animal_id=animal.id, person_id=person.id, role=KeeperRole.OWNER, since=clock.now()))
    record_event(session, "animal.registered", animal, actor=actor, species=animal.species.value)
    if animal.declared_dangerous_elsewhere:
        record_event(session, "animal.declared_dangerous_elsewhere", animal, actor=actor)
        state_declared_elsewhere(session, animal, person_id=person.id, city=city, clock=clock)
    return animal


def _file_certificate(
    session: Session, animal: Animal, answers: AnimalAnswers, *, account_id: UUID, actor: str, city: City, clock: Clock
) -> None:
    certificate = answers.certificate
    if certificate.upload_id is None:
        _ask_vet(session, animal, certificate, clock=clock)
        return
    upload = upload_of(session, account_id=account_id, upload_id=certificate.upload_id)
    hold_paper(session, upload.id)
    file_certificate(
        session,
        animal=animal,
        answers=certificate,
        assessment=with_paper(
            assess_answers(answers, certificate, on=clock.today(), gate=city.policy.vaccination_gate),
            paper_of(session, upload.id),
            animal_name=animal.name,
            microchip=answers.microchip,
            answers=certificate,
        ),
        # One sheet may be about several pets of this registration.
        document_id=upload.document_id or make_document(session, upload).id,
        source=CertificateSource.OWNER,
        actor=actor,
        clock=clock,
    )


def _ask_vet(session: Session, animal: Animal, certificate: CertificateAnswers, *, clock: Clock) -> None:
    """Write to the clinic that was chosen; if the city has taken it off its list since, the keeper hears of that."""
    if not certificate.ask_clinic_name:
        return
    addressee = Addressee(certificate.ask_clinic_id, certificate.ask_clinic_name, certificate.ask_clinic_email)
    keeper_id = session.scalars(select(Keeper.person_id).where(Keeper.animal_id == animal.id)).one()
    try:
        ask_vet(session, animal=animal, person_id=keeper_id, addressee=addressee, clock=clock)
    except Refused:
        record_event(session, "vet_request.not_asked", animal, actor=keeper(keeper_id))
        page = f"/dogs/{animal.id}"
        context = {
            "clinic": certificate.ask_clinic_name,
            "path": f"{page}/ask",
            "certificate_path": f"{page}/certificate",
        }
        tell_keepers(session, animal, template="vet_not_asked", context=context, clock=clock)

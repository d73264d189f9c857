"""A certificate is shown at the counter, for a dog that is registered or is registered just now (90.04(D)(2))."""

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState
from portal.schema.vaccinations import CertificateSource, Vaccination
from portal.services.certificates.add_certificate import assess_for
from portal.services.certificates.decide_certificate import accept_certificate
from portal.services.certificates.demand_certificate import present_certificate
from portal.services.certificates.file_certificate import file_certificate
from portal.services.draft_answers import CertificateAnswers
from portal.services.files.accept_upload import StoredUpload, add_document
from portal.services.refusal import NotTheirs, Refused

NOT_KEPT = "{name} is not kept here any more, so no certificate can be taken for it"


def take_certificate(
    session: Session,
    animal_id: UUID,
    answers: CertificateAnswers,
    *,
    scan: StoredUpload | None,
    key: UUID,
    officer: str,
    city: City,
    clock: Clock,
) -> Vaccination:
    """The paper was looked at, so it is accepted by whoever looked; what only waited for it is issued.

    The same key again gives the first answer. Raises NotTheirs, or Refused for what cannot be.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(str(key)))))
    if earlier := session.get(Vaccination, key):
        return earlier
    animal = session.get(Animal, animal_id)
    if animal is None:
        raise NotTheirs("There is no such animal")
    if animal.state is not AnimalState.KEPT:
        raise Refused([Refusal(Rule.CERTIFICATE, NOT_KEPT.format(name=animal.name))])
    assessment = assess_for(animal, answers, city=city, clock=clock)
    if assessment.refusals:
        raise Refused(assessment.refusals)
    document = add_document(session, scan, at=clock.now()) if scan else None
    shown = file_certificate(
        session,
        animal=animal,
        answers=answers,
        assessment=assessment,
        document_id=document.id if document else None,
        source=CertificateSource.OFFICER,
        actor=f"officer:{officer}",
        clock=clock,
        key=key,
    )
    present_certificate(session, shown, uploaded_at=clock.now(), city=city, clock=clock)
    return accept_certificate(session, vaccination_id=shown.id, officer=officer, city=city, clock=clock)

"""A keeper asks a clinic for one animal's certificate: a link that opens that one form and nothing else (90.04(B)(3)).

The link's token is kept hashed. It opens for thirty days, can be taken back, and takes one certificate; afterwards it
shows where that certificate stands.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, Keeper
from portal.schema.clinics import Clinic, ClinicState, VetRequest
from portal.schema.vaccinations import Vaccination
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import email_key

LASTS = timedelta(days=30)
MOST_OPEN = 5
LINK = "/vet/ask/{token}"
TOO_MANY = "You have asked for this certificate five times already. Take one of them back first"
NOT_APPROVED = "Choose a clinic from the list, or type its e-mail address"


@dataclass(frozen=True)
class Addressee:
    """Whom a keeper asks: a clinic from the list, one they typed, or whoever scans the code at the desk."""

    clinic_id: UUID | None = None
    name: str = ""
    email: str | None = None


@dataclass(frozen=True)
class Asked:
    """A request that was made. The token is known here and in the letter, and kept nowhere."""

    request_id: UUID
    token: str

    @property
    def path(self) -> str:
        return LINK.format(token=self.token)


def approved_clinics(session: Session) -> list[Clinic]:
    """The clinics a keeper may pick by name."""
    wanted = select(Clinic).where(Clinic.state == ClinicState.APPROVED).order_by(func.lower(Clinic.name), Clinic.id)
    return list(session.scalars(wanted))


def ask_vet(session: Session, *, animal: Animal, person_id: UUID, addressee: Addressee, clock: Clock) -> Asked:
    """Make the request, and send the link where there is a mailbox. The animal is one this person keeps.

    What went to an approved clinic's own mailbox counts as from that clinic; anything else is looked at by an officer.
    """
    if len([one for one, _ in requests_of(session, animal_id=animal.id) if is_open(one, clock=clock)]) >= MOST_OPEN:
        raise Refused([Refusal(Rule.LICENSE_NEEDS_VACCINATION, TOO_MANY)])
    clinic = _known_clinic(session, addressee)
    if addressee.clinic_id and clinic is None:
        raise Refused([Refusal(Rule.LICENSE_NEEDS_VACCINATION, NOT_APPROVED, "clinic")])
    email = clinic.email if clinic else addressee.email
    token = new_token()
    request = VetRequest(
        animal_id=animal.id,
        asked_by=person_id,
        clinic_id=clinic.id if clinic else None,
        clinic_name=clinic.name if clinic else addressee.name,
        clinic_email=email,
        token_hash=token_hash(token),
        expires_at=clock.now() + LASTS,
    )
    session.add(request)
    session.flush()
    record_event(session, "vet_request.asked", request, actor=keeper(person_id), is_known=clinic is not None)
    asked = Asked(request.id, token)
    if email:
        context = {
            "animal": animal.name,
            "species": animal.species.value,
            "about": about(animal),
            "path": asked.path,
            "until": (clock.today() + LASTS).isoformat(),
        }
        queue_message(
            session, to=email, template="ask_vet", context=context, at=clock.now(), is_secret=True, asked_by=person_id
        )
    return asked


def withdraw_request(session: Session, *, person_id: UUID | None, request_id: UUID, clock: Clock) -> None:
    """Take it back, whichever keeper asked: from now on the link opens nothing. Raises NotTheirs."""
    mine = (
        select(VetRequest)
        .join(Keeper, Keeper.animal_id == VetRequest.animal_id)
        .where(VetRequest.id == request_id, Keeper.person_id == person_id, Keeper.until.is_(None))
        .with_for_update(of=VetRequest)
    )
    request = session.scalars(mine).one_or_none()
    if request is None:
        raise NotTheirs("No such request")
    if request.withdrawn_at is None and request.answered_at is None:
        request.withdrawn_at = clock.now()
        session.flush()
        record_event(session, "vet_request.withdrawn", request, actor=keeper(person_id))


def requests_of(session: Session, *, animal_id: UUID) -> list[tuple[VetRequest, Vaccination | None]]:
    """What its keepers of now asked for and did not take back, newest first, with what it brought."""
    wanted = (
        select(VetRequest, Vaccination)
        .join(Keeper, and_(Keeper.animal_id == VetRequest.animal_id, Keeper.person_id == VetRequest.asked_by))
        .outerjoin(Vaccination, Vaccination.id == VetRequest.vaccination_id)
        .where(VetRequest.animal_id == animal_id, VetRequest.withdrawn_at.is_(None), Keeper.until.is_(None))
        .order_by(VetRequest.created_at.desc(), VetRequest.id)
        .limit(20)
    )
    return [(request, vaccination) for request, vaccination in session.execute(wanted)]


def is_open(request: VetRequest, *, clock: Clock) -> bool:
    """Whether its link still takes a certificate."""
    return request.answered_at is None and request.withdrawn_at is None and request.expires_at > clock.now()


def about(animal: Animal) -> str:
    """Breed and color: with name and species all that a link shows."""
    return ", ".join(part for part in (animal.breed, animal.color) if part)


def _known_clinic(session: Session, addressee: Addressee) -> Clinic | None:
    """The approved clinic picked, or the one whose own mailbox was typed."""
    approved = select(Clinic).where(Clinic.state == ClinicState.APPROVED)
    if addressee.clinic_id:
        return session.scalars(approved.where(Clinic.id == addressee.clinic_id)).one_or_none()
    if addressee.email:
        its_own = approved.where(Clinic.email_key == email_key(addressee.email))
        return session.scalars(its_own.order_by(Clinic.created_at).limit(1)).first()
    return None

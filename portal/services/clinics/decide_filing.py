"""An officer looks at what clinics filed and no animal was surely found for: names the animal, or sends it back."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.orm import Session, selectinload

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.clinics import Clinic, ClinicFiling, FilingCandidate, FilingChannel, FilingState
from portal.schema.documents import Document
from portal.schema.vaccinations import Vaccination
from portal.services.clinics.file_matched import assess_filing, file_matched
from portal.services.clinics.match_filing import OPEN
from portal.services.owners.filings_waiting import IS_OPEN
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_THE_CLINIC, said

RULE = "90.04(D)(2)"
ALREADY_DECIDED = "This filing was decided already: it is {state}"
NO_DATE = "This filing has no date yet: nobody has read its file"
# A clinic drops a morning's files and fills them in after the next patient.
LEFT_AFTER = timedelta(days=1)
IS_UNREAD = text("clinic_filing.state = 'unread'")


@dataclass(frozen=True)
class FilingView:
    """A filing as an officer looks at it, with the animals it may be about and what agrees."""

    filing: ClinicFiling
    clinic: Clinic
    document: Document | None
    candidates: tuple[tuple[Animal, str], ...]


def filings_open(session: Session, *, limit: int = 100) -> list[tuple[ClinicFiling, Clinic]]:
    """Those with candidates first, each kind oldest first."""
    wanted = (
        select(ClinicFiling, Clinic)
        .join(Clinic, Clinic.id == ClinicFiling.clinic_id)
        .where(IS_OPEN)
        .order_by(ClinicFiling.state, ClinicFiling.created_at)
        .limit(limit)
    )
    return [(filing, clinic) for filing, clinic in session.execute(wanted)]


def filings_unread(session: Session, *, clock: Clock, limit: int = 100) -> list[tuple[ClinicFiling, Clinic]]:
    """Files that a clinic sent and has not said anything about since, oldest first."""
    left = (
        select(ClinicFiling, Clinic)
        .join(Clinic, Clinic.id == ClinicFiling.clinic_id)
        .where(IS_UNREAD, ClinicFiling.created_at < clock.now() - LEFT_AFTER)
        .order_by(ClinicFiling.created_at)
        .limit(limit)
    )
    return [(filing, clinic) for filing, clinic in session.execute(left)]


def filing_view(session: Session, filing_id: UUID) -> FilingView:
    """One filing, whatever its state."""
    filing = session.get_one(ClinicFiling, filing_id)
    likely = (
        select(Animal, FilingCandidate.why)
        .join(FilingCandidate, FilingCandidate.animal_id == Animal.id)
        .where(FilingCandidate.filing_id == filing_id)
        .order_by(Animal.created_at)
    )
    candidates = tuple((animal, why) for animal, why in session.execute(likely))
    document = None
    if filing.document_id:
        document = session.get_one(Document, filing.document_id, options=[selectinload(Document.pages)])
    return FilingView(filing, session.get_one(Clinic, filing.clinic_id), document, candidates)


def choose_animal(
    session: Session, *, filing_id: UUID, animal_id: UUID, officer: str, city: City, clock: Clock
) -> Vaccination:
    """It is about this animal: accepted on the clinic's word when it is current, else in the certificates' queue."""
    filing = _undecided(session, filing_id)
    animal = session.get(Animal, animal_id)
    if animal is None:
        raise NotTheirs("There is no such animal")
    if filing.given_on is None:
        raise Refused([Refusal(RULE, NO_DATE)])
    if reasons := assess_filing(filing, animal, city=city, on=clock.today()).refusals:
        raise Refused(reasons)
    vaccination = file_matched(session, filing, animal, city=city, clock=clock)
    record_event(session, "filing.animal_chosen", filing, actor=f"officer:{officer}", animal_id=str(animal.id))
    return vaccination


def send_filing_back(session: Session, *, filing_id: UUID, officer: str, reason: str, clock: Clock) -> ClinicFiling:
    """Send it back; the clinic reads the reason as it is written here. Raises Refused without one."""
    why = said(reason, RULE, FOR_THE_CLINIC)
    filing = _undecided(session, filing_id)
    filing.state = FilingState.SENT_BACK
    filing.decision_reason = why
    filing.decided_at = clock.now()
    if filing.channel is not FilingChannel.API:
        filing.idempotency_key = None  # the same file or row may be sent anew
    session.flush()
    record_event(session, "filing.sent_back", filing, actor=f"officer:{officer}")
    return filing


def _undecided(session: Session, filing_id: UUID) -> ClinicFiling:
    filing = session.get(ClinicFiling, filing_id, with_for_update=True)
    if filing is None:
        raise NotTheirs("There is no such filing")
    if filing.state not in (*OPEN, FilingState.UNREAD):
        raise Refused([Refusal(RULE, ALREADY_DECIDED.format(state=filing.state.value.replace("_", " ")))])
    return filing

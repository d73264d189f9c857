"""An insurer sends a policy or says that it was canceled, a landlord confirms: by a link, without an account.

Once a policy is canceled its row is open again at once, and the certificate that rested on it counts no more.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import RowState
from portal.ordinance.days import spoken
from portal.schema.animals import Animal, AnimalState
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, RegistrationState
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    Decision,
    EvidenceSource,
    LinkFor,
    RequirementEvidence,
    RequirementLink,
)
from portal.services.certificates.ask_vet import about
from portal.services.dangerous.decide_requirement import note_decision, tell_row
from portal.services.dangerous.send_evidence import EvidenceSent, add_evidence, locked_row
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash

SOURCE = {LinkFor.INSURER: EvidenceSource.INSURER, LinkFor.LANDLORD: EvidenceSource.LANDLORD}
CANCELED = "The insurer told the city that this policy ends on {day}"


@dataclass(frozen=True)
class SeenByLink:
    """All that a link shows: the dog, what is asked, and where it stands."""

    link_for: LinkFor
    animal: str
    about: str
    addressee: str
    is_answered: bool
    is_canceled: bool
    state: RowState


def look_at_link(session: Session, *, token: str, clock: Clock) -> SeenByLink | None:
    """What the link shows; None for a wrong, withdrawn or expired one: they can't be told apart."""
    found = session.execute(_live(token, clock)).first()
    if found is None:
        return None
    link, row, animal = found
    return SeenByLink(
        link_for=link.link_for,
        animal=animal.name,
        about=about(animal),
        addressee=link.addressee,
        is_answered=link.answered_at is not None,
        is_canceled=link.canceled_at is not None,
        state=row.state,
    )


def answer_link(
    session: Session, sent: EvidenceSent, *, token: str, city: City, clock: Clock
) -> RequirementEvidence | None:
    """Take what an insurer or a landlord sends. A second time changes nothing and gives None.

    Raises NotTheirs for a link that opens nothing.
    """
    link, row = _locked(session, token, clock)
    if link.answered_at is not None:
        return None
    actor = f"{link.link_for.value}:{link.id}"
    evidence = add_evidence(session, sent, row, source=SOURCE[link.link_for], actor=actor, city=city, clock=clock)
    link.answered_at = clock.now()
    link.evidence_id = evidence.id
    session.flush()
    record_event(session, "requirement_link.answered", link, actor=actor)
    return evidence


def cancel_policy(session: Session, *, token: str, ends_on: date, clock: Clock) -> None:
    """The insurer says that the policy it sent ends: the row is open again at once. Twice does it once.

    A newer policy that the owner has sent meanwhile is another one, and stays as it is.
    """
    link, _ = _locked(session, token, clock)
    if link.link_for is not LinkFor.INSURER or link.evidence_id is None:
        raise NotTheirs("There is no policy to cancel")
    if link.canceled_at is not None:
        return
    link.canceled_at = clock.now()
    session.flush()
    actor = f"{link.link_for.value}:{link.id}"
    record_event(session, "insurance.canceled", link, actor=actor, ends_on=ends_on.isoformat())
    reason, resting = CANCELED.format(day=spoken(ends_on)), _rows_resting_on(session, link.evidence_id)
    for rests in resting:
        note_decision(session, rests, Decision.REOPENED, reason=reason, actor=actor, clock=clock)
    if resting:
        tell_row(session, resting[-1], reason=reason, clock=clock)


def _rows_resting_on(session: Session, evidence_id: UUID) -> list[DangerousRequirement]:
    """The rows whose newest evidence it is, locked: its own, and of each later year that it was carried to."""
    found: list[DangerousRequirement] = []
    evidence: RequirementEvidence | None = session.get_one(RequirementEvidence, evidence_id)
    while evidence is not None:
        row = locked_row(session, evidence.requirement_id)
        if row.evidence_number == evidence.number:
            found.append(row)
        carried = select(RequirementEvidence).where(RequirementEvidence.carried_from_id == evidence.id)
        evidence = session.scalar(carried)
    return found


def _locked(session: Session, token: str, clock: Clock) -> tuple[RequirementLink, DangerousRequirement]:
    found = session.execute(_live(token, clock).with_for_update(of=RequirementLink)).first()
    if found is None:
        raise NotTheirs("No such link")
    link, row, _ = found
    return link, locked_row(session, row.id)


def _live(token: str, clock: Clock) -> Select[RequirementLink, DangerousRequirement, Animal]:
    """Not taken back, not expired before it was answered, about a dog still kept here and a year not withdrawn."""
    return (
        select(RequirementLink, DangerousRequirement, Animal)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementLink.requirement_id)
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
        .join(Animal, Animal.id == DangerousDesignation.animal_id)
        .outerjoin(DangerousRegistration, DangerousRegistration.id == DangerousRequirement.registration_id)
        .where(
            RequirementLink.token_hash == token_hash(token),
            RequirementLink.withdrawn_at.is_(None),
            or_(RequirementLink.answered_at.is_not(None), RequirementLink.expires_at > clock.now()),
            Animal.state == AnimalState.KEPT,
            DangerousRegistration.state.is_distinct_from(RegistrationState.WITHDRAWN),
        )
    )

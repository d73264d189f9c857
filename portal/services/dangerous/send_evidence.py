"""Somebody shows that a requirement is met: what they measured and the very file, for an officer to look at (90.13(H)).

Nothing is refused. What lies below a figure is kept, marked as unmet and told; what comes late is taken and marked.
"""

from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from cattrs.preconf.json import JsonConverter
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Requirement, RowState
from portal.ordinance.dangerous_evidence import findings_about, is_unmet
from portal.ordinance.dangerous_measures import MEASURES_OF, Insurance, Landlord, Measures
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration
from portal.schema.dangerous_requirements import DangerousRequirement, EvidenceSource, RequirementEvidence
from portal.schema.drafts import Upload
from portal.services.dangerous.dates import is_late
from portal.services.dangerous.register_dangerous_dog import check_version
from portal.services.files.accept_upload import StoredUpload, add_document, make_document
from portal.services.owners.keepers_now import locked_animal
from portal.services.plain_values import plain_values
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs

File = StoredUpload | Upload


def _converter() -> JsonConverter:
    converter = plain_values().copy()
    converter.register_unstructure_hook(Decimal, str)
    converter.register_structure_hook(Decimal, lambda value, _: Decimal(value))
    return converter


PLAIN = _converter()


@dataclass(frozen=True, kw_only=True)
class EvidenceSent:
    """What was sent for one row. `key` is the form's submission key: the same again gives the same evidence.

    `version` is that of the row when the form was shown; None for who was shown none, such as an insurer.
    """

    key: UUID
    measures: Measures
    file: File | None = None
    version: int | None = None
    attested_name: str | None = None


def send_evidence(
    session: Session,
    sent: EvidenceSent,
    *,
    animal_id: UUID,
    requirement_id: UUID,
    person_id: UUID | None,
    city: City,
    clock: Clock,
) -> RequirementEvidence:
    """The owner's own evidence for a row of a dog they keep.

    Raises NotTheirs, or ChangedMeanwhile when the row was changed since the form was shown.
    """
    locked_animal(session, animal_id, person_id=person_id)
    row = locked_row(session, requirement_id)
    if _designation(session, row).animal_id != animal_id:
        raise NotTheirs("No such requirement")
    return add_evidence(
        session, sent, row, source=EvidenceSource.OWNER, actor=keeper(person_id), city=city, clock=clock
    )


def add_evidence(
    session: Session,
    sent: EvidenceSent,
    row: DangerousRequirement,
    *,
    source: EvidenceSource,
    actor: str,
    city: City,
    clock: Clock,
) -> RequirementEvidence:
    """Add evidence to a locked row: from now on that is what a decision has to be about."""
    if (earlier := session.get(RequirementEvidence, sent.key)) is not None:
        if earlier.requirement_id != row.id:
            raise NotTheirs("No such requirement")
        return earlier
    if not isinstance(sent.measures, MEASURES_OF.get(row.kind, type(None))):
        raise NotTheirs("Nothing is sent for this requirement")
    check_version(row.version, sent.version)
    today = clock.today()
    findings = findings_about(row.kind, sent.measures, on=today)
    first_day, last_day = _term(sent.measures)
    year = session.get(DangerousRegistration, row.registration_id) if row.registration_id else None
    evidence = RequirementEvidence(
        id=sent.key,
        requirement_id=row.id,
        number=row.evidence_number + 1,
        source=source,
        sent_by=actor,
        document_id=keep_file(session, sent.file, clock=clock),
        measures=plain_measures(sent.measures),
        findings=[asdict(finding) for finding in findings],
        is_unmet=is_unmet(findings),
        first_day=first_day,
        last_day=last_day,
        is_late=is_late(session, row.kind, _designation(session, row), year, on=today, city=city),
        attested_name=sent.attested_name,
    )
    session.add(evidence)
    row.evidence_number = evidence.number
    row.state = RowState.SENT
    row.changed_at = clock.now()
    session.flush()
    record_event(
        session,
        "requirement.sent",
        row,
        actor=actor,
        requirement=row.kind.value,
        number=evidence.number,
        is_unmet=evidence.is_unmet,
        is_late=evidence.is_late,
    )
    return evidence


def plain_measures(measures: Measures) -> dict[str, Any]:
    """As they are stored."""
    plain: dict[str, Any] = PLAIN.unstructure(measures)
    return plain


def read_measures(requirement: Requirement, stored: dict[str, Any]) -> Measures:
    """What was stored of a row, to show it and to begin the next answer with."""
    return PLAIN.structure(stored, MEASURES_OF[requirement])


def locked_row(session: Session, requirement_id: UUID) -> DangerousRequirement:
    """One row, locked before anything about it is decided."""
    row = session.get(DangerousRequirement, requirement_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotTheirs("No such requirement")
    return row


def _designation(session: Session, row: DangerousRequirement) -> DangerousDesignation:
    return session.get_one(DangerousDesignation, row.designation_id)


def keep_file(session: Session, file: File | None, *, clock: Clock) -> UUID | None:
    """The very file as a document of the shared schema, its key; None when none was sent."""
    if file is None:
        return None
    if isinstance(file, Upload):
        return file.document_id or make_document(session, file).id
    return add_document(session, file, at=clock.now()).id


def _term(measures: Measures) -> tuple[date | None, date | None]:
    """From when to when it holds, where it says so: a landlord is told again at the next renewal of the lease."""
    match measures:
        case Insurance():
            return measures.first_day, measures.last_day
        case Landlord():
            return measures.told_on, measures.lease_renews_on
    return None, None

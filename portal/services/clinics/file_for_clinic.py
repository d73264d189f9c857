"""File a rabies certificate for a clinic (90.04(D)(2)). It then waits for its animal; the clinic is told nothing of it.

Only the impossible is refused, and a typed certificate that leaves out one of the nine ordinance fields. What else the
ordinance notices is kept with the event and comes up again when the certificate meets its animal.
"""

from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.certificates import VaccineType
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Finding, Refusal
from portal.ordinance.rabies import assess, date_refusals
from portal.schema.clinics import ClinicFiling, FilingChannel, FilingState
from portal.services.clinics.filing_answers import FilingAnswers, answers_of
from portal.services.clinics.match_filing import announce_filing
from portal.services.folding import chip, folded_address, surname
from portal.services.record_event import record_event
from portal.services.refusal import Refused

# 90.04(D)(2): the nine, each with what to do when it is missing.
ORDINANCE_FIELDS = {
    "owner_name": "Enter the owner’s name",
    "owner_address": "Enter the owner’s address",
    "animal_name": "Enter the animal’s name",
    "sex": "Choose female or male",
    "description": "Enter the breed, the color and any marks",
    "weight": "Choose the size, or enter the weight",
    "given_on": "Enter the date of the vaccination",
    "vaccine_type": "Choose the type of vaccine",
    "attested_name": "Type the veterinarian’s name as signature",
}
# What the typed name stands for. A change of these words is a new version; the feed keeps which one was signed.
STATEMENT_VERSION = "2026-1"
STATEMENT = (
    "By typing this name I sign for the veterinarian: the animal was vaccinated against rabies as written here, by the "
    "veterinarian or under their supervision."
)
EMPTY = (None, "", VaccineType.UNKNOWN)
# Somebody types a certificate again because they are not sure that they did: within days, not years.
TYPED_AGAIN_WITHIN = timedelta(days=30)
STANDING = (FilingState.WAITING, FilingState.UNSURE, FilingState.FILED)


def filing_refusals(filing: FilingAnswers, *, on: date) -> list[Refusal]:
    """90.04(D)(2): what is missing of the nine, and what cannot be so, all at once."""
    missing = [
        Refusal(Rule.CERTIFICATE, sentence, name)
        for name, sentence in ORDINANCE_FIELDS.items()
        if getattr(filing, name) in EMPTY
    ]
    return [*missing, *date_refusals(filing.certificate(), on=on)]


def filed_already(session: Session, filing: FilingAnswers, *, clinic_id: UUID, clock: Clock) -> ClinicFiling | None:
    """The clinic's own filing of this very certificate, if one stands; whoever signed it, and whichever way it came."""
    alike = select(ClinicFiling).where(
        ClinicFiling.clinic_id == clinic_id,
        ClinicFiling.created_at > clock.now() - TYPED_AGAIN_WITHIN,
        ClinicFiling.given_on == filing.given_on,
        ClinicFiling.animal_name == filing.animal_name,
        ClinicFiling.state.in_(STANDING),
    )
    found = session.scalars(alike.order_by(ClinicFiling.created_at))
    return next((one for one in found if answers_of(one).content_key() == filing.content_key()), None)


def filing_findings(filing: FilingAnswers, *, city: City, on: date) -> tuple[Finding, ...]:
    """90.04(D): what in the dates a person should look at; shown to the clinic before it files, never a refusal."""
    findings = assess(filing.certificate(), on=on, gate=city.policy.vaccination_gate).findings
    return tuple(finding for finding in findings if finding.needs_review and not finding.is_for_staff)


def file_for_clinic(
    session: Session,
    filing: FilingAnswers,
    *,
    clinic_id: UUID,
    filed_by: str,
    channel: FilingChannel,
    idempotency_key: str | None,
    city: City,
    clock: Clock,
) -> tuple[ClinicFiling, bool]:
    """Add the filing and wake the worker, which looks for its animal; whether it is new. Raises Refused.

    The same key of the same clinic again gives the first filing, and changes nothing.
    """
    if reasons := filing_refusals(filing, on=clock.today()):
        raise Refused(reasons)
    values = {
        **filing_values(filing, signed_at=clock.now()),
        "clinic_id": clinic_id,
        "filed_by": filed_by,
        "channel": channel,
        "idempotency_key": idempotency_key,
        "state": FilingState.WAITING,
    }
    added = add_once(session, values)
    if added is None:
        return filing_with_key(session, clinic_id=clinic_id, idempotency_key=idempotency_key), False
    note_received(session, added, filing, city=city, clock=clock)
    announce_filing(session)
    return added, True


def filing_values(filing: FilingAnswers, *, signed_at: datetime | None) -> dict[str, Any]:
    """The answers as the row keeps them, with the keys that are compared."""
    return {
        "owner_name": filing.owner_name,
        "owner_address": filing.owner_address,
        "owner_phone": filing.owner_phone,
        "owner_key": surname(filing.owner_name),
        "address_key": folded_address(filing.owner_address),
        "animal_name": filing.animal_name,
        "species": filing.species,
        "sex": filing.sex,
        "description": filing.description,
        "weight": filing.weight,
        "age": filing.age,
        "microchip": chip(filing.microchip),
        "rabies_tag": filing.rabies_tag,
        "given_on": filing.given_on,
        "certificate_due_on": filing.due_on,
        "dose": filing.dose,
        "vaccine_type": filing.vaccine_type,
        "product": filing.product,
        "manufacturer": filing.manufacturer,
        "lot": filing.lot,
        "vaccine_expires_on": filing.vaccine_expires_on,
        "duration_years": filing.duration_years,
        "veterinarian": filing.veterinarian or filing.attested_name or "",
        "veterinarian_license": filing.veterinarian_license,
        "attested_name": filing.attested_name,
        "attested_at": signed_at if filing.attested_name else None,
        "document_id": filing.document_id,
    }


def add_once(session: Session, values: dict[str, Any]) -> ClinicFiling | None:
    """The new row; None when the clinic used this key before. A twin under way waits here for the first."""
    added = (
        insert(ClinicFiling)
        .values(**values)
        .on_conflict_do_nothing(index_elements=[ClinicFiling.clinic_id, ClinicFiling.idempotency_key])
    )
    key = session.scalar(added.returning(ClinicFiling.id))
    return session.get_one(ClinicFiling, key) if key else None


def filing_with_key(session: Session, *, clinic_id: UUID, idempotency_key: str | None) -> ClinicFiling:
    """The filing that a clinic sent under this key."""
    mine = select(ClinicFiling).where(
        ClinicFiling.clinic_id == clinic_id, ClinicFiling.idempotency_key == idempotency_key
    )
    return session.scalars(mine).one()


def note_received(session: Session, row: ClinicFiling, filing: FilingAnswers, *, city: City, clock: Clock) -> None:
    """The feed hears that a certificate came, and what the ordinance noticed about it."""
    detail = received_detail(filing, channel=row.channel, city=city, on=clock.today())
    record_event(session, "filing.received", row, actor=f"clinic:{row.clinic_id}", **detail)


def received_detail(filing: FilingAnswers, *, channel: FilingChannel, city: City, on: date) -> dict[str, Any]:
    """How it came, which statement was signed, and the rules that a person should look at."""
    found = [finding.rule for finding in filing_findings(filing, city=city, on=on)]
    return {"channel": channel.value, "statement": STATEMENT_VERSION, "findings": found}

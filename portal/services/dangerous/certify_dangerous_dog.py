"""The certificate of registration, once an officer has settled every row; and checking its code (90.13(H)(1))."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Requirement, RestsOn, RowState
from portal.ordinance.dangerous_days import certificate_until
from portal.ordinance.dangerous_rows import ROWS, SETTLED, state_on, still_open
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState, Sex
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, DesignationState, RegistrationState
from portal.schema.dangerous_requirements import DangerousRequirement, Decision, RequirementEvidence
from portal.schema.licenses import License, LicenseState
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.good_to import vaccination_good_to
from portal.services.dangerous.decide_requirement import note_decision
from portal.services.dangerous.register_dangerous_dog import check_version, is_open_for, rows_of_year
from portal.services.dangerous.year_fee import fee_is_paid
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import spoken_code, whole_spoken_code

CODE_LENGTH = 16
IS_OPEN = "Not settled yet: {asks}"
IS_OVER = "This designation has ended, so nothing is certified for it"
READ_HERE = (Requirement.FEE, Requirement.LICENSE)
WITH_CERTIFICATE = (Requirement.REGISTRATION, Requirement.RENEWAL)


@dataclass(frozen=True)
class ReadHere:
    """What the portal itself holds of two rows: whether the fee is paid, the dog licensed and its rabies shot good."""

    is_paid: bool
    license_number: str | None
    rabies_good_to: date | None

    def state_of(self, requirement: Requirement, stored: RowState, *, last_day: date | None, on: date) -> RowState:
        """Where a row stands on a day: what staff waived stays so, the two that are read follow what is read.

        `last_day` is to when the newest evidence holds, if it says so.
        """
        if stored in SETTLED - {RowState.ACCEPTED}:
            return stored
        if requirement not in READ_HERE:
            return state_on(requirement, stored, last_day, on=on)
        if requirement is Requirement.FEE:
            return RowState.ACCEPTED if self.is_paid else RowState.NOT_YET
        is_good = self.rabies_good_to is not None and self.rabies_good_to >= on
        return RowState.ACCEPTED if self.license_number and is_good else RowState.NOT_YET


def read_here(session: Session, year: DangerousRegistration, *, city: City, clock: Clock) -> ReadHere:
    """Read fee, license and rabies certificate of a dog's year (90.13(H)(6), (9))."""
    licensed = (
        select(License.year, License.number)
        .where(
            License.animal_id == year.animal_id,
            License.state == LicenseState.ISSUED,
            License.valid_from <= clock.today(),
            License.valid_until >= clock.today(),
        )
        .order_by(License.year.desc())
        .limit(1)
    )
    accepted = select(Vaccination).where(
        Vaccination.animal_id == year.animal_id, Vaccination.state == CertificateState.ACCEPTED
    )
    found = session.execute(licensed).first()
    good = [day for one in session.scalars(accepted) if (day := vaccination_good_to(one, city))]
    return ReadHere(
        is_paid=bool(session.scalar(select(fee_is_paid(year.id)))),
        license_number=f"{found.year}-{found.number}" if found else None,
        rabies_good_to=max(good, default=None),
    )


def certify(
    session: Session, *, registration_id: UUID, officer: str, version: int | None = None, city: City, clock: Clock
) -> DangerousRegistration:
    """Issue the certificate for a year whose rows are all settled; Refused names each that is not.

    It ends with the year, or before with what it rests on, as the city says. Issued again it keeps its code.
    """
    rows = _locked_rows(session, registration_id)  # before their year, as whoever opens one of them again does
    year = session.get(DangerousRegistration, registration_id, with_for_update=True, populate_existing=True)
    if year is None:
        raise NotTheirs("There is no such registration")
    check_version(year.version, version)
    stands = session.scalar(select(is_open_for(year.animal_id, DesignationState.STANDING)))
    if year.state is RegistrationState.WITHDRAWN or not stands:
        raise Refused([Refusal(ROWS[Requirement.REGISTRATION].rule, IS_OVER)])
    here, last_days = read_here(session, year, city=city, clock=clock), _last_days(session, year)
    states = _states(rows, here, last_days, on=clock.today())
    if left := still_open(states):
        raise Refused([Refusal(ROWS[kind].rule, IS_OPEN.format(asks=ROWS[kind].asks), kind.value) for kind in left])
    _note_read(session, rows, states, here, officer=officer, clock=clock)
    until = certificate_until(year.ends_on, _rests_on(states, here, last_days, city=city))
    year.state = RegistrationState.CERTIFIED
    year.certified_at = clock.now()
    year.certified_by = officer
    year.certificate_code = year.certificate_code or spoken_code(CODE_LENGTH)
    year.certificate_until = until
    session.flush()
    actor, told = f"officer:{officer}", until.isoformat()
    record_event(session, "dangerous_registration.certified", year, actor=actor, until=told)
    animal = session.get_one(Animal, year.animal_id)
    context = {"until": told, "path": f"/dogs/{animal.id}/dangerous"}
    tell_keepers(session, animal, template="dangerous_dog_certified", context=context, clock=clock)
    return year


def years_ready(session: Session, *, city: City, clock: Clock, limit: int = 100) -> list[DangerousRegistration]:
    """Years for which nothing is left but to issue the certificate, for the first time or after something newer.

    A rabies certificate that takes the place of one that ended is newer too, though no row was sent for it.
    """
    is_newer = exists().where(
        DangerousRequirement.registration_id == DangerousRegistration.id,
        DangerousRequirement.changed_at > DangerousRegistration.certified_at,
    )
    # The rows that the portal reads itself are looked at below, for the few years of which nothing else is left.
    is_unsettled = exists().where(
        DangerousRequirement.registration_id == DangerousRegistration.id,
        DangerousRequirement.state.not_in(list(SETTLED)),
        DangerousRequirement.kind.not_in([*READ_HERE, *WITH_CERTIFICATE]),
    )
    wanted = (
        select(DangerousRegistration, is_newer)
        .where(
            DangerousRegistration.state != RegistrationState.WITHDRAWN,
            or_(
                DangerousRegistration.state == RegistrationState.OPEN,
                is_newer,
                DangerousRegistration.certificate_until < DangerousRegistration.ends_on,
            ),
            ~is_unsettled,
            is_open_for(DangerousRegistration.animal_id, DesignationState.STANDING),
        )
        .order_by(DangerousRegistration.sent_at.nulls_last(), DangerousRegistration.created_at)
        .limit(limit)
    )
    return [
        year
        for year, is_sent in session.execute(wanted)
        if _is_ready(session, year, is_sent=is_sent, city=city, clock=clock)
    ]


@dataclass(frozen=True)
class CertificateShown:
    """A certificate as anyone with its code may see it: the dog and the days, never a person or a place."""

    reference: str
    name: str
    breed: str
    color: str
    sex: Sex
    starts_on: date
    until: date
    is_standing: bool

    def is_in_force(self, on: date) -> bool:
        return self.is_standing and self.starts_on <= on <= self.until


def check_certificate(session: Session, *, code: str) -> CertificateShown | None:
    """The certificate with this code, however it was typed; None when there is none."""
    plain = whole_spoken_code(code, length=CODE_LENGTH)
    if plain is None:
        return None
    is_standing = (
        (DangerousRegistration.state == RegistrationState.CERTIFIED)
        & is_open_for(DangerousRegistration.animal_id, DesignationState.STANDING)
        & (Animal.state == AnimalState.KEPT)
    )
    wanted = (
        select(
            DangerousDesignation.reference,
            Animal.name,
            Animal.breed,
            Animal.color,
            Animal.sex,
            DangerousRegistration.starts_on,
            func.coalesce(DangerousRegistration.certificate_until, DangerousRegistration.ends_on),
            is_standing,
        )
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRegistration.designation_id)
        .join(Animal, Animal.id == DangerousRegistration.animal_id)
        .where(DangerousRegistration.certificate_code == plain)
    )
    row = session.execute(wanted).first()
    return CertificateShown(*row) if row else None


def _locked_rows(session: Session, registration_id: UUID) -> dict[Requirement, DangerousRequirement]:
    its = select(DangerousRequirement).where(DangerousRequirement.registration_id == registration_id)
    locked = its.order_by(DangerousRequirement.id).with_for_update()
    return {row.kind: row for row in session.scalars(locked, execution_options={"populate_existing": True})}


def _is_ready(session: Session, year: DangerousRegistration, *, is_sent: bool, city: City, clock: Clock) -> bool:
    here, last_days = read_here(session, year, city=city, clock=clock), _last_days(session, year)
    states = _states(rows_of_year(session, year.id), here, last_days, on=clock.today())
    if still_open(states):
        return False
    until = certificate_until(year.ends_on, _rests_on(states, here, last_days, city=city))
    return is_sent or year.state is RegistrationState.OPEN or until != year.certificate_until


def _note_read(
    session: Session,
    rows: dict[Requirement, DangerousRequirement],
    states: dict[Requirement, RowState],
    here: ReadHere,
    *,
    officer: str,
    clock: Clock,
) -> None:
    """What the portal read, and the rows that the certificate itself meets, are written down as decided with it."""
    read = {
        Requirement.FEE: "Paid",
        Requirement.LICENSE: f"License {here.license_number}, rabies certificate good to {here.rabies_good_to}",
    }
    told = read | dict.fromkeys(WITH_CERTIFICATE, None)
    for kind, reason in told.items():
        row = rows.get(kind)
        if row is None or states[kind] in SETTLED - {RowState.ACCEPTED}:
            continue
        note_decision(session, row, Decision.ACCEPTED, reason=reason, actor=f"officer:{officer}", clock=clock)


def _last_days(session: Session, year: DangerousRegistration) -> dict[Requirement, date | None]:
    """To when the newest evidence of each row of a year holds, where it says so."""
    newest = and_(
        RequirementEvidence.requirement_id == DangerousRequirement.id,
        RequirementEvidence.number == DangerousRequirement.evidence_number,
    )
    wanted = (
        select(DangerousRequirement.kind, RequirementEvidence.last_day)
        .join(RequirementEvidence, newest)
        .where(DangerousRequirement.registration_id == year.id)
    )
    return dict(session.execute(wanted).all())


def _states(
    rows: dict[Requirement, DangerousRequirement],
    here: ReadHere,
    last_days: dict[Requirement, date | None],
    *,
    on: date,
) -> dict[Requirement, RowState]:
    return {kind: here.state_of(kind, row.state, last_day=last_days.get(kind), on=on) for kind, row in rows.items()}


def _rests_on(
    states: dict[Requirement, RowState],
    here: ReadHere,
    last_days: dict[Requirement, date | None],
    *,
    city: City,
) -> list[date | None]:
    """The last days of what the certificate rests on; what was waived ends nothing."""
    found: list[date | None] = []
    ends_with = city.dangerous.certificate_ends_with
    if RestsOn.RABIES_CERTIFICATE in ends_with and states.get(Requirement.LICENSE) is RowState.ACCEPTED:
        found.append(here.rabies_good_to)
    if RestsOn.INSURANCE in ends_with and states.get(Requirement.INSURANCE) is RowState.ACCEPTED:
        found.append(last_days.get(Requirement.INSURANCE))
    return found

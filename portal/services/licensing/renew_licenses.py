"""Renew licenses, or apply for dogs that are already registered: several dogs, one order (90.04(B))."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.fees import Fee, late_fee
from portal.ordinance.finding import Refusal
from portal.ordinance.license_years import LicenseYear, license_year, years_open
from portal.ordinance.licensing import needed_from
from portal.schema.animals import Animal, AnimalState, Keeper, Species
from portal.schema.departures import FeeQuestion
from portal.schema.drafts import Submission
from portal.schema.licenses import Delivery, License, LicenseBasis, LicenseState, WaiverState
from portal.schema.orders import LineKind, Order, OrderLine
from portal.schema.people import Person
from portal.services.claim_submission import claim_submission
from portal.services.licensing.apply_for_license import apply_for_license
from portal.services.licensing.issue_license import issue_ready
from portal.services.licensing.look_again import look_again
from portal.services.orders.open_order import Charge, license_ids_of, open_order
from portal.services.record_event import keeper
from portal.services.refusal import Refused

LIVE = (LicenseState.APPLIED, LicenseState.ISSUED)

NO_DOG = "Choose at least one dog"
NOT_YOURS = "One of these dogs is not yours to renew for"
NOT_OPEN = "That license year can’t be had now. Choose one of the years shown"
HAS_ONE = "{name} has a license for {year} already. You don’t need to renew it again"


@dataclass(frozen=True, kw_only=True)
class RenewalAsked:
    """Which dogs, for which license year, and how their tags should come."""

    animal_ids: tuple[UUID, ...]
    year: int
    delivery: Delivery
    claims: Mapping[UUID, LicenseBasis] = field(default_factory=dict)
    """The dogs of which somebody says that they assist them or the police now (90.04(C)), and how."""


def renew_licenses(
    session: Session,
    asked: RenewalAsked,
    *,
    account_id: UUID,
    person_id: UUID | None,
    submission_key: UUID,
    city: City,
    clock: Clock,
) -> UUID | None:
    """The order to pay for all of them. The same form again gives the same order; raises Refused with every reason."""
    if earlier := claim_submission(session, submission_key, account_id=account_id):
        return earlier.result_id
    actor = keeper(person_id)
    order = _open(session, asked, person_id=person_id, actor=actor, city=city, clock=clock)
    session.get_one(Submission, submission_key).result_id = order.id
    session.flush()
    return order.id


def renew_at_counter(
    session: Session, asked: RenewalAsked, *, person_id: UUID, key: UUID, officer: str, city: City, clock: Clock
) -> UUID:
    """The same for somebody who stands at the counter, written down by staff; they pay there (90.04(B)(4)).

    The same key a second time gives the same order. Raises Refused with every reason.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(str(key)))))
    if earlier := session.get(Order, key):
        return earlier.id
    actor = f"officer:{officer}"
    order = _open(session, asked, person_id=person_id, actor=actor, city=city, clock=clock, key=key)
    order.counter_chosen_at = clock.now()
    session.flush()
    return order.id


def basis_now(session: Session, animal_id: UUID) -> LicenseBasis:
    """90.04(C): the footing of its last license, unless the city declined that, while whoever asked for it keeps it.

    What somebody said of it and of themselves is not carried over to whoever they gave it to: the fee is asked.
    """
    last = _last_license(session, animal_id, LIVE)
    if last is None or last.waiver_state is WaiverState.DECLINED:
        return LicenseBasis.FEE
    still_theirs = (
        select(Keeper.id)
        .join(Order, Order.person_id == Keeper.person_id)
        .join(OrderLine, OrderLine.order_id == Order.id)
        .where(Keeper.animal_id == animal_id, Keeper.until.is_(None), OrderLine.license_id == last.id)
    )
    return last.basis if session.scalar(still_theirs.limit(1)) else LicenseBasis.FEE


def late_fee_for(
    session: Session,
    animal_id: UUID,
    *,
    born_on: date | None,
    person_id: UUID | None,
    year: LicenseYear,
    city: City,
    clock: Clock,
) -> Fee | None:
    """What comes on top for a dog whose owner pays the fee of that year today, if anything (90.18).

    Late is what follows an earlier year's license, from the day this one was needed: a dog that was licensed for the
    next year first was not late for this one. None is added for who has asked about a fee and waits for the answer.
    """
    due_on = max(year.starts_on, needed_from(born_on)) if born_on else year.starts_on
    late = late_fee(city.fees, due_on=due_on, on=clock.today())
    if late is None or _asks_about_a_fee(session, person_id):
        return None
    return late if _last_license(session, animal_id, (LicenseState.ISSUED,), before=year.number) else None


def _open(
    session: Session,
    asked: RenewalAsked,
    *,
    person_id: UUID | None,
    actor: str,
    city: City,
    clock: Clock,
    key: UUID | None = None,
) -> Order:
    animals = _locked(session, asked.animal_ids, person_id=person_id)
    if reasons := list(_refusals(session, animals, asked, city=city, clock=clock)):
        raise Refused(reasons)
    person = session.get_one(Person, person_id)
    charges = [
        charge
        for animal in animals
        for charge in _charges(session, animal, asked, person=person, actor=actor, city=city, clock=clock)
    ]
    for animal in animals:
        look_again(session, animal, city=city, clock=clock)
    order = open_order(session, person=person, charges=charges, actor=actor, clock=clock, key=key)
    issue_ready(session, license_ids_of(session, order.id), clock=clock)
    return order


def _locked(session: Session, animal_ids: tuple[UUID, ...], *, person_id: UUID | None) -> list[Animal]:
    """The person's own dogs among them, locked, so that two renewals at once take turns."""
    mine = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(
            Animal.id.in_(animal_ids),
            Animal.species == Species.DOG,
            Animal.state == AnimalState.KEPT,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
        )
        .order_by(Animal.id)
        .with_for_update(of=Animal)
    )
    return list(session.scalars(mine))


def _refusals(
    session: Session, animals: list[Animal], asked: RenewalAsked, *, city: City, clock: Clock
) -> Iterator[Refusal]:
    if not asked.animal_ids:
        yield Refusal("90.04(B)(1)", NO_DOG, "animals")
    if len(animals) != len(set(asked.animal_ids)):
        yield Refusal("90.04(B)(1)", NOT_YOURS, "animals")
    policy = city.license
    open_now = years_open(clock.today(), policy.year_start, renewal_window_days=policy.renewal_window_days)
    if asked.year not in {year.number for year in open_now}:
        yield Refusal("90.04(B)(5)", NOT_OPEN, "license_year")
    have = select(License.animal_id).where(
        License.animal_id.in_([animal.id for animal in animals]), License.year == asked.year, License.state.in_(LIVE)
    )
    licensed = set(session.scalars(have))
    label = license_year(asked.year, policy.year_start).label
    for animal in animals:
        if animal.id in licensed:
            yield Refusal("90.04(B)(5)", HAS_ONE.format(name=animal.name, year=label), "animals")


def _charges(
    session: Session, animal: Animal, asked: RenewalAsked, *, person: Person, actor: str, city: City, clock: Clock
) -> Iterator[Charge]:
    """The license, on the same footing as the last one unless another is claimed; and a late fee (90.18)."""
    basis = asked.claims.get(animal.id) or basis_now(session, animal.id)
    license_charge = apply_for_license(
        session,
        animal,
        year=asked.year,
        basis=basis,
        delivery=asked.delivery,
        actor=actor,
        city=city,
        clock=clock,
    )
    yield license_charge
    if basis is not LicenseBasis.FEE:
        return
    year = license_year(asked.year, city.license.year_start)
    if late := late_fee_for(
        session, animal.id, born_on=animal.born_on, person_id=person.id, year=year, city=city, clock=clock
    ):
        yield Charge(
            kind=LineKind.LATE,
            license_id=license_charge.license_id,
            description=f"Late fee {year.label}: {animal.name}",
            amount_cents=late.amount_cents,
            resolution=late.resolution,
        )


def _last_license(
    session: Session, animal_id: UUID, states: tuple[LicenseState, ...], *, before: int | None = None
) -> License | None:
    found = select(License).where(License.animal_id == animal_id, License.state.in_(states))
    if before is not None:
        found = found.where(License.year < before)
    return session.scalar(found.order_by(License.year.desc()).limit(1))


def _asks_about_a_fee(session: Session, person_id: UUID | None) -> bool:
    """While a question about a fee is open, no late fee is added for the person who asked."""
    asked = select(FeeQuestion.id).where(FeeQuestion.person_id == person_id, FeeQuestion.answered_at.is_(None))
    return session.scalar(asked.limit(1)) is not None

"""Animal control designates a dog, gives notice of it, and writes down when it became final (90.13(D), (E)(3))."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Ground, fits
from portal.ordinance.dangerous_days import hearing_by
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, KeeperRole, Species
from portal.schema.dangerous import DangerousDesignation, DesignationState, NoticeDelivery
from portal.services.claim_submission import hold_key
from portal.services.dangerous.register_dangerous_dog import begin_rows, is_open_for, withdraw_years
from portal.services.owners.keepers_now import keepings
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_reference, spoken_code, token_hash

# Printed on the notice: 80 random bits, so that a hash of it can't be searched.
CODE_LENGTH = 16
OPEN = (DesignationState.STATED, DesignationState.STANDING)

NO_DAY = "Enter what is known by now"
BEFORE_NOTICE = "That day is before the date on the notice"
IN_FUTURE = "{what} is in the future"
WRONG_GROUNDS = "Name at least one ground, and only grounds of this designation"
IS_ENTERED = "This designation is entered already. Its code was shown then, and is kept nowhere"
NOT_A_DOG = "Only a dog is designated under 90.13"
IS_OVER = "This designation has ended already"
ONLY_TOLD = "An owner told of this designation, and the city has given no notice of it yet"


@dataclass(frozen=True, kw_only=True)
class NoticeGiven:
    """What the notice says and how it was given. Never who was bitten, nor who told of it."""

    kind: Designated
    grounds: tuple[Ground, ...]
    dog: str
    noticed_on: date
    circumstances: str | None = None
    sent_on: date | None = None
    received_on: date | None = None
    delivery: NoticeDelivery | None = None
    animal_id: UUID | None = None
    """The dog, if the officer found it among the registered ones; else its owner claims it with the code."""
    key: UUID | None = None
    """The key of the designation, where the form that was filled in may come twice."""


@dataclass(frozen=True)
class DesignationEntered:
    """The row, and the code to print on the notice: it is known here and kept nowhere."""

    designation: DangerousDesignation
    code: str


def designate_dog(
    session: Session, given: NoticeGiven, *, officer: str, city: City, clock: Clock
) -> DesignationEntered:
    """Enter a designation. Where the dog is known its keepers are written to; the notice itself goes as (E)(3) says."""
    if given.key:
        hold_key(session, given.key)
        if session.get(DangerousDesignation, given.key):
            raise Refused([Refusal(Rule.DESIGNATION, IS_ENTERED)])
    if reasons := list(_refusals(given, on=clock.today())):
        raise Refused(reasons)
    animal = _dog(session, given.animal_id) if given.animal_id else None
    code = spoken_code(CODE_LENGTH)
    designation = DangerousDesignation(
        id=given.key or uuid4(),
        reference=new_reference(),
        kind=given.kind,
        animal_id=given.animal_id,
        dog=given.dog,
        grounds=[ground.value for ground in given.grounds],
        circumstances=given.circumstances,
        noticed_on=given.noticed_on,
        sent_on=given.sent_on,
        received_on=given.received_on,
        delivery=given.delivery,
        designated_by=officer,
        code_hash=token_hash(code),
    )
    session.add(designation)
    session.flush()
    record_event(
        session, "designation.entered", designation, actor=f"officer:{officer}", designated=designation.kind.value
    )
    if animal:
        _tell(session, designation, animal, city=city, clock=clock)
    return DesignationEntered(designation, code)


def note_service(
    session: Session,
    *,
    designation_id: UUID,
    officer: str,
    sent_on: date | None = None,
    received_on: date | None = None,
    delivery: NoticeDelivery | None = None,
    final_on: date | None = None,
    clock: Clock,
) -> DangerousDesignation:
    """Write down when the notice was sent or received, and how, or when the designation became final. All may be told
    later than they happened; what is not given stays as it was. Raises Refused for one that does not stand."""
    designation = locked_designation(session, designation_id)
    check_standing(designation)
    told = {"sent_on": sent_on, "received_on": received_on, "final_on": final_on}
    if not delivery and not any(told.values()):
        raise Refused([Refusal(Rule.DESIGNATION_NOTICE, NO_DAY, "sent_on")])
    if reasons := list(_out_of_order(told, noticed_on=designation.noticed_on, on=clock.today())):
        raise Refused(reasons)
    designation.sent_on = sent_on or designation.sent_on
    designation.received_on = received_on or designation.received_on
    designation.delivery = delivery or designation.delivery
    designation.final_on = final_on or designation.final_on
    session.flush()
    days = {name: day.isoformat() for name, day in told.items() if day}
    record_event(session, "designation.dated", designation, actor=f"officer:{officer}", **days)
    return designation


def dismiss_stated(session: Session, *, designation_id: UUID, officer: str, clock: Clock) -> DangerousDesignation:
    """An officer has looked at what an owner told of another place: the dog is not designated there, or no longer.

    Its keepers are written to.
    """
    designation = _stated(session, designation_id)
    actor, today = f"officer:{officer}", clock.today()
    end_designation(session, designation, state=DesignationState.RESCINDED, ended_on=today, actor=actor, clock=clock)
    if designation.animal_id:
        context = {"path": f"/dogs/{designation.animal_id}"}
        tell_keepers(
            session, _dog(session, designation.animal_id), template="statement_dismissed", context=context, clock=clock
        )
    return designation


def confirm_stated(
    session: Session, *, designation_id: UUID, officer: str, noticed_on: date, city: City, clock: Clock
) -> DangerousDesignation:
    """An officer has looked at what an owner told of another place: from its notice on, the days count (example 13)."""
    designation = _stated(session, designation_id)
    if noticed_on > clock.today():
        raise Refused([Refusal(Rule.DESIGNATION_NOTICE, IN_FUTURE.format(what="That day"), "noticed_on")])
    designation.state = DesignationState.STANDING
    designation.noticed_on = noticed_on
    designation.designated_by = officer
    session.flush()
    record_event(session, "designation.entered", designation, actor=f"officer:{officer}", from_statement=True)
    if designation.animal_id:
        _tell(session, designation, _dog(session, designation.animal_id), city=city, clock=clock)
    return designation


def _stated(session: Session, designation_id: UUID) -> DangerousDesignation:
    designation = locked_designation(session, designation_id)
    if designation.state is not DesignationState.STATED:
        raise Refused([Refusal(Rule.DESIGNATION, "This designation is not one that an owner told of")])
    return designation


def end_designation(
    session: Session,
    designation: DangerousDesignation,
    *,
    state: DesignationState,
    ended_on: date,
    actor: str,
    clock: Clock,
) -> None:
    """It does not stand any more: after a review (90.13(P)) or by the decision of a hearing ((E)(1)).

    What has ended stays as it ended: two may have asked about it, and the second is answered as truthfully.
    """
    if designation.state not in OPEN:
        return
    designation.state = state
    designation.ended_on = ended_on
    session.flush()
    record_event(session, f"designation.{state.value}", designation, actor=actor)
    animal_id = designation.animal_id
    if animal_id and not session.scalar(select(is_open_for(animal_id, *OPEN))):
        withdraw_years(session, animal_id, actor=actor)


def locked_designation(session: Session, designation_id: UUID) -> DangerousDesignation:
    """One designation for whoever decides about it."""
    designation = session.get(DangerousDesignation, designation_id, with_for_update=True, populate_existing=True)
    if designation is None:
        raise NotTheirs("There is no such designation")
    return designation


def check_standing(designation: DangerousDesignation) -> None:
    """Refuse what is entered of a designation of the city's own, while it stands (90.13(E)), where it is no such one.

    Before an officer has confirmed what an owner told there is no notice whose days could be written down.
    """
    if designation.state is DesignationState.STATED:
        raise Refused([Refusal(Rule.DESIGNATION, ONLY_TOLD)])
    if designation.state is not DesignationState.STANDING:
        raise Refused([Refusal(Rule.DESIGNATION, IS_OVER)])


def statements_waiting(session: Session, *, limit: int) -> list[tuple[DangerousDesignation, Animal | None]]:
    """What owners told of other places and nobody has looked at, oldest first."""
    wanted = (
        select(DangerousDesignation, Animal)
        .outerjoin(Animal, Animal.id == DangerousDesignation.animal_id)
        .where(DangerousDesignation.state == DesignationState.STATED)
        .order_by(DangerousDesignation.created_at)
        .limit(limit)
    )
    return [(designation, animal) for designation, animal in session.execute(wanted)]


def designations_open(session: Session, *, limit: int = 200) -> list[tuple[DangerousDesignation, Animal | None]]:
    """Those that stand, or that an owner told of and nobody has looked at; the newest notice first."""
    wanted = (
        select(DangerousDesignation, Animal)
        .outerjoin(Animal, Animal.id == DangerousDesignation.animal_id)
        .where(DangerousDesignation.state.in_(OPEN))
        .order_by(DangerousDesignation.noticed_on.desc().nulls_first(), DangerousDesignation.created_at.desc())
        .limit(limit)
    )
    return [(designation, animal) for designation, animal in session.execute(wanted)]


def _out_of_order(told: dict[str, date | None], *, noticed_on: date | None, on: date) -> Iterator[Refusal]:
    for name, day in told.items():
        if day and day > on:
            yield Refusal(Rule.DESIGNATION_NOTICE, IN_FUTURE.format(what="That day"), name)
        elif day and noticed_on and day < noticed_on:
            yield Refusal(Rule.DESIGNATION_NOTICE, BEFORE_NOTICE, name)


def _refusals(given: NoticeGiven, *, on: date) -> list[Refusal]:
    found = []
    if not fits(given.kind, given.grounds):
        found.append(Refusal(Rule.DESIGNATION, WRONG_GROUNDS, "grounds"))
    days = {"noticed_on": given.noticed_on, "sent_on": given.sent_on, "received_on": given.received_on}
    return [*found, *_out_of_order(days, noticed_on=given.noticed_on, on=on)]


def _dog(session: Session, animal_id: UUID) -> Animal:
    animal = session.get(Animal, animal_id)
    if animal is None:
        raise NotTheirs("There is no such animal")
    if animal.species is not Species.DOG:
        raise Refused([Refusal(Rule.DESIGNATION, NOT_A_DOG, "animal_id")])
    return animal


def _tell(session: Session, designation: DangerousDesignation, animal: Animal, *, city: City, clock: Clock) -> None:
    """The rows begin, and the keepers get a letter beside the notice itself."""
    kept = sorted(keepings(session, animal.id), key=lambda one: one.role is not KeeperRole.OWNER)
    if kept:
        begin_rows(session, designation, person_id=kept[0].person_id, clock=clock)
    if designation.noticed_on is None:
        raise ValueError("A designation that was entered has its date")
    by = hearing_by(designation.noticed_on, city.calendar).show_by
    context = {
        "designated": designation.kind.value,
        "noticed_on": designation.noticed_on.isoformat(),
        "by": by.isoformat(),
        "path": f"/dogs/{animal.id}/dangerous",
    }
    tell_keepers(session, animal, template="dog_designated", context=context, clock=clock)

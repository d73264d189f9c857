"""Look for the animal that a clinic's filing is about (90.04(D)(2)).

The worker looks, right after the clinic has its answer, and never the clinic's request: what a clinic is told and how
long that takes cannot depend on whether we know the owner. So whoever adds a filing adds the row in the state
`waiting`, calls `announce_filing`, and is done. In the states `waiting`, `unsure` and `filed` a filing looks the same
to its clinic: received. `microchip`, `owner_key` and `address_key` are kept folded by `folding`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.clinics import Clinic, ClinicFiling, ClinicState, FilingCandidate, FilingState
from portal.schema.people import Person
from portal.services.animals.find_animals import Found, find_animals
from portal.services.clinics.file_matched import assess_filing, file_matched
from portal.services.messages.queue_message import WAKE_WORKER
from portal.services.owners.filings_waiting import IS_OPEN, filings_waiting
from portal.services.record_event import SYSTEM, record_event

OPEN = (FilingState.WAITING, FilingState.UNSURE)
LOOK_AGAIN_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class FilingTurn:
    """A filing to look at, and its place among the others."""

    filing_id: UUID
    looked_at: datetime | None


def announce_filing(session: Session) -> None:
    """Wake the worker once the filing is committed."""
    session.execute(WAKE_WORKER)


def match_filing(session: Session, filing: ClinicFiling, *, city: City, clock: Clock) -> FilingState:
    """Where the filing stands after looking: filed for its animal, with an officer, or waiting for its animal.

    Safe to call twice: one that is decided stays as it is.
    """
    locked = select(ClinicFiling).where(ClinicFiling.id == filing.id).with_for_update()
    filing = session.scalars(locked, execution_options={"populate_existing": True}).one()
    if filing.state not in OPEN:
        return filing.state
    filing.looked_at = clock.now()
    found = find_animals(session, filing, city=city)
    animal = found.sure
    if animal and _may_be_filed(session, filing, animal, city=city, clock=clock):
        file_matched(session, filing, animal, city=city, clock=clock)
    elif found.likely:
        _leave_to_officer(session, filing, found)
    session.flush()
    return filing.state


def filings_to_match(
    session: Session, *, clock: Clock, after: FilingTurn | None = None, limit: int = 100
) -> list[FilingTurn]:
    """Those nobody has looked at yet, first; then those for which an animal may have come since the last look.

    The next batch of them from the one after `after`; one that cannot be looked at is passed by.
    """
    since = clock.now() - LOOK_AGAIN_AFTER
    surname_known = exists().where(func.animal_control.surname(Person.name) == ClinicFiling.owner_key)
    chip_known = exists().where(func.animal_control.mark(Animal.microchip) == ClinicFiling.microchip)
    due = or_(
        ClinicFiling.looked_at.is_(None),
        and_(ClinicFiling.looked_at < since, or_(surname_known, chip_known)),
    )
    wanted = select(ClinicFiling.id, ClinicFiling.looked_at).where(IS_OPEN, due, *_comes_after(after))
    in_turn = wanted.order_by(ClinicFiling.looked_at.asc().nulls_first(), ClinicFiling.id).limit(limit)
    return [FilingTurn(filing_id, looked_at) for filing_id, looked_at in session.execute(in_turn)]


def filings_for(session: Session, person_id: UUID, *, city: City, clock: Clock) -> list[ClinicFiling]:
    """File what clinics sent for this keeper's animals before they were registered; those that found their animal."""
    waiting = session.scalars(filings_waiting(session, person_id)).all()
    return [one for one in waiting if match_filing(session, one, city=city, clock=clock) is FilingState.FILED]


def _comes_after(turn: FilingTurn | None) -> tuple[ColumnElement[bool], ...]:
    if turn is None:
        return ()
    if turn.looked_at is None:
        return (or_(ClinicFiling.looked_at.is_not(None), ClinicFiling.id > turn.filing_id),)
    return (tuple_(ClinicFiling.looked_at, ClinicFiling.id) > (turn.looked_at, turn.filing_id),)


def _may_be_filed(session: Session, filing: ClinicFiling, animal: Animal, *, city: City, clock: Clock) -> bool:
    """Without an officer: what an approved clinic filed, with a date that can be so."""
    if session.get_one(Clinic, filing.clinic_id).state is not ClinicState.APPROVED or filing.given_on is None:
        return False
    return not assess_filing(filing, animal, city=city, on=clock.today()).refusals


def _leave_to_officer(session: Session, filing: ClinicFiling, found: Found) -> None:
    """It waits with the animals it may be about. Nobody is told: not the clinic, not a keeper."""
    for likely in found.likely:
        candidate = insert(FilingCandidate).values(filing_id=filing.id, animal_id=likely.animal.id, why=likely.why)
        session.execute(candidate.on_conflict_do_nothing())
    if filing.state is FilingState.UNSURE:
        return
    filing.state = FilingState.UNSURE
    session.flush()
    record_event(session, "filing.unsure", filing, actor=SYSTEM, candidates=len(found.likely))

"""What clinics filed and nobody's animal was surely found for, as far as it may be about a keeper's (90.04(D)(2)).

Once something is corrected that filings are found by, they are compared again. Not by whoever corrects: they hold the
animal, while the worker holds a filing and asks for its animal, so the two would wait for each other.
"""

from uuid import UUID

from sqlalchemy import Select, or_, select, text
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, Keeper
from portal.schema.clinics import ClinicFiling
from portal.schema.people import Person
from portal.services.folding import chip, surname
from portal.services.messages.queue_message import WAKE_WORKER
from portal.services.owners.keepers_now import keepings

IS_OPEN = text("clinic_filing.state IN ('waiting', 'unsure')")


def filings_waiting(session: Session, person_id: UUID) -> Select[ClinicFiling]:
    """Those with this keeper's surname or the microchip of one of their animals, the oldest first."""
    person = session.get_one(Person, person_id)
    kept = (
        select(Animal.microchip)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Keeper.person_id == person_id, Keeper.until.is_(None), Animal.microchip.is_not(None))
    )
    chips = [number for typed in session.scalars(kept) if (number := chip(typed))]
    theirs = or_(ClinicFiling.owner_key == surname(person.name), ClinicFiling.microchip.in_(chips))
    return select(ClinicFiling).where(IS_OPEN, theirs).order_by(ClinicFiling.created_at)


def compare_again(session: Session, person_id: UUID) -> None:
    """Have the worker look at them as soon as this is committed. Ask for it last: nothing is locked after them.

    One that is being looked at just now is passed by; it is looked at again within the hour.
    """
    free = filings_waiting(session, person_id).with_for_update(skip_locked=True)
    looked_at = [filing for filing in session.scalars(free) if filing.looked_at]
    for filing in looked_at:
        filing.looked_at = None
    if looked_at:
        session.flush()
        session.execute(WAKE_WORKER)


def compare_again_for(session: Session, animal_id: UUID) -> None:
    """The same for everyone who keeps this animal."""
    for keeping in keepings(session, animal_id):
        compare_again(session, keeping.person_id)

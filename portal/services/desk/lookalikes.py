"""Animals that two people may have registered (90.04(B)(1))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.lookalikes import Lookalike
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised

WAITS = Lookalike.decided_at.is_(None)


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    other = aliased(Animal)
    waiting = (
        select(Lookalike, Animal.name, other.name)
        .join(Animal, Animal.id == Lookalike.animal_id)
        .join(other, other.id == Lookalike.other_animal_id)
        .where(WAITS)
        .order_by(Lookalike.created_at, Lookalike.id)
        .limit(limit)
    )
    return [
        Waiting(
            item_id=found.id,
            what=f"{name} may be {other_name}",
            detail=found.agrees,
            since=found.created_at,
            due_on=promised(found.created_at, city.desk.answer_days, city=city),
        )
        for found, name, other_name in session.execute(waiting)
    ]


HOW_MANY = select(func.count()).select_from(Lookalike).where(WAITS)
LOOKALIKES = Queue("lookalike", "Registered twice?", StaffRole.OFFICER, _find, HOW_MANY)

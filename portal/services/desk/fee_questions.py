"""Fees that somebody says look wrong (90.18)."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.departures import FeeQuestion
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.orders.ask_about_fee import name_of, questions_open


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=question.id,
            what=f"Question about a fee: {name_of(question.fee)}",
            detail=person.name if person else "somebody who was not signed in",
            since=question.created_at,
            due_on=promised(question.created_at, city.desk.answer_days, city=city),
        )
        for question, person in questions_open(session, limit=limit)
    ]


HOW_MANY = select(func.count()).select_from(FeeQuestion).where(FeeQuestion.answered_at.is_(None))
FEE_QUESTIONS = Queue("fee_question", "Questions about fees", StaffRole.CLERK, _find, HOW_MANY)

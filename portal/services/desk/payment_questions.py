"""Money that somebody has to settle: disputed, of another amount, twice, or nobody's (90.18)."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.gateways.payments.processor import sum_in
from portal.schema.orders import Order
from portal.schema.payment_questions import PaymentQuestion, QuestionKind
from portal.schema.people import Person
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.payments.questions import HOW_MANY_OPEN, questions_open

KINDS_TOLD = {
    QuestionKind.AMOUNT_DIFFERS: "Another amount came than was asked",
    QuestionKind.PAID_TWICE: "Paid twice, and not given back",
    QuestionKind.REFUND_FAILED: "Given back, and the bank did not take it",
    QuestionKind.REFUNDED_THERE: "Given back in the processor’s dashboard",
    QuestionKind.DISPUTED: "Disputed at the payer’s bank",
    QuestionKind.UNMATCHED: "Came for nothing that the portal knows",
    QuestionKind.MISSING: "Paid here, and not at the processor",
}


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [_line(*found, city) for found in questions_open(session, limit=limit)]


def _line(question: PaymentQuestion, order: Order | None, person: Person | None, city: City) -> Waiting:
    amount = sum_in(question.amount_cents, question.currency)
    parts = (amount, order.reference if order else None, person.name if person else None)
    return Waiting(
        item_id=question.id,
        what=KINDS_TOLD[question.kind],
        detail=", ".join(part for part in parts if part),
        since=question.created_at,
        due_on=promised(question.created_at, city.desk.answer_days, city=city),
        mark="going back to the card" if question.outcome else "",
    )


PAYMENT_QUESTIONS = Queue("payment_question", "Money in question", StaffRole.CLERK, _find, HOW_MANY_OPEN)

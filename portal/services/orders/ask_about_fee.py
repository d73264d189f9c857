"""Somebody says that a fee looks wrong; an officer answers. While it is open, they are charged no late fee (90.18)."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.gateways.mail.letter import MailRefused, mailbox
from portal.ordinance.citation import Rule
from portal.ordinance.fees import FeeKind
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.departures import FeeQuestion
from portal.schema.orders import Order
from portal.schema.people import Person
from portal.services.add_once import add_once
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import said

# As the list of fees calls them.
NAMES = {
    FeeKind.LICENSE: "Dog license",
    FeeKind.LATE: "Late fee",
    FeeKind.DUPLICATE_TAG: "Another tag",
    FeeKind.DANGEROUS_DOG: "Dangerous-dog registration",
    FeeKind.IMPOUND_RELEASE: "Release from the pound",
    FeeKind.IMPOUND_BOARD_DAY: "Keep at the pound",
}
CARD, OTHER = "card", "other"
NAMES_OF_FEES: dict[str, str] = {
    **{kind.value: name for kind, name in NAMES.items()},
    CARD: "Card payment",
    OTHER: "Another fee",
}
ANSWERED = "This question was answered already"
SAY_SOMETHING = "Write the answer that the person will read"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Which fee, by its key or an order's reference; what looks wrong; how to answer."""

    fee: str
    text: str
    contact: str | None
    is_suspicious: bool


@dataclass(frozen=True)
class Answered:
    """A question with its answer, and where the answer was mailed; None where no mailbox is known."""

    question: FeeQuestion
    mailed_to: str | None


def name_of(fee: str) -> str:
    """What a person calls it."""
    return NAMES_OF_FEES.get(fee, f"Order {fee}")


def own_reference(session: Session, reference: str, *, person_id: UUID | None) -> str:
    """The reference of one of this person's orders; raises NotTheirs."""
    mine = select(Order.reference).where(Order.reference == reference, Order.person_id == person_id)
    found = session.scalar(mine)
    if found is None:
        raise NotTheirs("No such order")
    return found


def ask_about_fee(
    session: Session, asked: Asked, *, key: UUID, person_id: UUID | None, city: City, clock: Clock
) -> None:
    """Note the question, and write it to the city's mailbox. The same form again asks nothing more."""
    question = add_once(
        session,
        FeeQuestion,
        id=key,
        person_id=person_id,
        fee=asked.fee,
        text=asked.text,
        contact=asked.contact,
        created_at=clock.now(),
    )
    if question is None:
        return
    actor = keeper(person_id) if person_id else "visitor"
    record_event(session, "fee.questioned", question, actor=actor, fee=asked.fee, is_suspicious=asked.is_suspicious)
    if city.police.email is None:
        return
    person = session.get(Person, person_id) if person_id else None
    context = {
        "fee": name_of(asked.fee),
        "what": asked.text,
        "contact": asked.contact,
        "owner": person.name if person else None,
        "id": str(key)[:8],
    }
    queue_message(session, to=city.police.email, template="fee_question", context=context, at=clock.now())


def questions_open(session: Session, *, limit: int = 100) -> list[tuple[FeeQuestion, Person | None]]:
    """The questions that wait, oldest first, each with who asked where they were signed in."""
    wanted = (
        select(FeeQuestion, Person)
        .outerjoin(Person, Person.id == FeeQuestion.person_id)
        .where(FeeQuestion.answered_at.is_(None))
        .order_by(FeeQuestion.created_at, FeeQuestion.id)
        .limit(limit)
    )
    return [(question, person) for question, person in session.execute(wanted)]


def question_view(session: Session, question_id: UUID) -> tuple[FeeQuestion, Person | None]:
    """One question, answered or not, with who asked where they were signed in."""
    question = session.get_one(FeeQuestion, question_id)
    return question, session.get(Person, question.person_id) if question.person_id else None


def answer_fee_question(session: Session, *, question_id: UUID, answer: str, officer: str, clock: Clock) -> Answered:
    """Answer it; the person is written to, and a late fee is no longer held."""
    question = session.get(FeeQuestion, question_id, with_for_update=True)
    if question is None:
        raise NotTheirs("There is no such question")
    if question.answered_at is not None:
        raise Refused([Refusal(Rule.FEES, ANSWERED)])
    question.answer = said(answer, Rule.FEES, SAY_SOMETHING, field="answer")
    question.answered_at = clock.now()
    session.flush()
    record_event(session, "fee.answered", question, actor=f"officer:{officer}")
    to = _mailbox_of(session, question)
    if to:
        context = {"fee": name_of(question.fee), "answer": question.answer, "path": "/fees"}
        queue_message(session, to=to, template="fee_answered", context=context, at=clock.now())
    return Answered(question, to)


def _mailbox_of(session: Session, question: FeeQuestion) -> str | None:
    """What they typed, if it is a mailbox; where nothing was typed, the proved one of whoever was signed in."""
    if question.contact is None and question.person_id is None:
        return None
    if question.contact is None:
        return session.scalar(select(Account.email).where(Account.person_id == question.person_id))
    try:
        mailbox(question.contact)
    except MailRefused:
        return None
    return question.contact

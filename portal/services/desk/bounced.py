"""Letters that the mail server would not take. The desk learns to whom they were, never what they say.

One that carried a link is shown with who asked for it, and can't be sent again: the link is kept nowhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, func, select, text
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.outbox import DeadMailbox
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.record_event import record_event_about
from portal.services.refusal import ChangedMeanwhile, NotTheirs
from portal.services.signing_in.mailbox_owners import MailboxOwner, mailbox_owners

FAILED = text(
    "SELECT letter.*, portal.who_asked_for_letter(letter.id) AS asked_by"
    " FROM portal.failed_letters(:wanted, :most) AS letter"
)
SEND_AGAIN = text("SELECT portal.send_letter_again(:wanted, :mailbox, :staff, :moment)")
HANDLE = text("SELECT portal.handle_letter(:wanted, :staff, :moment)")

# What clerks deal with, or read on a page of theirs. Of every other letter, the newest too, they read that it is one:
# that a dog is designated or at the pound, that an officer demanded something or decided it, is not theirs to know.
FOR_CLERKS = frozenset(
    {
        *("account_closed", "account_opened_again", "email_changed", "mailbox_told"),
        *("record_changed", "records_joined", "moved", "animal_changed", "animal_moved"),
        *("application_received", "license_issued", "duplicate_tag", "waiver_declined"),
        *("certificate_received", "certificate_accepted", "certificate_sent_back", "vet_not_asked"),
        *("receipt", "payment_failed", "given_back", "duplicate_refunded", "fee_question", "fee_answered"),
        *("reminder_renewal", "reminder_certificate", "reminder_puppy", "reminder_unfinished", "reminder_unpaid_order"),
        *("keeper_joined", "keeper_left", "told_gone"),
        *("notice_filed", "notice_news", "notice_sighting", "notice_still", "notice_words", "likely_matches"),
        *("tag_found", "keepers_to_call", "pet_held"),
    }
)
A_LETTER, WITH_A_LINK = "a letter", "a letter with a link"


@dataclass(frozen=True)
class FailedLetter:
    """A letter that came to nothing, and why."""

    id: UUID
    recipient: str
    template: str
    failed_at: datetime
    last_error: str | None
    handled_by: str | None
    handled_at: datetime | None
    asked_by: UUID | None
    """Who asked for a letter with a link; None for any other."""
    is_to_nobody: bool = False
    """Whether its mailbox is not there at all."""

    @property
    def kind(self) -> str:
        """What kind of letter it is, for an officer."""
        return self.template.replace("_", " ")

    @property
    def name(self) -> str:
        """The same as far as anybody at the desk may know it."""
        if self.asked_by:
            return WITH_A_LINK
        return self.kind if self.template in FOR_CLERKS else A_LETTER

    @property
    def asks_new_mailbox(self) -> bool:
        """Whether staff asked for it: its owner can't ask anew, since their old mailbox is dead."""
        return self.template == "mailbox_asked"


@dataclass(frozen=True)
class Reached:
    """Somebody who has the mailbox, or had it; without a record when they registered nothing."""

    owner: MailboxOwner
    person: Person | None
    home: Premises | None


def failed_letters(session: Session, *, limit: int) -> list[FailedLetter]:
    """Those nobody has dealt with, oldest first."""
    found = session.execute(FAILED, {"wanted": None, "most": limit}).mappings()
    return [FailedLetter(**row) for row in found]


def failed_letter(session: Session, letter_id: UUID) -> FailedLetter:
    """One of them, dealt with or not."""
    found = session.execute(FAILED, {"wanted": letter_id, "most": 1}).mappings().first()
    if found is None:
        raise NotTheirs("There is no such letter")
    mailbox_key = found["recipient"].strip().lower()
    is_to_nobody = session.get(DeadMailbox, mailbox_key) is not None
    return FailedLetter(**found, is_to_nobody=is_to_nobody)


def who_asked(session: Session, letter: FailedLetter) -> tuple[Person, Premises | None] | None:
    """Whom to tell that a letter with a link came back, and where they live; None for any other letter."""
    wanted = select(Person, Premises).outerjoin(Premises, Premises.id == Person.home_premises_id)
    found = session.execute(wanted.where(Person.id == letter.asked_by)).first() if letter.asked_by else None
    return (found[0], found[1]) if found else None


def whose_mailbox(session: Session, mailbox: str, *, clock: Clock) -> list[Reached]:
    """Whose mailbox it is, or was before they proved another, with how else to reach them."""
    owners = mailbox_owners(session, mailbox, clock=clock)
    wanted = (
        select(Person, Premises)
        .outerjoin(Premises, Premises.id == Person.home_premises_id)
        .where(Person.id.in_([owner.person_id for owner in owners if owner.person_id]))
    )
    known = {person.id: (person, home) for person, home in session.execute(wanted)}
    return [Reached(owner, *(known[owner.person_id] if owner.person_id else (None, None))) for owner in owners]


def send_again(session: Session, *, letter_id: UUID, mailbox: str, officer: str, clock: Clock) -> None:
    """The same letter once more, to the mailbox it was for or to the one its owner has proved since; once.

    Raises ChangedMeanwhile when somebody dealt with it before, or the mailbox is not theirs any more.
    """
    told = {"wanted": letter_id, "mailbox": mailbox, "staff": officer, "moment": clock.now()}
    if not session.scalar(SEND_AGAIN, told):
        raise ChangedMeanwhile("outgoing_message")
    record_event_about(session, "message.sent_again", "outgoing_message", letter_id, actor=f"officer:{officer}")


def handle_letter(session: Session, *, letter_id: UUID, officer: str, clock: Clock) -> None:
    """Somebody told the person another way, or found that nobody need be told."""
    told = {"wanted": letter_id, "staff": officer, "moment": clock.now()}
    if not session.scalar(HANDLE, told):
        raise ChangedMeanwhile("outgoing_message")
    record_event_about(session, "message.handled", "outgoing_message", letter_id, actor=f"officer:{officer}")


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=letter.id,
            what=f"Letter to {letter.recipient} came back",
            detail=letter.name,
            since=letter.failed_at,
            due_on=promised(letter.failed_at, city.desk.answer_days, city=city),
        )
        for letter in failed_letters(session, limit=limit)
    ]


HOW_MANY = select(func.portal.failed_letters_count(type_=Integer))
BOUNCED = Queue("bounced", "Letters that came back", StaffRole.CLERK, _find, HOW_MANY)

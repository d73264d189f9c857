"""Rows that have served their time, a batch at a time."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    cast,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import InstrumentedAttribute, Session

from portal.city import Retention
from portal.gateways.clock import Clock
from portal.schema.accounts import SignIn, SignInRequest
from portal.schema.clinic_access import Reading
from portal.schema.clinics import ClinicFiling, FilingState
from portal.schema.confidential import ReportDraft, ReportInvitation
from portal.schema.drafts import Draft, KeptAnswers, Submission, Upload
from portal.schema.household import EmailChange, KeeperInvitation
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticeDraft, NoticeLink, NoticePrivate
from portal.schema.operating import Finding
from portal.schema.outbox import DeadMailbox, OutgoingMessage, RateLimit, ReceivedEvent
from portal.schema.relays import Relay, RelayLink, RelayMessage
from portal.schema.reminders import Reminder
from portal.schema.staff import DeskKeptAnswers, DeskOpening, DeskRateLimit, StaffSignIn, StaffSignInRequest
from portal.services.certificates.sheets_sent import LATELY

BATCH = 1000
# A code that is over is told from one that never was for a day.
REQUESTS_KEPT = timedelta(days=1)


def sweep_sign_in_requests(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Codes and links that are over."""
    return _delete(session, SignInRequest.id, SignInRequest.expires_at < clock.now() - REQUESTS_KEPT)


def sweep_sign_ins(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Sign-ins that ran out or were ended."""
    now = clock.now()
    return _delete(session, SignIn.id, or_(SignIn.expires_at < now, SignIn.ended_at < now))


def sweep_staff_codes(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Codes for the desk that are over."""
    return _delete(session, StaffSignInRequest.id, StaffSignInRequest.expires_at < clock.now() - REQUESTS_KEPT)


def sweep_staff_sign_ins(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Sign-ins at the desk that ran out or were ended."""
    now = clock.now()
    return _delete(session, StaffSignIn.id, or_(StaffSignIn.expires_at < now, StaffSignIn.ended_at < now))


def sweep_desk_openings(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Who had what open at the desk yesterday."""
    return _delete(session, DeskOpening.id, DeskOpening.opened_at < clock.now() - REQUESTS_KEPT)


def sweep_desk_rate_limits(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Counts of attempts at the desk whose window is over."""
    return _delete(session, DeskRateLimit.key, DeskRateLimit.expires_at < clock.now())


def sweep_kept_answers(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Answers kept through a lost sign-in whose writer did not come back."""
    return _delete(session, KeptAnswers.token_hash, KeptAnswers.expires_at < clock.now())


def sweep_dead_mailboxes(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Mailboxes that were not there long ago: one more letter shows whether they are."""
    return _delete(session, DeadMailbox.mailbox, DeadMailbox.since < clock.now() - timedelta(days=keeps.dead_mailboxes))


def sweep_desk_kept_answers(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """The same of staff."""
    return _delete(session, DeskKeptAnswers.token_hash, DeskKeptAnswers.expires_at < clock.now())


def sweep_rate_limits(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Counts whose window is over."""
    return _delete(session, RateLimit.key, RateLimit.expires_at < clock.now())


def sweep_readings(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What was read from the files whose notes go next."""
    return _delete(session, Reading.upload_id, Reading.upload_id.in_(select(Upload.id).where(*_let_go(keeps, clock))))


def sweep_uploads(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Notes of files that no open draft holds on to. A file that became a document stays: its document mentions it."""
    is_read = exists().where(Reading.upload_id == Upload.id)
    return _delete(session, Upload.id, *_let_go(keeps, clock), ~is_read)


def _let_go(keeps: Retention, clock: Clock) -> tuple[ColumnElement[bool], ...]:
    """Which uploads have served their time: no draft holds them, and nobody is offered them or what they say."""
    held = exists().where(
        Draft.account_id == Upload.account_id,
        Draft.submitted_at.is_(None),
        # Wherever in the answers its key stands, the draft holds it.
        func.strpos(cast(Draft.answers, String), cast(Upload.id, String)) > 0,
    )
    offered = and_(Upload.document_id.is_not(None), Upload.created_at > clock.now() - LATELY)
    to_fill_in = exists().where(
        ClinicFiling.document_id == Upload.document_id, ClinicFiling.state == FilingState.UNREAD
    )
    return Upload.created_at < clock.now() - timedelta(days=keeps.unused_files), ~held, not_(offered), ~to_fill_in


def sweep_relay_messages(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What was said in talks with finders whose time is over; their pictures follow as files that nobody mentions."""
    return _delete(session, RelayMessage.id, RelayMessage.relay_id.in_(_old_talks(keeps, clock)))


def sweep_relay_links(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """The links into those talks."""
    return _delete(session, RelayLink.token_hash, RelayLink.relay_id.in_(_old_talks(keeps, clock)))


def sweep_relays(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Those talks themselves, once nothing hangs on them."""
    said = exists().where(RelayMessage.relay_id == Relay.id)
    opened = exists().where(RelayLink.relay_id == Relay.id)
    return _delete(session, Relay.id, Relay.created_at < clock.now() - timedelta(days=keeps.talks), ~said, ~opened)


def sweep_notice_links(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """The links of finders to notices that are long over."""
    return _delete(session, NoticeLink.token_hash, NoticeLink.notice_id.in_(_notices_over(keeps, clock)))


def clear_notice_contacts(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """How to reach who filed a notice, and its withheld mark, once it is long over; how many were cleared."""
    known = or_(NoticePrivate.email.is_not(None), NoticePrivate.phone.is_not(None), NoticePrivate.withheld_mark != "")
    batch = (
        select(NoticePrivate.notice_id)
        .where(known, NoticePrivate.notice_id.in_(_notices_over(keeps, clock)))
        .limit(BATCH)
    )
    cleared = (
        update(NoticePrivate)
        .where(NoticePrivate.notice_id.in_(batch))
        .values(email=None, phone=None, withheld_mark="")
        .returning(NoticePrivate.notice_id)
    )
    return len(session.execute(cleared, execution_options={"synchronize_session": False}).all())


def sweep_invitations(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Invitations nobody said yes to: the mailbox of somebody who may have nothing to do with the city."""
    unanswered = KeeperInvitation.accepted_at.is_(None)
    return _delete(
        session,
        KeeperInvitation.id,
        KeeperInvitation.expires_at < clock.now() - timedelta(days=keeps.links),
        unanswered,
    )


def sweep_email_changes(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Changes of a mailbox that came to nothing; those that were made tell whose the letters to the earlier one are."""
    came_to_nothing = EmailChange.old_email.is_(None)
    return _delete(
        session, EmailChange.id, EmailChange.expires_at < clock.now() - timedelta(days=keeps.links), came_to_nothing
    )


def sweep_report_drafts(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Reports that were begun and not sent; their files follow as files that nobody mentions."""
    return _delete(session, ReportDraft.token_hash, ReportDraft.expires_at < clock.now())


def sweep_report_invitations(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Codes that nobody can join by any more."""
    return _delete(session, ReportInvitation.code_hash, ReportInvitation.expires_at < clock.now())


def sweep_notice_drafts(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Notices that were begun and not sent; their pictures follow as files that nobody mentions."""
    return _delete(session, NoticeDraft.token_hash, NoticeDraft.expires_at < clock.now())


def sweep_unsent_applications(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Applications that were begun and not sent; their files follow as files that no draft holds."""
    untouched = Draft.updated_at < clock.now() - timedelta(days=keeps.unsent_applications)
    return _delete(session, Draft.id, Draft.submitted_at.is_(None), untouched)


def sweep_sent_applications(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What was typed for applications that were sent, once nobody presses their button a second time."""
    return _delete(session, Draft.id, Draft.submitted_at < clock.now() - timedelta(days=keeps.links))


def sweep_submissions(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """Which forms were sent already: after a while nobody sends the same page again."""
    return _delete(session, Submission.key, Submission.created_at < clock.now() - timedelta(days=keeps.links))


def clear_letter_words(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What letters said that were sent; how many were emptied."""
    before = clock.now() - timedelta(days=keeps.letter_words)
    full = OutgoingMessage.context != cast({}, JSONB)
    batch = select(OutgoingMessage.id).where(OutgoingMessage.sent_at < before, full).limit(BATCH)
    emptied = update(OutgoingMessage).where(OutgoingMessage.id.in_(batch)).values(context={})
    done = emptied.returning(OutgoingMessage.id)
    return len(session.execute(done, execution_options={"synchronize_session": False}).all())


def sweep_letters(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """That letters were sent, or came back and were dealt with."""
    before = clock.now() - timedelta(days=keeps.letters)
    is_over = or_(OutgoingMessage.sent_at < before, OutgoingMessage.handled_at < before)
    return _delete(session, OutgoingMessage.id, is_over)


def sweep_reminders(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """That reminders were sent: two weeks after its day nobody is reminded any more, with or without the row."""
    return _delete(session, Reminder.id, Reminder.due_on < clock.today() - timedelta(days=keeps.reminders))


def sweep_processor_events(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What the processor told, long after it was acted on."""
    before = clock.now() - timedelta(days=keeps.processor_events)
    return _delete(session, ReceivedEvent.id, ReceivedEvent.handled_at < before)


def sweep_findings(session: Session, *, keeps: Retention, clock: Clock) -> int:
    """What agrees again. What staff said may stay is kept while it does not agree, or it would be found anew."""
    return _delete(session, Finding.id, Finding.mended_at < clock.now() - timedelta(days=keeps.findings))


def _old_talks(keeps: Retention, clock: Clock) -> Select[UUID]:
    return select(Relay.id).where(Relay.created_at < clock.now() - timedelta(days=keeps.talks))


def _notices_over(keeps: Retention, clock: Clock) -> Select[UUID]:
    return select(PetNotice.id).where(PetNotice.closed_at < clock.now() - timedelta(days=keeps.talks))


def _delete(session: Session, key: InstrumentedAttribute[Any], *where: ColumnElement[bool]) -> int:
    """Delete one batch of the rows; how many went."""
    batch = select(key).where(*where).limit(BATCH)
    gone = delete(key.class_).where(key.in_(batch)).returning(key)
    return len(session.execute(gone, execution_options={"synchronize_session": False}).all())

"""The jobs themselves: each calls services, and opens and closes the transactions around them.

Each may be cut off at any point and begun again, and may run in several workers at once.
"""

import logging
from collections.abc import Callable
from functools import partial
from uuid import UUID

from portal.gateways.mail.door import MailDeferred, MailRefused
from portal.gateways.mail.drawing import render_letter, render_text
from portal.gateways.payments.processor import ProcessorEvent, ProcessorRefused, ProcessorUnavailable
from portal.gateways.texts.door import Text, TextDeferred, TextRefused
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling
from portal.schema.outbox import Channel
from portal.services.clinics.match_filing import FilingTurn, filings_to_match, match_filing
from portal.services.licensing.issue_license import issue_ready, licenses_ready
from portal.services.licensing.look_again import animals_to_look_at_again, look_again
from portal.services.messages.deliver_messages import ClaimedMessage, claim_message, note_failure, note_sent
from portal.services.messages.queue_message import ANSWER_TEXTS
from portal.services.messages.reminder_choices import wants_texts
from portal.services.messages.tokens import message_token
from portal.services.payments.receive_event import events_waiting, receive_event, try_again
from portal.services.payments.reconcile_payments import (
    Duplicate,
    OpenAttempt,
    ask_about_duplicate,
    ask_processor,
    duplicates,
    give_back,
    open_attempts,
)
from portal.services.sweeping.files import old_files, orphans_among
from portal.services.sweeping.retention import ROW_SWEEPS
from portal.services.sweeping.rows import BATCH
from portal.worker.parts import Parts
from portal.worker.schedule import all_in_turn, new_reference

log = logging.getLogger(__name__)

Stopping = Callable[[], bool]


class Unwritten(Exception):
    """A letter could not be drawn from its template."""


def deliver_letters(parts: Parts, stopping: Stopping) -> None:
    """Send every letter that is due."""
    while not stopping() and (claimed := _claimed(parts)):
        _deliver(parts, claimed)


def reconcile_payments(parts: Parts, stopping: Stopping) -> None:
    """Ask the processor about every attempt that nobody told the end of; give back what was paid twice."""
    all_in_turn("payment", partial(_open_attempts, parts), partial(_reconcile, parts), stopping=stopping)
    all_in_turn("duplicate payment", partial(_duplicates, parts), partial(_give_back, parts), stopping=stopping)


def catch_up(parts: Parts, stopping: Stopping) -> None:
    """Act on events that came too early, and issue what nothing holds back any more.

    First what may hold it back by now: a printed date that has passed since the license was applied for.
    """
    all_in_turn("certificate", partial(_to_look_at_again, parts), partial(_look_again, parts), stopping=stopping)
    all_in_turn("processor event", partial(_events_waiting, parts), partial(_try_again, parts), stopping=stopping)
    all_in_turn("license", partial(_licenses_ready, parts), partial(_issue, parts), stopping=stopping)


def match_filings(parts: Parts, stopping: Stopping) -> None:
    """Find the animals of what clinics filed; each filing in a transaction of its own."""
    all_in_turn("clinic filing", partial(_filings_to_match, parts), partial(_match, parts), stopping=stopping)


def sweep_rows(parts: Parts, stopping: Stopping) -> None:
    """Delete the rows that have served their time."""
    for sweep in ROW_SWEEPS:
        gone = BATCH
        while gone == BATCH and not stopping():
            with parts.transaction() as session:
                gone = sweep(session, keeps=parts.gateways.city.retention, clock=parts.gateways.clock)


def sweep_files(parts: Parts, stopping: Stopping) -> None:
    """Let the files go that no row mentions."""
    storage = parts.gateways.storage
    for keys in old_files(storage, clock=parts.gateways.clock):
        if stopping():
            return
        with parts.transaction() as session:
            orphans = orphans_among(session, keys)
        for key in orphans:
            storage.delete(key)


def _claimed(parts: Parts) -> ClaimedMessage | None:
    with parts.transaction() as session:
        return claim_message(session, city=parts.gateways.city, clock=parts.gateways.clock)


def _deliver(parts: Parts, claimed: ClaimedMessage) -> None:
    try:
        if claimed.channel is Channel.SMS:
            _text(parts, claimed)
        else:
            _mail(parts, claimed)
    except (MailDeferred, MailRefused, TextDeferred, TextRefused) as failure:
        log.warning("letter %s: %s at attempt %d", claimed.id, type(failure).__name__, claimed.attempt)
        _note_failure(parts, claimed, failure)
    except Exception as failure:
        # A fault of ours in this letter: it is tried again, perhaps by the next release, and the others go out. What it
        # says may be in the failure, so of that only the kind is logged and kept.
        kind = type(failure).__name__
        log.error("letter %s (%s) failed, reference %s: %s", claimed.id, claimed.template, new_reference(), kind)
        _note_failure(parts, claimed, Unwritten(kind))
    else:
        with parts.transaction() as session:
            note_sent(session, claimed, clock=parts.gateways.clock)


def _mail(parts: Parts, claimed: ClaimedMessage) -> None:
    letter = render_letter(
        claimed.template,
        claimed.context,
        to=claimed.recipient,
        city=parts.gateways.city,
        base_url=parts.base_url,
        message_id=f"{message_token(claimed.id, key=parts.secret_key)}@{parts.host}",
    )
    parts.mailer.send(letter)


def _text(parts: Parts, claimed: ClaimedMessage) -> None:
    """Whoever said STOP after it was queued gets it no more."""
    if claimed.template not in ANSWER_TEXTS:
        with parts.transaction() as session:
            if not wants_texts(session, phone=claimed.recipient):
                raise TextRefused("They said STOP")
    city, path = parts.gateways.city, claimed.context["path"]
    words = render_text(claimed.template, path=path, city=city, base_url=parts.base_url)
    parts.texts.send(Text(to=claimed.recipient, words=words, key=str(claimed.id)))


def _note_failure(parts: Parts, claimed: ClaimedMessage, failure: Exception) -> None:
    with parts.transaction() as session:
        note_failure(session, claimed, failure, clock=parts.gateways.clock)


def _open_attempts(parts: Parts, after: OpenAttempt | None) -> list[OpenAttempt]:
    with parts.transaction() as session:
        return open_attempts(session, clock=parts.gateways.clock, after=after)


def _reconcile(parts: Parts, attempt: OpenAttempt) -> None:
    gateways = parts.gateways
    try:
        event = ask_processor(gateways.processor, attempt, clock=gateways.clock)
    except (ProcessorUnavailable, ProcessorRefused) as failure:
        log.warning("payment %s could not be asked about: %s", attempt.payment_id, failure.kind)
        return
    if event:
        _receive(parts, event)


def _events_waiting(parts: Parts, after: str | None) -> list[str]:
    with parts.transaction() as session:
        return events_waiting(session, after=after)


def _try_again(parts: Parts, event_id: str) -> None:
    with parts.transaction() as session:
        try_again(session, event_id, clock=parts.gateways.clock)


def _to_look_at_again(parts: Parts, after: UUID | None) -> list[UUID]:
    gateways = parts.gateways
    with parts.transaction() as session:
        return animals_to_look_at_again(session, city=gateways.city, clock=gateways.clock, after=after)


def _look_again(parts: Parts, animal_id: UUID) -> None:
    gateways = parts.gateways
    with parts.transaction() as session:
        look_again(session, session.get_one(Animal, animal_id), city=gateways.city, clock=gateways.clock)


def _licenses_ready(parts: Parts, after: UUID | None) -> list[UUID]:
    with parts.transaction() as session:
        return licenses_ready(session, on=parts.gateways.clock.today(), after=after)


def _issue(parts: Parts, license_id: UUID) -> None:
    with parts.transaction() as session:
        issue_ready(session, [license_id], clock=parts.gateways.clock)


def _filings_to_match(parts: Parts, after: FilingTurn | None) -> list[FilingTurn]:
    with parts.transaction() as session:
        return filings_to_match(session, clock=parts.gateways.clock, after=after)


def _match(parts: Parts, turn: FilingTurn) -> None:
    gateways = parts.gateways
    with parts.transaction() as session:
        match_filing(session, session.get_one(ClinicFiling, turn.filing_id), city=gateways.city, clock=gateways.clock)


def _duplicates(parts: Parts, after: Duplicate | None) -> list[Duplicate]:
    with parts.transaction() as session:
        return duplicates(session, after=after)


def _give_back(parts: Parts, duplicate: Duplicate) -> None:
    gateways = parts.gateways
    try:
        event = give_back(gateways.processor, duplicate, clock=gateways.clock)
    except ProcessorUnavailable as failure:
        log.warning("payment %s was paid twice and is not given back yet: %s", duplicate.payment_id, failure.kind)
        return
    except ProcessorRefused as failure:
        log.warning("payment %s was paid twice and could not be given back: %s", duplicate.payment_id, failure.kind)
        with parts.transaction() as session:
            ask_about_duplicate(session, duplicate, told=f"Paid twice. The processor does not give it back: {failure}")
        return
    _receive(parts, event)


def _receive(parts: Parts, event: ProcessorEvent) -> None:
    with parts.transaction() as session:
        outcome = receive_event(session, event, clock=parts.gateways.clock)
    log.info("%s: %s", event.id, outcome)

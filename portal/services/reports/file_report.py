"""Somebody reports a nuisance, with or without a name (90.08, 90.10, 90.11(A)(1), 13.44).

What happened goes where officers read it; who says so goes behind the wall. A report of the same kind about the same
place by the same person becomes the next incident on the one that is open.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.nuisances import URGENT
from portal.schema.confidential import LinkPurpose, Reporter
from portal.schema.reports import Report, ReportState
from portal.services.messages.queue_message import queue_message
from portal.services.refusal import Refused
from portal.services.reports.add_to_report import note_incident
from portal.services.reports.answers import (
    DETAILS_VERSION,
    Attestation,
    Identity,
    Incident,
    ReportAnswers,
    plain_details,
    too_much,
)
from portal.services.reports.follow_report import MyReport, WayIn, my_reports_of
from portal.services.reports.join_report import join_report
from portal.services.reports.rows import (
    add_episodes,
    add_files,
    add_link,
    add_row,
    derived_key,
    derived_reference,
    place_key,
    tell_city,
)
from portal.services.reports.tell_police import tell_police_at_once
from portal.services.reports.who_reported import ask_not_public
from portal.services.secrets import new_token
from portal.services.signing_in.sign_in import email_key

OPEN_PAGE = "/reports/open/{token}"
CONFIRM_PAGE = "/reports/confirm/{token}"
NO_WAY = WayIn()


@dataclass(frozen=True, kw_only=True)
class Sender:
    """Who sends a report, as far as they say. Without an identity it is anonymous.

    `account_id` and `account_email` are of the live sign-in, if there is one; `mailbox` is where somebody without a
    sign-in wishes to be written to. `way` is what the browser holds already: it finds their earlier report.
    """

    attestation: Attestation
    identity: Identity | None = None
    asks_not_public: bool = False
    account_id: UUID | None = None
    account_email: str | None = None
    mailbox: str | None = None
    way: WayIn = NO_WAY
    invitation: str | None = None


@dataclass(frozen=True)
class Filed:
    """Where a report went. `is_incident`: to an open report of theirs, whose reference this is."""

    report_id: UUID
    reference: str
    is_incident: bool
    mailbox_to_confirm: bool = False


def file_report(
    session: Session, answers: ReportAnswers, sender: Sender, *, key: UUID, token: str, city: City, clock: Clock
) -> Filed:
    """Take the report; `token` opens it from now on. The same form again, under its `key`, changes nothing.

    Raises Refused for more than anybody reads, and for nothing else.
    """
    if reasons := too_much(answers):
        raise Refused(reasons)
    report_id, place, now = derived_key(key, "report"), place_key(answers.place, city), clock.now()
    theirs = my_reports_of(session, sender.way, kind=answers.kind, place_key=place, clock=clock)
    earlier = [report for report in theirs if report.id != report_id]
    is_open = [report for report in earlier if report.is_open]
    if is_open and len(earlier) == len(theirs):
        return _as_incident(session, is_open[0], answers, sender, key=key, token=token, city=city, clock=clock)
    reference = derived_reference(key)
    position = answers.position
    is_new = add_row(
        session,
        Report,
        id=report_id,
        reference=reference,
        kind=answers.kind,
        state=ReportState.RECEIVED,
        happened_at=answers.happened_at,
        happened_text=answers.happened_text,
        place_text=answers.place,
        place_key=place,
        latitude=position[0] if position else None,
        longitude=position[1] if position else None,
        is_outside_city=answers.is_outside_city,
        animal_description=answers.animal,
        whose_text=answers.whose,
        is_going_on=answers.is_going_on,
        is_again=answers.is_again,
        details=plain_details(answers.details),
        details_version=DETAILS_VERSION,
        narrative=answers.narrative,
        has_identity=sender.identity is not None,
        is_suspicious=answers.is_suspicious,
        previous_report_id=earlier[0].id if earlier else None,
        changed_at=now,
        created_at=now,
    )
    # Also for a form that came twice: each of its two replies shows a link, and the browser keeps only one of them.
    add_link(session, report_id, token, at=now)
    mailbox = _mailbox(sender)
    to_confirm = bool(mailbox) and not _is_own(sender, mailbox)
    if not is_new:
        return Filed(report_id, reference, is_incident=False, mailbox_to_confirm=to_confirm)
    _note_reporter(session, report_id, sender, clock=clock)
    add_episodes(session, report_id, answers.episodes, at=now)
    add_files(session, report_id, answers.files, at=now)
    tell_city(
        session,
        "report.filed",
        report_id,
        reference=reference,
        kind=answers.kind.value,
        is_urgent=answers.kind in URGENT,
        has_identity=sender.identity is not None,
        is_suspicious=answers.is_suspicious,
    )
    if sender.invitation:
        join_report(session, WayIn(link=token), report_id=report_id, code=sender.invitation, clock=clock)
    if mailbox:
        _write_to_reporter(session, report_id, mailbox, token, is_own=not to_confirm, clock=clock)
    if answers.kind in URGENT:
        tell_police_at_once(
            session,
            reference=reference,
            place=answers.place,
            animal=answers.animal,
            is_going_on=bool(answers.is_going_on),
            city=city,
            clock=clock,
        )
    return Filed(report_id, reference, is_incident=False, mailbox_to_confirm=to_confirm)


def _as_incident(
    session: Session,
    report: MyReport,
    answers: ReportAnswers,
    sender: Sender,
    *,
    key: UUID,
    token: str,
    city: City,
    clock: Clock,
) -> Filed:
    """What they report is the next incident on what they reported before."""
    incident = Incident(
        text=answers.narrative,
        happened_at=answers.happened_at,
        happened_text=answers.happened_text,
        position=answers.position,
        animal=answers.animal,
        whose=answers.whose,
        is_going_on=answers.is_going_on,
        is_again=answers.is_again,
        details=answers.details,
        episodes=answers.episodes,
        files=answers.files,
    )
    note_incident(session, sender.way, report, incident, key=key, city=city, clock=clock)
    if sender.asks_not_public:
        ask_not_public(session, sender.way, report_id=report.id, clock=clock)
    add_link(session, report.id, token, at=clock.now())
    return Filed(report.id, report.reference, is_incident=True)


def _note_reporter(session: Session, report_id: UUID, sender: Sender, *, clock: Clock) -> None:
    identity, mailbox, now = sender.identity, _mailbox(sender), clock.now()
    add_row(
        session,
        Reporter,
        report_id=report_id,
        account_id=sender.account_id,
        name=identity.name if identity else None,
        email=mailbox,
        email_key=email_key(mailbox) if mailbox else None,
        phone=identity.phone if identity else None,
        address=identity.address if identity else None,
        asked_not_public_at=now if sender.asks_not_public else None,
        attested_name=sender.attestation.typed_name,
        attested_at=now,
        attestation_version=sender.attestation.version,
        notice_version=sender.attestation.notice_version,
        created_at=now,
    )


def _mailbox(sender: Sender) -> str | None:
    """Where they are written to: what they typed, or the mailbox they signed in with."""
    typed = sender.mailbox or (sender.identity.email if sender.identity else None)
    return typed or sender.account_email


def _is_own(sender: Sender, mailbox: str | None) -> bool:
    """Whether the mailbox was proved: it is the one they signed in with."""
    return bool(mailbox and sender.account_email and email_key(mailbox) == email_key(sender.account_email))


def _write_to_reporter(
    session: Session, report_id: UUID, mailbox: str, token: str, *, is_own: bool, clock: Clock
) -> None:
    """A proved mailbox gets the link; any other is asked first whether the report is its holder's, and told nothing."""
    now = clock.now()
    page, link = OPEN_PAGE, token
    if not is_own:
        page, link = CONFIRM_PAGE, new_token()
        add_link(session, report_id, link, at=now, purpose=LinkPurpose.CONFIRM)
    queue_message(
        session,
        to=mailbox,
        template="report_link" if is_own else "report_confirm",
        context={"path": page.format(token=link)},
        at=now,
        is_secret=True,
        is_confidential=True,
    )

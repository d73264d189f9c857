"""POST Service Request: a report that other software sends for somebody."""

from dataclasses import replace
from uuid import UUID, uuid4

from flask import current_app, request, session
from flask.typing import ResponseReturnValue

from portal.gateways.rate_limits import OPEN311_MAILBOX, TooOften
from portal.open311.blueprint import ENDING, blueprint
from portal.open311.discovery import kind_of
from portal.open311.questions import ATTESTATION_VERSION, NOTICE_VERSION
from portal.open311.read_sending import SentReport, Wrong, read_sending
from portal.ordinance.nuisances import ACCUSES_NOBODY, URGENT, Nuisance
from portal.services.refusal import Refused
from portal.services.reports.answers import Attestation
from portal.services.reports.file_report import Sender
from portal.services.reports.follow_report import WayIn
from portal.services.reports.open311_keys import note_use
from portal.services.reports.report_by_software import report_by_software, sending_key
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.georeport import refused, told
from portal.views.georeport_sender import ReportSender, report_sender
from portal.views.identity import TOKEN
from portal.views.work import gateways, let_go_of_reading, transaction

NO_SERVICE = "Send a service_code from the list of services."
NEVER_SAID = frozenset({"api_key", "csrf_token", "jurisdiction_id"})
TAKEN = "An officer reads every report. This id tells how it stands."
UNNAMED = "Without a name it can't alone support taking an animal from private property (90.11(A)(1))."
LETTER = "The email address is written to with a link to the report, a few times a day at most."
UNWRITTEN = "E-mail as given: {email}"
OUTSIDE = "This may be outside the city. If so, call the police there; ours is {phone}."
DANGER = "If anybody is in danger now, call 911."


@blueprint.post(f"/requests{ENDING}")
@open_to(Access.OPEN311)
def create(ending: str) -> ResponseReturnValue:
    """Take a report and give the id that tells how it stands."""
    parts, who = gateways(), report_sender()
    code = request.form.get("service_code", "").strip()
    if not code:
        return refused(400, NO_SERVICE)
    kind = kind_of(code)
    try:
        sent = read_sending(kind, request.form, city=parts.city, now=parts.clock.now())
    except Wrong as wrong:
        return refused(400, *wrong.sentences)
    sender = _sender(_within_letters(sent, who), who)
    let_go_of_reading()
    try:
        with transaction() as db:
            request_id = report_by_software(
                db,
                sent.answers,
                sender,
                key=_sending_key(who),
                secret_key=current_app.config["SECRET_KEY"],
                city=parts.city,
                clock=parts.clock,
            )
            if who.holder is not None:
                note_use(db, who.holder, clock=parts.clock)
    except Refused as no:
        return refused(400, *(f"{one.field or 'request'}: {one.sentence}." for one in no.refusals))
    one = {"service_request_id": request_id, "service_notice": _notice(kind, sent), "account_id": None}
    return told("service_requests", [one])


def _sender(sent: SentReport, who: ReportSender) -> Sender:
    """Who it is from. A report without a name is tied to no account, also when somebody signed in sends it."""
    signed = sent.identity.name if sent.identity else None
    resident = who.resident if sent.identity else None
    return Sender(
        attestation=Attestation(typed_name=signed, version=ATTESTATION_VERSION, notice_version=NOTICE_VERSION),
        identity=sent.identity,
        mailbox=sent.mailbox,
        account_id=resident.account_id if resident else None,
        account_email=resident.email if resident else None,
        way=WayIn(sign_in=session.get(TOKEN)) if resident else WayIn(),
    )


def _sending_key(who: ReportSender) -> UUID:
    """The same again is the same report, where it is sure to be the same sender's (R1).

    Many people's software may share one key: if their words alone were compared, a neighbor who sent a guess at
    somebody's report would get that report's id, and learn from its time that it is there.
    """
    named = request.headers.get("Idempotency-Key", "")
    if who.holder is not None and not named:
        return uuid4()
    words = sorted((name, value) for name, value in request.form.items(multi=True) if name not in NEVER_SAID)
    return sending_key(who.sender_id, f"{named or gateways().clock.today()} {words!r}")


def _within_letters(sent: SentReport, who: ReportSender) -> SentReport:
    """A mailbox that was written to often enough today is kept for the officer alone.

    To the sender it looks the same: else one who shares a key could learn whose mailbox somebody reported under.
    """
    if sent.mailbox is None:
        return sent
    try:
        gateways().limits.take(OPEN311_MAILBOX, f"{who.sender_id} {email_key(sent.mailbox)}")
    except TooOften:
        named = (
            replace(sent.identity, email=None, address=UNWRITTEN.format(email=sent.mailbox)) if sent.identity else None
        )
        return replace(sent, identity=named, mailbox=None)
    return sent


def _notice(kind: Nuisance, sent: SentReport) -> str:
    said = [DANGER] if kind in URGENT else []
    said += [TAKEN]
    said += [UNNAMED] if sent.identity is None and kind not in ACCUSES_NOBODY else []
    said += [OUTSIDE.format(phone=gateways().city.police.phone)] if sent.answers.is_outside_city else []
    said += [LETTER] if sent.mailbox else []
    return " ".join(said)

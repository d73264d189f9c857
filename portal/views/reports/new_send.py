"""Who sees what, before anything is sent; then the reference, what happens next, and the private link (13.44, V5)."""

from dataclasses import replace

from flask import current_app, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.reports import SendNamedForm, SendUnnamedForm
from portal.gateways.rate_limits import REPORT_MAILBOX, REPORTS, REPORTS_A_DAY
from portal.ordinance.finding import Finding
from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance, anonymous, bite
from portal.services.reports.draft import keep_draft, read_draft
from portal.services.reports.file_report import NO_WAY, OPEN_PAGE, Sender, file_report
from portal.services.reports.follow_report import MyReport, WayIn
from portal.services.reports.in_progress import BegunReport, Step, When, begun_in, drafted
from portal.services.reports.rows import place_key
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import TOKEN, current_resident
from portal.views.reports.blueprint import blueprint
from portal.views.reports.notices import attested
from portal.views.reports.opened import all_opened, remember_report, way_to
from portal.views.reports.progress import Draft, address, back_from, draft_here, draft_token, link_token, start, unsent
from portal.views.reports.said import said_of_sender, said_rows
from portal.views.work import gateways, transaction


@blueprint.route("/new/<kind>/check", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_check(kind: str) -> ResponseReturnValue:
    """Exactly what the police get, and that nobody else gets anything. Nothing is sent before the button."""
    if (draft := unsent(kind)) is None:
        return start(kind)
    begun, parts = draft.begun, gateways()
    if begun.next_step is not Step.CHECK:
        return see_other(address(begun, begun.next_step))
    form = SendNamedForm() if begun.is_named else SendUnnamedForm()
    if form.validate_on_submit():
        with form.refusals():
            _send(draft, is_suspicious=form.is_suspicious, typed_name=str(form.signed.data) if begun.is_named else None)
            return see_other(url_for("reports.new_sent"))
    earlier = _earlier(begun)
    return page(
        "reports/new/check.html",
        form=form,
        begun=begun,
        rows=said_rows(begun, draft.files, zone=parts.city.time_zone),
        sender_rows=said_of_sender(begun),
        accuses_nobody=begun.kind in ACCUSES_NOBODY,
        anonymous=anonymous(),
        goes_to=earlier if earlier and earlier.is_open else None,
        notes=_notes(begun),
        back=back_from(begun, Step.CHECK),
    )


@blueprint.get("/new/sent")
@open_to(Access.ANYONE)
def new_sent() -> ResponseReturnValue:
    """The reference and the private link. Loading it again shows the same, as long as the draft's place is kept."""
    here = draft_here()
    if here is None or not here.begun.sent:
        return see_other(url_for("reports.new"))
    begun = here.begun
    return page(
        "reports/new/sent.html",
        begun=begun,
        notes=_notes(begun),
        accuses_nobody=begun.kind in ACCUSES_NOBODY,
        link=current_app.config["BASE_URL"] + OPEN_PAGE.format(token=link_token(begun)),
    )


def _send(draft: Draft, *, is_suspicious: bool, typed_name: str | None) -> None:
    """Send what is kept, once. What was sent meanwhile, by the same form in another request, stays as it is."""
    parts, begun = gateways(), draft.begun
    for limit in (REPORTS, REPORTS_A_DAY):
        parts.limits.take(limit, request.remote_addr or "")
    sender = _sender(begun, typed_name)
    if mailbox := begun.contact.email:
        parts.limits.take(REPORT_MAILBOX, f"{request.remote_addr}:{email_key(mailbox)}")
    token = link_token(begun)
    with transaction() as db:
        kept = read_draft(db, token=draft_token(), clock=parts.clock)
        reference = begun_in(kept).sent if kept else None
        if reference is None:
            answers = replace(
                begun.report(draft.files, zone=parts.city.time_zone),
                is_suspicious=begun.is_suspicious or is_suspicious,
            )
            filed = file_report(db, answers, sender, key=begun.key, token=token, city=parts.city, clock=parts.clock)
            reference = filed.reference
            is_mailed = bool(mailbox or sender.account_email) and not filed.is_incident
            over = drafted(begun.once_sent(reference, is_mailed=is_mailed), ())
            keep_draft(db, token=draft_token(), draft=over, clock=parts.clock)
    remember_report(reference, token)


def _sender(begun: BegunReport, typed_name: str | None) -> Sender:
    """Who sends it. Without a name nothing ties it to a sign-in or to what was sent with a name."""
    me = current_resident() if begun.is_named else None
    return Sender(
        attestation=attested(typed_name),
        identity=begun.identity(),
        asks_not_public=begun.contact.asks_not_public,
        account_id=me.account_id if me else None,
        account_email=me.email if me else None,
        mailbox=None if begun.is_named else begun.contact.email or None,
        way=_way(begun),
    )


def _way(begun: BegunReport) -> WayIn:
    """What opens their earlier report of the same matter."""
    if (earlier := _earlier(begun)) is None:
        return NO_WAY
    link = way_to(earlier.reference).link
    return WayIn(link=link, sign_in=session.get(TOKEN) if begun.is_named and current_resident() else None)


def _earlier(begun: BegunReport) -> MyReport | None:
    """Their last report of the same matter, if it was sent the same way: with a name, or without."""
    place = place_key(begun.where.place if begun.where else "", gateways().city)
    return next(
        (
            one
            for one in all_opened()
            if one.kind is begun.kind and one.place_key == place and one.has_identity == bool(begun.is_named)
        ),
        None,
    )


def _notes(begun: BegunReport) -> tuple[Finding, ...]:
    """What the law counts from what they said: the days a biting animal is kept apart (90.08(A)(1))."""
    if begun.kind is not Nuisance.BITE or begun.when is None:
        return ()
    on = (
        begun.when.said_at.astimezone(gateways().city.time_zone).date()
        if begun.when.is_when is When.NOW
        else begun.when.on
    )
    return (bite(on),) if on else ()

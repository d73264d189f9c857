"""Following a report: how it stands, the next incident, questions and answers, and its end."""

from dataclasses import replace

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.report_follow import IncidentForm, ReopenForm, WithdrawForm, incident_of
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import REPORT_LINKS, REPORT_WORDS
from portal.services.refusal import NotTheirs
from portal.services.reports.add_to_report import add_incident, reopen_report, withdraw_report
from portal.services.reports.follow_report import WayIn, my_reports
from portal.services.reports.who_reported import confirm_report, is_to_confirm
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.opened import (
    LONGEST_TOKEN,
    all_opened,
    forget_report,
    opened_report,
    remember_report,
    way_to,
    whole_opened_report,
)
from portal.views.reports.status import HAPPENINGS, KINDS, STATES, reopens_until, tracks_of
from portal.views.work import gateways, reading, transaction

TO_CONFIRM = "report_to_confirm"


@blueprint.get("")
@open_to(Access.ANYONE)
def index() -> ResponseReturnValue:
    """The reports of this sign-in, and those that were opened in this browser."""
    return page("reports/follow/index.html", reports=all_opened(), kinds=KINDS, states=STATES)


@blueprint.get("/open/<token>")
@open_to(Access.ANYONE)
def open_link(token: str) -> ResponseReturnValue:
    """A private link. Opening it takes its token out of the address bar (V5)."""
    gateways().limits.take(REPORT_LINKS, request.remote_addr or "")
    token = token[:LONGEST_TOKEN]
    found = my_reports(reading(), WayIn(link=token), clock=gateways().clock)
    if not found:
        return over("reports/follow/over.html")
    remember_report(found[0].reference, token)
    return see_other(url_for("reports.show", reference=found[0].reference))


@blueprint.get("/confirm/<token>")
@open_to(Access.ANYONE)
def confirm_link(token: str) -> ResponseReturnValue:
    """The link of a letter to a mailbox that nobody proved. Opening it does nothing but show the buttons."""
    gateways().limits.take(REPORT_LINKS, request.remote_addr or "")
    session[TO_CONFIRM] = token[:LONGEST_TOKEN]
    return see_other(url_for("reports.confirm"))


@blueprint.route("/confirm", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def confirm() -> ResponseReturnValue:
    """Is this your report? It is shown only after a yes; a no ends the link."""
    token = session.get(TO_CONFIRM, "")
    if not token or not is_to_confirm(reading(), token=token):
        return over("reports/follow/over.html")
    form = ButtonForm()
    if form.validate_on_submit():
        is_theirs = request.form.get("answer") == "yes"
        try:
            with transaction() as db:
                confirm_report(db, token=token, is_theirs=is_theirs, clock=gateways().clock)
        except NotTheirs:  # answered meanwhile in another window
            return over("reports/follow/over.html")
        session.pop(TO_CONFIRM)
        if is_theirs:
            return see_other(url_for("reports.open_link", token=token))
        return see_other(url_for("reports.not_mine"))
    return page("reports/follow/confirm.html", form=form)


@blueprint.get("/not-mine")
@open_to(Access.ANYONE)
def not_mine() -> ResponseReturnValue:
    """After a no."""
    return page("reports/follow/not_mine.html")


@blueprint.route("/<reference>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def show(reference: str) -> ResponseReturnValue:
    """How it stands, and the next incident in a few words."""
    parts = gateways()
    whole = whole_opened_report(reference)
    report = whole.report
    form = IncidentForm()
    if form.validate_on_submit():
        parts.limits.take(REPORT_WORDS, str(report.id))
        incident = incident_of(form)
        if form.is_now:
            incident = replace(incident, happened_at=parts.clock.now())
        with form.refusals(), transaction() as db:
            whose = {"report_id": report.id, "key": form.key}
            add_incident(db, way_to(reference), incident=incident, city=parts.city, clock=parts.clock, **whose)
            return see_other(url_for("reports.show", reference=reference) + "#happened")
    return page(
        "reports/follow/show.html",
        form=form,
        button=ButtonForm(formdata=None),
        whole=whole,
        report=report,
        kind=KINDS[report.kind],
        tracks=tracks_of(report),
        happenings=HAPPENINGS,
        may_reopen=report.may_reopen(clock=parts.clock),
        reopens_until=reopens_until(report),
        holds_link=way_to(reference).link is not None,
    )


@blueprint.route("/<reference>/withdraw", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def withdraw(reference: str) -> ResponseReturnValue:
    """Take the report back. What was told stays with the city."""
    report, form = opened_report(reference), WithdrawForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            withdraw_report(db, way_to(reference), report_id=report.id, why=form.why.data, clock=gateways().clock)
            return see_other(url_for("reports.show", reference=reference))
    elif not form.is_submitted() and not report.is_open:
        return see_other(url_for("reports.show", reference=reference))
    return page("reports/follow/withdraw.html", form=form, report=report)


@blueprint.route("/<reference>/reopen", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def reopen(reference: str) -> ResponseReturnValue:
    """Open it again within 30 days of its closing."""
    report, form = opened_report(reference), ReopenForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            reopen_report(
                db,
                way_to(reference),
                report_id=report.id,
                why=form.why.data,
                key=form.key,
                clock=gateways().clock,
            )
            return see_other(url_for("reports.show", reference=reference))
    elif not form.is_submitted() and report.is_open:
        return see_other(url_for("reports.show", reference=reference))
    return page("reports/follow/reopen.html", form=form, report=report)


@blueprint.route("/<reference>/forget", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def forget(reference: str) -> ResponseReturnValue:
    """This browser forgets the report. Its link opens it again. A GET leads back to the button."""
    opened_report(reference)
    form = ButtonForm()
    if form.validate_on_submit():
        forget_report(reference)
        return see_other(url_for("reports.index"))
    if form.is_submitted():
        return page("reports/follow/forget.html", form=form, reference=reference)
    return see_other(url_for("reports.show", reference=reference))

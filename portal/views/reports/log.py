"""The log of a barking report: tapped as it happens, typed afterwards, read back, and printed (90.10(A))."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.report_log import EpisodeForm, TimerForm
from portal.gateways.rate_limits import REPORT_LOG
from portal.ordinance.nuisances import Nuisance
from portal.services.refusal import NotTheirs
from portal.services.reports.add_to_report import add_to_log
from portal.services.reports.answers import EpisodeAnswers
from portal.services.reports.follow_report import WholeReport
from portal.services.reports.log import timed, typed
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.opened import way_to, whole_opened_report
from portal.views.reports.timeline import shown_log
from portal.views.work import gateways, transaction


@blueprint.route("/<reference>/log", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def barking_log(reference: str) -> ResponseReturnValue:
    """The timer, times by hand, and what the log shows so far."""
    parts = gateways()
    whole = _barking(reference)
    by_hand, timer = log_forms()
    form = timer if is_tapped() else by_hand
    if form.validate_on_submit():
        parts.limits.take(REPORT_LOG, request.remote_addr or "")
        with form.refusals(), transaction() as db:
            add_to_log(
                db,
                way_to(reference),
                report_id=whole.report.id,
                episodes=entries_of(form),
                clock=parts.clock,
            )
            return see_other(url_for("reports.barking_log", reference=reference))
    return page(
        "reports/log/show.html",
        form=form,
        by_hand=by_hand,
        timer=timer,
        report=whole.report,
        log=shown_log((one.heard for one in whole.episodes), zone=parts.city.time_zone),
        entries=whole.episodes,
    )


@blueprint.get("/<reference>/log/sheet")
@open_to(Access.ANYONE)
def log_sheet(reference: str) -> ResponseReturnValue:
    """The log on paper, dated, for the officer."""
    parts, whole = gateways(), _barking(reference)
    return page(
        "reports/log/sheet.html",
        report=whole.report,
        log=shown_log((one.heard for one in whole.episodes), zone=parts.city.time_zone),
        entries=whole.episodes,
        made_at=parts.clock.now(),
    )


def log_forms() -> tuple[EpisodeForm, TimerForm]:
    """Both forms of a log's page; only the one that was sent is filled."""
    today = gateways().clock.today()
    if is_tapped():
        return EpisodeForm(formdata=None, today=today, data={"day": today}), TimerForm()
    return EpisodeForm(today=today, data={"day": today}), TimerForm(formdata=None)


def is_tapped() -> bool:
    """Whether the timer's script sent this."""
    return request.method == "POST" and "entries" in request.form


def entries_of(form: EpisodeForm | TimerForm) -> tuple[EpisodeAnswers, ...]:
    """What was sent, by our clock. Raises Refused for a time that is still to come."""
    now = gateways().clock.now()
    if isinstance(form, TimerForm):
        return timed(form.entries.taps, phone_says=form.phone_says.at, now=now)
    if form.day.data is None or form.started.time is None or form.ended.time is None:
        raise LookupError("The form was not validated")
    return (
        typed(
            form.day.data,
            form.started.time,
            form.ended.time,
            key=form.key,
            heard_from=form.heard_from.data or None,
            zone=gateways().city.time_zone,
            now=now,
        ),
    )


def _barking(reference: str) -> WholeReport:
    whole = whole_opened_report(reference)
    if whole.report.kind is not Nuisance.BARKING:
        raise NotTheirs("Only barking has a log")
    return whole

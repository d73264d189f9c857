"""The timer before there is a report: what is tapped waits in a draft, and the report goes on from there (90.10(A))."""

from collections.abc import Sequence
from dataclasses import replace

from flask import Response, current_app, g, send_from_directory, url_for
from flask.typing import ResponseReturnValue

from portal.forms.report_log import TimerForm
from portal.ordinance.barking import Episode
from portal.ordinance.nuisances import Nuisance
from portal.services.reports.answers import EpisodeAnswers
from portal.services.reports.log import with_more
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.log import entries_of, is_tapped, log_forms
from portal.views.reports.progress import begin, draft_here, keep
from portal.views.reports.timeline import shown_log
from portal.views.work import gateways


@blueprint.route("/log", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def timer() -> ResponseReturnValue:
    """Press first, and say where and whose dog it is afterwards."""
    by_hand, tapped = log_forms()
    form = tapped if is_tapped() else by_hand
    if form.validate_on_submit():
        with form.refusals():
            _keep(entries_of(form))
            return see_other(url_for("reports.timer"))
    here = draft_here()
    entries = here.begun.episodes if here else ()
    heard = (Episode(one.started_at, one.ended_at) for one in entries)
    return page(
        "reports/log/timer.html",
        form=form,
        by_hand=by_hand,
        timer=tapped,
        log=shown_log(heard, zone=gateways().city.time_zone),
        entries=entries,
    )


@blueprint.get("/log/no-signal")
@open_to(Access.ANYONE)
def no_signal() -> ResponseReturnValue:
    """The timer alone, which a phone keeps for when it opens a log's page and has no signal. It is the same for all."""
    g.is_private = False
    return page("reports/log/no_signal.html", timer=TimerForm(formdata=None))


@blueprint.get("/log-worker.js")
@open_to(Access.ANYONE)
def log_worker() -> ResponseReturnValue:
    """The script that answers for a log's page without a signal. A worker reaches as far as its address says."""
    g.is_private = False
    worker: Response = send_from_directory(f"{current_app.root_path}/static", "log_worker.js", max_age=0)
    worker.mimetype = "text/javascript"
    return worker


def _keep(entries: Sequence[EpisodeAnswers]) -> None:
    """Into what was begun here, whatever it is about: there it waits for a report about barking.

    One begins with the first entry where nothing is begun.
    """
    here = draft_here()
    if here is None or here.begun.sent:
        begin(Nuisance.BARKING)
    keep(lambda begun: replace(begun, episodes=with_more(begun.episodes, entries)))

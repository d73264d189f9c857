"""When it barked, each time with its beginning and its end; what the section says is shown beside it (90.10(A))."""

from dataclasses import replace
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.reports import HeardForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance.barking import Episode, read_log, shown
from portal.ordinance.nuisances import Nuisance
from portal.services.reports.answers import MOST_EPISODES, TOO_MANY_EPISODES, EpisodeAnswers
from portal.services.reports.in_progress import BegunReport, Step
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.progress import back_from, keep, keep_and_go_on, start, unsent
from portal.views.reports.said import episode_words
from portal.views.work import gateways

MORE = "more"


@blueprint.route("/new/<kind>/log", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_log(kind: str) -> ResponseReturnValue:
    """Add a time, add another, or go on. None at all is fine."""
    draft = unsent(kind)
    if draft is None or draft.begun.kind is not Nuisance.BARKING:
        return start(kind)
    begun, parts = draft.begun, gateways()
    zone = parts.city.time_zone
    last_day = begun.episodes[-1].started_at.astimezone(zone).date() if begun.episodes else None
    form = HeardForm(data={"day": last_day}, today=parts.clock.today())
    if form.validate_on_submit():
        if form.is_empty:
            return keep_and_go_on(lambda kept: kept.with_answer(Step.LOG))
        episode = form.episode(now=parts.clock.now(), zone=zone)
        if episode and len(begun.episodes) >= MOST_EPISODES:
            form.refuse(None, TOO_MANY_EPISODES.format(most=MOST_EPISODES))
        elif episode:
            return _added(episode, goes_on=MORE not in request.form)
    heard = [Episode(one.started_at, one.ended_at) for one in begun.episodes]
    return page(
        "reports/new/log.html",
        form=form,
        remove=ButtonForm(formdata=None),
        begun=begun,
        said=lambda one: episode_words(one.started_at, one.ended_at, zone),
        finding=shown(read_log(heard, zone=zone)),
        back=back_from(begun, Step.LOG),
    )


@blueprint.route("/new/<kind>/log/<uuid:episode_id>/remove", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_remove_episode(kind: str, episode_id: UUID) -> ResponseReturnValue:
    """Take one out again. A GET leads back to the button."""
    if unsent(kind) is None:
        return start(kind)
    if ButtonForm().validate_on_submit():
        keep(lambda kept: replace(kept, episodes=tuple(one for one in kept.episodes if one.id != episode_id)))
    return see_other(url_for("reports.new_log", kind=kind))


def _added(episode: EpisodeAnswers, *, goes_on: bool) -> ResponseReturnValue:
    """The same form twice adds one."""

    def told(kept: BegunReport) -> BegunReport:
        others = tuple(one for one in kept.episodes if one.id != episode.id)
        return replace(kept, episodes=tuple(sorted((*others, episode), key=lambda one: one.started_at)))

    if goes_on:
        return keep_and_go_on(lambda kept: told(kept).with_answer(Step.LOG))
    changed = keep(told)
    return see_other(url_for("reports.new_log", kind=changed.kind.value))

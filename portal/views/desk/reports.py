"""A report: what was told and heard, what came before there, questions, its end, and on a reason who made it."""

from uuid import UUID

from flask import Blueprint, Response, abort, send_file
from flask.typing import ResponseReturnValue

from portal.forms.desk import ReporterForm, ReportForm
from portal.gateways.storage.store import FileMissing
from portal.ordinance.barking import Episode
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import Report, ReportFileKind, ReportState
from portal.services.desk.reports import REPORTS
from portal.services.files.scans import check_clear
from portal.services.reports.handle_report import (
    ReporterIdentity,
    ReportView,
    ask_reporter,
    close_report,
    identity_reads,
    look_into,
    read_identity,
    report_view,
)
from portal.services.reports.merge_reports import together
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import SANDBOX, picture
from portal.views.reports.status import KINDS
from portal.views.reports.timeline import shown_log
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("reports", __name__, url_prefix=f"{PREFIX}/reports")

CLOSING = (
    ("acted", "The officer acted on it."),
    ("talked", "The officer talked with the people there. Report it again if it happens again."),
    ("picked_up", "The animal was picked up."),
    ("not_found", "The officer went there and found nothing."),
    ("not_enough", "There is not enough to act on yet. Report it again when it happens, with day and time."),
    ("outside", "The place is outside the city. The officer passed it on."),
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Read, ask, say how it stands, or close it."""
    form = ReportForm.offering(CLOSING)
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(REPORTS, said, after=item_id)
    view = report_view(reading(), item_id)
    return item_page(
        "desk/report.html",
        REPORTS,
        Report,
        item_id,
        form,
        rows=together(item_id),
        view=view,
        kind=KINDS[view.report.kind],
        kinds=KINDS,
        log=_log(view),
        is_open=view.report.state is not ReportState.CLOSED,
    )


@blueprint.get("/<uuid:item_id>/files/<uuid:file_id>")
@open_to(Desk.OFFICER)
def file(item_id: UUID, file_id: UUID) -> ResponseReturnValue:
    """A photo as a picture; a sound or a film to keep, never run in this page."""
    found = next((one for one in report_view(reading(), item_id).files if one.id == file_id), None)
    if found is None:
        abort(404)
    if found.kind is ReportFileKind.PHOTO:
        return picture(found.thumbnail_key or found.key, [found.key], 1)
    check_clear(reading(), found.key)
    try:
        content = gateways().storage.open(found.key)
    except FileMissing:
        abort(404)
    response: Response = send_file(
        content, mimetype=found.media_type, as_attachment=True, download_name=f"{found.kind.value}-{found.id}"
    )
    response.headers["Content-Security-Policy"] = SANDBOX
    return response


@blueprint.route("/<uuid:item_id>/reporter", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def reporter(item_id: UUID) -> ResponseReturnValue:
    """Who made it. Each reading asks why, and is written down with the name of whoever reads (13.44, 13.055)."""
    form, identity = ReporterForm(), None
    if form.validate_on_submit():
        with form.refusals():
            identity = _read(form, item_id)
    report = reading().get_one(Report, item_id)
    reads = identity_reads(reading(), report_id=item_id)
    return page("desk/reporter.html", form=form, report=report, identity=identity, reads=reads)


def _decide(form: ReportForm, item_id: UUID) -> str:
    officer, clock = member().email, gateways().clock
    with deciding(REPORTS, Report, item_id, form, rows=together(item_id)) as db:
        pressed = form.pressed("look", "ask", "close")
        if pressed == "look":
            to_all = bool(form.to_all.data)
            look_into(db, report_id=item_id, words=form.words.data, officer=officer, clock=clock, to_all=to_all)
            return "Written down. Each of them reads it." if to_all else "Written down. The reporter reads it."
        if pressed == "ask":
            ask_reporter(db, report_id=item_id, question=form.words.data, officer=officer, clock=clock)
            return "Asked. The report waits for its reporter."
        found = close_report(db, report_id=item_id, reason=form.said, officer=officer, clock=clock)
        return f"{found.reference} is closed. The reporter reads why."


def _read(form: ReporterForm, item_id: UUID) -> ReporterIdentity:
    with transaction() as db:
        return read_identity(db, report_id=item_id, why=form.why.data, officer=member().email, clock=gateways().clock)


def _log(view: ReportView) -> object | None:
    if view.report.kind is not Nuisance.BARKING:
        return None
    episodes = [Episode(one.started_at, one.ended_at) for one in view.episodes]
    return shown_log(episodes, zone=gateways().city.time_zone)

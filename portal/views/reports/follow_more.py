"""More on a report that was sent: an answer to the officer, files, a name, and not to be named publicly."""

from typing import cast
from uuid import UUID

from flask import Response, abort, request, send_file, url_for
from flask.typing import ResponseReturnValue

from portal.forms.base import PortalForm
from portal.forms.report_follow import AnswerForm, FileForm, IdentityForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.rate_limits import REPORT_FILES, REPORT_WORDS
from portal.gateways.storage.store import FileMissing
from portal.schema.reports import ReportFileKind
from portal.services.files.scans import check_clear
from portal.services.reports.add_to_report import add_report_files, answer_question, files_came
from portal.services.reports.answers import MOST_FILES_IN_ALL, TOO_MANY_IN_ALL, FileAnswers
from portal.services.reports.files import store_report_file
from portal.services.reports.who_reported import ask_not_public, give_identity
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.files import SANDBOX, picture
from portal.views.identity import current_resident
from portal.views.reports.blueprint import blueprint
from portal.views.reports.new_files import TOO_LARGE
from portal.views.reports.notices import attested
from portal.views.reports.opened import opened_report, way_to, whole_opened_report
from portal.views.work import gateways, let_go_of_reading, reading, transaction


@blueprint.route("/<reference>/answer", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def answer(reference: str) -> ResponseReturnValue:
    """Answer what the officer asked."""
    whole, form = whole_opened_report(reference), AnswerForm()
    if form.validate_on_submit():
        gateways().limits.take(REPORT_WORDS, str(whole.report.id))
        files = _stored(form, already=len(whole.files))
        if not form.problems:
            with form.refusals(), transaction() as db:
                answer_question(
                    db,
                    way_to(reference),
                    report_id=whole.report.id,
                    answer=form.answer.data,
                    key=form.key,
                    files=files,
                    clock=gateways().clock,
                )
                return see_other(url_for("reports.show", reference=reference))
    elif not form.is_submitted() and whole.question is None:
        return see_other(url_for("reports.show", reference=reference))
    return page("reports/follow/answer.html", form=form, report=whole.report, question=whole.question)


@blueprint.route("/<reference>/files", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def add_files(reference: str) -> ResponseReturnValue:
    """One more photo, sound or film."""
    whole, form = whole_opened_report(reference), FileForm()
    if form.validate_on_submit():
        if files_came(whole, form.key):
            return see_other(url_for("reports.show", reference=reference) + "#files")
        files = _stored(form, already=len(whole.files))
        if not form.problems:
            with form.refusals(), transaction() as db:
                add_report_files(
                    db,
                    way_to(reference),
                    report_id=whole.report.id,
                    files=files,
                    key=form.key,
                    clock=gateways().clock,
                )
                return see_other(url_for("reports.show", reference=reference) + "#files")
    return page("reports/follow/files.html", form=form, report=whole.report)


@blueprint.get("/<reference>/files/<uuid:file_id>")
@open_to(Access.ANYONE)
def file(reference: str, file_id: UUID) -> ResponseReturnValue:
    """A file of one's own report: a photo to look at, a recording to save; kept by no browser, like its page."""
    found = whole_opened_report(reference).file(file_id)
    shown = _photo(found.key) if found.kind is ReportFileKind.PHOTO else _recording(found.key, found.media_type)
    shown.headers["Cache-Control"] = "no-store"
    return shown


def _photo(key: str) -> Response:
    return cast(Response, picture(key, [key], 0))


def _recording(key: str, media_type: str) -> Response:
    check_clear(reading(), key)
    try:
        content = gateways().storage.open(key)
    except FileMissing:
        abort(404)
    # Its name says nothing of the report, and no browser opens it by itself.
    saved: Response = send_file(
        content,
        mimetype=media_type,
        as_attachment=True,
        download_name=f"recording.{media_type.rpartition('/')[2]}",
        conditional=False,
        etag=False,
    )
    saved.headers["Content-Security-Policy"] = SANDBOX
    return saved


@blueprint.route("/<reference>/name", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def identity(reference: str) -> ResponseReturnValue:
    """A report without a name gets one. It is shown to nobody but the police (13.44)."""
    report, form = opened_report(reference), IdentityForm()
    if form.validate_on_submit():
        signed_in = current_resident()
        with form.refusals(), transaction() as db:
            give_identity(
                db,
                way_to(reference),
                report_id=report.id,
                identity=form.identity,
                attestation=attested(form.attested_name.data),
                asks_not_public=form.asks_not_public.data,
                account_id=signed_in.account_id if signed_in else None,
                key=form.key,
                clock=gateways().clock,
            )
            return see_other(url_for("reports.show", reference=reference))
    return page("reports/follow/name.html", form=form, report=report)


@blueprint.route("/<reference>/not-public", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def not_public(reference: str) -> ResponseReturnValue:
    """They ask the police not to identify them publicly (13.82)."""
    report, form = opened_report(reference), ButtonForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            ask_not_public(db, way_to(reference), report_id=report.id, clock=gateways().clock)
            return see_other(url_for("reports.show", reference=reference))
    return page("reports/follow/not_public.html", form=form, report=report)


def _stored(form: PortalForm, *, already: int) -> tuple[FileAnswers, ...]:
    """The file that came with it, safe in the store. It takes a second, so never inside a transaction."""
    sent = form["file"].data
    if not sent:
        return ()
    parts = gateways()
    if already >= MOST_FILES_IN_ALL:
        form.refuse("file", TOO_MANY_IN_ALL.format(most=MOST_FILES_IN_ALL))
        return ()
    if sent.stream.seek(0, 2) > parts.city.uploads.max_file_bytes:
        form.refuse("file", TOO_LARGE.format(name=sent.filename[-80:], megabytes=parts.city.uploads.max_file_mb))
        return ()
    sent.stream.seek(0)
    parts.limits.take(REPORT_FILES, request.remote_addr or "")
    let_go_of_reading()
    try:
        return store_report_file(
            sent.stream,
            name=sent.filename or "",
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        form.refuse("file", refused.sentence)
        return ()

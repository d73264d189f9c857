"""Photos, sounds and films of it, one after the other or several at once; or none (U1, V1)."""

from typing import BinaryIO, cast
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from portal.forms.reports import FilesForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.rate_limits import UPLOADS
from portal.schema.reports import ReportFileKind
from portal.services.refusal import NotTheirs
from portal.services.reports.answers import MOST_FILES, TOO_MANY_FILES, FileAnswers
from portal.services.reports.files import store_report_file
from portal.services.reports.in_progress import Step
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.files import picture
from portal.views.reports.blueprint import blueprint
from portal.views.reports.progress import back_from, draft_here, keep, keep_and_go_on, start, unsent
from portal.views.work import gateways, let_go_of_reading

TOO_LARGE = "{name} is larger than {megabytes} MB. Send a shorter piece of it, or tell us that you have it"
MORE = "more"


@blueprint.route("/new/<kind>/files", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_files(kind: str) -> ResponseReturnValue:
    """Add some, or go on. A file that can't be read takes none of the others with it."""
    if (draft := unsent(kind)) is None:
        return start(kind)
    form = FilesForm()
    if form.validate_on_submit():
        added = _stored(form, already=len(draft.files))
        if added:
            keep(lambda kept: kept, files=lambda kept: (*kept, *added)[:MOST_FILES])
        if not form.problems:
            if MORE in request.form:
                return see_other(url_for("reports.new_files", kind=kind))
            return keep_and_go_on(lambda kept: kept.with_answer(Step.FILES))
        draft = unsent(kind) or draft
    return page(
        "reports/new/files.html",
        form=form,
        remove=ButtonForm(formdata=None),
        draft=draft,
        most=MOST_FILES,
        back=back_from(draft.begun, Step.FILES),
    )


@blueprint.route("/new/<kind>/files/<uuid:file_id>/remove", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_remove_file(kind: str, file_id: UUID) -> ResponseReturnValue:
    """Take one out again. A GET leads back to the button."""
    if unsent(kind) is None:
        return start(kind)
    if ButtonForm().validate_on_submit():
        keep(lambda kept: kept, files=lambda kept: tuple(one for one in kept if one.id != file_id))
    return see_other(url_for("reports.new_files", kind=kind))


@blueprint.get("/new/files/<uuid:file_id>.jpg")
@open_to(Access.ANYONE)
def new_picture(file_id: UUID) -> ResponseReturnValue:
    """The small picture of a photo of this browser's draft; kept nowhere."""
    here = draft_here()
    found = next((one for one in here.files if one.id == file_id), None) if here else None
    if found is None or found.kind is not ReportFileKind.PHOTO:
        raise NotTheirs("No such picture")
    response = picture(found.thumbnail_key or found.key, [found.key], 0)
    response.headers["Cache-Control"] = "no-store"  # type: ignore[union-attr]
    return response


def _stored(form: FilesForm, *, already: int) -> list[FileAnswers]:
    """Those that can be taken, safe in the store; a sentence on the form for each of the others."""
    sent: list[FileStorage] = form.file.data
    if already + len(sent) > MOST_FILES:
        form.refuse("file", TOO_MANY_FILES.format(most=MOST_FILES))
        return []
    for _ in sent:
        gateways().limits.take(UPLOADS, f"reporter:{request.remote_addr}")
    let_go_of_reading()
    return [answers for one in sent for answers in _one_stored(form, one)]


def _one_stored(form: FilesForm, sent: FileStorage) -> tuple[FileAnswers, ...]:
    parts, name, content = gateways(), sent.filename or "", cast(BinaryIO, sent.stream)
    if content.seek(0, 2) > parts.city.uploads.max_file_bytes:
        form.refuse("file", TOO_LARGE.format(name=name[-80:], megabytes=parts.city.uploads.max_file_mb))
        return ()
    content.seek(0)
    try:
        return store_report_file(
            content,
            name=name,
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        form.refuse("file", refused.sentence)
        return ()

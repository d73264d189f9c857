"""The photo of a notice: sent, turned, cut; each by a button that works without script (U1, V1)."""

from typing import BinaryIO, cast

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.notices import CutForm, NoticePhotoForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.rate_limits import UPLOADS
from portal.services.notices.change_notice import Gone
from portal.services.notices.draft import Draft
from portal.services.notices.in_progress import NoticePhoto, Step
from portal.services.notices.photo import change_notice_photo, store_notice_photo
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.files import picture
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.letting_go import let_go
from portal.views.notices.progress import back_from, draft_here, is_locked, keep, keep_and_go_on, start, unsent
from portal.views.work import gateways, let_go_of_reading

TURNS = {"left": 270, "right": 90}


@blueprint.route(f"{KIND}/new/photo", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_photo(kind: str) -> ResponseReturnValue:
    """Send one, or go on; one that is there is shown."""
    if (draft := unsent(kind)) is None:
        return start(kind)
    form = NoticePhotoForm()
    if form.validate_on_submit():
        if not form.photo.data:
            return keep_and_go_on(lambda kept: kept.with_answer(Step.PHOTO))
        if stored := _stored(form):
            keep(lambda kept: kept, photo=lambda _: stored)
            return see_other(url_for("notices.new_photo", kind=kind))
    cut = CutForm(formdata=None, data=_cuts(draft.photo))
    return page("notices/photo.html", form=form, cut=cut, draft=draft, back=back_from(draft.begun, Step.PHOTO))


@blueprint.route(f"{KIND}/new/photo/change", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_photo_change(kind: str) -> ResponseReturnValue:
    """Turn it by a quarter, or cut it, always from the whole of it. A GET leads back to the buttons."""
    draft = unsent(kind)
    if draft is None:
        return start(kind)
    form = CutForm()
    if draft.photo and form.validate_on_submit():
        gateways().limits.take(UPLOADS, _sender())
        turn = TURNS.get(request.form.get("turn", ""), 0)
        # What was cut from a side is on another side once the picture is turned.
        cut = (0, 0, 0, 0) if turn else form.cut()
        let_go_of_reading()
        changed = change_notice_photo(
            draft.photo, turned=draft.photo.turned + turn, cut=cut, storage=gateways().storage
        )
        keep(lambda kept: kept, photo=lambda _: changed)
        let_go(_no_longer_needed(draft))
    return see_other(url_for("notices.new_photo", kind=kind))


@blueprint.route(f"{KIND}/new/photo/remove", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_photo_remove(kind: str) -> ResponseReturnValue:
    """Without a photo after all. A GET leads back to the button."""
    if unsent(kind) is None:
        return start(kind)
    if ButtonForm().validate_on_submit():
        keep(lambda kept: kept, photo=lambda _: None)
    return see_other(url_for("notices.new_photo", kind=kind))


@blueprint.get("/notices/new/photo.jpg")
@open_to(Access.ANYONE)
def new_picture() -> ResponseReturnValue:
    """The picture of this browser's draft; kept nowhere."""
    here = None if is_locked() else draft_here()
    if here is None or here.photo is None:
        raise NotTheirs("No such picture")
    response = picture(here.photo.thumbnail_key, [here.photo.key], 1)
    response.headers["Cache-Control"] = "no-store"  # type: ignore[union-attr]
    return response


def _stored(form: NoticePhotoForm) -> NoticePhoto | None:
    """The photo safe in the store; None with a sentence on the form. Takes a second, so before any transaction."""
    parts = gateways()
    parts.limits.take(UPLOADS, _sender())
    let_go_of_reading()
    try:
        return store_notice_photo(
            cast(BinaryIO, form.photo.data.stream),
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        form.refuse("photo", refused.sentence)
        return None


def _no_longer_needed(draft: Draft) -> Gone:
    """The picture before this change, where it is neither the whole nor shown on a notice that is being changed."""
    photo = draft.photo
    if photo is None:
        return Gone()
    if photo.key != photo.whole_key:
        return Gone((photo.key, photo.thumbnail_key))
    return Gone() if draft.begun.changes else Gone((photo.thumbnail_key,))


def _cuts(photo: NoticePhoto | None) -> dict[str, str]:
    return dict(zip(("left", "top", "right", "bottom"), map(str, photo.cut), strict=True)) if photo else {}


def _sender() -> str:
    return f"notice:{request.remote_addr}"

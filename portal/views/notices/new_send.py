"""The notice once more as everybody will see it, and what is kept apart; then the button (90.07, 90.11(B))."""

from dataclasses import replace

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.notices import SendNoticeForm
from portal.gateways.rate_limits import (
    FINDER_MAILBOX,
    NOTICES,
    NOTICES_A_DAY,
    TAG_SENDS,
    TAG_SENDS_A_DAY,
    TAG_SENDS_OF_ALL,
    TAG_TOLD,
)
from portal.schema.notices import NoticeKind
from portal.services.notices.change_notice import Gone, change_notice
from portal.services.notices.draft import Draft, keep_notice_draft, read_notice_draft
from portal.services.notices.file_notice import Filer, file_notice, registered_animal
from portal.services.notices.in_progress import Step
from portal.services.notices.rows import tells_a_number
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import current_resident
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.letting_go import let_go
from portal.views.notices.new import report_by_of
from portal.views.notices.opened import remember_notice, way_to
from portal.views.notices.progress import address, back_from, draft_token, link_token, start, unsent
from portal.views.notices.said import apart_rows, shown_rows
from portal.views.tags import TALK
from portal.views.work import gateways, reading, transaction

# The notice whose finder wrote to the people of a tag or a chip in this browser.
PASSED_ON = "notice_passed_on"


@blueprint.route(f"{KIND}/new/check", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_check(kind: str) -> ResponseReturnValue:
    """What everybody will see, and what nobody will. A missing pet's notice is somebody's, so they sign in."""
    if (draft := unsent(kind)) is None:
        return start(kind)
    begun = draft.begun
    if begun.next_step is not Step.CHECK:
        return see_other(address(begun, begun.next_step))
    if begun.kind is NoticeKind.LOST and current_resident() is None:
        return see_other(url_for("sign_in.ask", next=url_for("notices.new_check", kind=kind)))
    form = SendNoticeForm()
    if form.validate_on_submit():
        with form.refusals():
            reference = _send(draft, is_suspicious=form.is_suspicious)
            return see_other(url_for("notices.own", reference=reference))
    return page(
        "notices/check.html",
        form=form,
        begun=begun,
        photo=draft.photo,
        shown=shown_rows(begun),
        apart=apart_rows(begun),
        tells_a_number=tells_a_number(draft),
        report_by=report_by_of(begun),
        now=gateways().clock.now(),
        back=back_from(begun, Step.CHECK),
    )


def _send(draft: Draft, *, is_suspicious: bool) -> str:
    """Send what is kept, once. What was sent meanwhile by the same form stays as it is."""
    parts, begun, gone, is_passed_on = gateways(), draft.begun, Gone(), False
    _count(draft)
    me = current_resident()
    token = link_token(begun)
    filer = Filer(token=token, account_id=me.account_id if me else None, person_id=me.person_id if me else None)
    with transaction() as db:
        kept = read_notice_draft(db, token=draft_token(), clock=parts.clock)
        reference = kept.begun.sent if kept else None
        if reference is None:
            whole = Draft(replace(begun, is_suspicious=begun.is_suspicious or is_suspicious), draft.photo)
            if begun.changes:
                reference = begun.changes
                gone = change_notice(db, whole, way_to(reference), city=parts.city, clock=parts.clock)
            else:
                filed = file_notice(db, whole, filer, city=parts.city, clock=parts.clock)
                reference, is_passed_on = filed.reference, filed.is_passed_on
            over = Draft(begun.once_sent(reference))
            keep_notice_draft(db, token=draft_token(), draft=over, clock=parts.clock)
    if me is None and not begun.changes:
        remember_notice(reference, token)
    if is_passed_on:
        session[TALK], session[PASSED_ON] = token, reference
    let_go(Gone((*gone.keys, *_cut_away(draft))))
    return reference


def _cut_away(draft: Draft) -> tuple[str, ...]:
    """The whole picture that it was cut from: what was cut off may be what nobody was to see."""
    photo = draft.photo
    return (photo.whole_key,) if photo and photo.whole_key != photo.key else ()


def _count(draft: Draft) -> None:
    """Every attempt is counted, and one with a number of a tag as under /tags: nobody counts through tags here."""
    limits, where, more = gateways().limits, request.remote_addr or "", draft.begun.more
    for limit in (NOTICES, NOTICES_A_DAY):
        limits.take(limit, where)
    if draft.begun.kind is NoticeKind.FOUND and (more.tag or more.chip):
        for limit in (TAG_SENDS, TAG_SENDS_A_DAY):
            limits.take(limit, where)
        limits.take(TAG_SENDS_OF_ALL, "")
        animal, _ = registered_animal(reading(), draft, clock=gateways().clock)
        if animal:
            limits.take(TAG_TOLD, str(animal.id))
    if more.email:
        limits.take(FINDER_MAILBOX, email_key(more.email))

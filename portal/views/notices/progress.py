"""Where a notice being written stands: read for a page, kept after each answer, moved on to the next question."""

from collections.abc import Callable

from flask import request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from portal.gateways.rate_limits import NOTICE_ANSWERS
from portal.schema.notices import NoticeKind
from portal.services.notices.draft import Draft, keep_notice_draft, read_notice_draft
from portal.services.notices.in_progress import BegunNotice, NoticePhoto, Step
from portal.services.refusal import NotTheirs
from portal.services.secrets import new_token, token_hash
from portal.views.answers import see_other
from portal.views.identity import ACCOUNT, NOTICE, browser_secret, current_resident
from portal.views.work import gateways, reading, transaction

Change = Callable[[BegunNotice], BegunNotice]


def draft_here() -> Draft | None:
    """What this browser has begun, or sent last."""
    token = session.get(NOTICE, {}).get("token")
    return read_notice_draft(reading(), token=token, clock=gateways().clock) if token else None


def unsent(kind: str) -> Draft | None:
    """What this browser has begun of that kind; None when there is nothing, it was sent, or is not to be shown now."""
    found = None if is_locked() else draft_here()
    return found if found and found.begun.kind == kind and not found.begun.sent else None


def is_locked() -> bool:
    """Whose sign-in ran out, perhaps on a library's computer, signs in before their answers are shown again.

    What they send meanwhile is still kept (F1).
    """
    owner, me = session.get(NOTICE, {}).get(ACCOUNT), current_resident()
    return request.method != "POST" and owner is not None and (me is None or str(me.account_id) != owner)


def answering(kind: str) -> Draft | None:
    """The same for a page that asks something: an answer from a page whose session is gone begins anew (F1)."""
    if request.method == "POST" and draft_here() is None:
        return Draft(BegunNotice(kind=NoticeKind(kind)))
    return unsent(kind)


def begin(draft: Draft) -> ResponseReturnValue:
    """Start with these answers; what was begun before is let go."""
    parts = gateways()
    parts.limits.take(NOTICE_ANSWERS, request.remote_addr or "")
    browser_secret()
    _make_room()
    with transaction() as db:
        keep_notice_draft(db, token=draft_token(), draft=draft, clock=parts.clock)
    return see_other(address(draft.begun, draft.begun.next_step))


def keep_and_go_on(change: Change) -> ResponseReturnValue:
    """Keep what was answered on top of what another tab may have kept meanwhile, and go to the next question."""
    changed = keep(change)
    return see_other(address(changed, changed.next_step))


def keep(change: Change, *, photo: Callable[[NoticePhoto | None], NoticePhoto | None] | None = None) -> BegunNotice:
    """Keep what was answered; the page stays. A notice that was sent meanwhile stays sent."""
    parts = gateways()
    parts.limits.take(NOTICE_ANSWERS, request.remote_addr or "")
    if NOTICE not in session:
        browser_secret()
        _make_room()
    with transaction() as db:
        kept = read_notice_draft(db, token=draft_token(), clock=parts.clock)
        kind = NoticeKind(str((request.view_args or {}).get("kind")))
        here = kept or Draft(BegunNotice(kind=kind))
        if here.begun.sent:
            return here.begun
        changed = Draft(change(here.begun), photo(here.photo) if photo else here.photo)
        keep_notice_draft(db, token=draft_token(), draft=changed, clock=parts.clock)
    return changed.begun


def let_go_of_change(db: Session, reference: str) -> tuple[str, ...]:
    """The notice is over: so is what this browser began to change in it. The keys of its pictures."""
    token, clock = session.get(NOTICE, {}).get("token"), gateways().clock
    draft = read_notice_draft(db, token=token, clock=clock) if token else None
    if draft is None or draft.begun.changes != reference:
        return ()
    keep_notice_draft(db, token=token, draft=Draft(draft.begun.once_sent(reference)), clock=clock)
    photo = draft.photo
    return (photo.key, photo.thumbnail_key, photo.whole_key) if photo else ()


def draft_token() -> str:
    """The secret by which the draft is found."""
    token = session.get(NOTICE, {}).get("token")
    if not token:
        raise NotTheirs("Nothing is begun here")
    return str(token)


def link_token(begun: BegunNotice) -> str:
    """The token of a finder's private link: the same form from the same browser gives the same one."""
    return token_hash(f"{browser_secret()}:{begun.key}")


def address(begun: BegunNotice, step: Step) -> str:
    """The page of a step; of a notice that was sent, its filer's page."""
    if begun.sent:
        return url_for("notices.own", reference=begun.sent)
    return url_for(f"notices.new_{step.value}", kind=begun.kind.value)


def start(kind: str) -> ResponseReturnValue:
    """Where somebody goes who has begun nothing, has sent it, or signs in to go on."""
    if is_locked():
        return see_other(url_for("sign_in.ask", next=request.path))
    here = draft_here()
    if here and here.begun.sent and here.begun.kind == kind:
        return see_other(url_for("notices.own", reference=here.begun.sent))
    return see_other(url_for(f"notices.{kind}_new"))


def back_from(begun: BegunNotice, step: Step) -> str:
    """Where the back link leads: to the check page once everything is answered, else to the page before."""
    if begun.next_step is Step.CHECK and step is not Step.CHECK:
        return address(begun, Step.CHECK)
    if step is Step.CHECK and begun.changes:
        return url_for("notices.own", reference=begun.changes)
    at = begun.steps.index(step)
    return address(begun, begun.steps[at - 1]) if at else url_for(f"notices.{begun.kind.value}_new")


def _make_room() -> None:
    """A secret for a new draft; of whoever is signed in, if anybody."""
    me = current_resident()
    session[NOTICE] = {"token": new_token()} | ({ACCOUNT: str(me.account_id)} if me else {})

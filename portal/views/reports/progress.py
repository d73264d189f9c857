"""Where a report being written stands: read for a page, kept after each answer, moved on to the next question."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.gateways.rate_limits import REPORT_ANSWERS
from portal.ordinance.nuisances import Nuisance
from portal.services.refusal import NotTheirs
from portal.services.reports.answers import FileAnswers
from portal.services.reports.draft import drop_draft, keep_draft, read_draft
from portal.services.reports.in_progress import BegunReport, Step, begun_in, drafted
from portal.services.secrets import new_token, token_hash
from portal.views.answers import see_other
from portal.views.identity import ACCOUNT, REPORT, browser_secret, current_resident
from portal.views.work import gateways, reading, transaction

Change = Callable[[BegunReport], BegunReport]


@dataclass(frozen=True)
class Draft:
    """The answers and the files so far."""

    begun: BegunReport
    files: tuple[FileAnswers, ...] = ()


def kind_of(named: str) -> Nuisance:
    """The kind an address names; there are no others."""
    try:
        return Nuisance(named)
    except ValueError as unknown:
        raise NotTheirs("No such kind of report") from unknown


def draft_here() -> Draft | None:
    """What this browser has begun, or sent last."""
    token = session.get(REPORT, {}).get("token")
    kept = read_draft(reading(), token=token, clock=gateways().clock) if token else None
    return Draft(begun_in(kept), kept.files) if kept else None


def unsent(kind: str) -> Draft | None:
    """What this browser has begun about that kind; None when there is nothing, or it was sent."""
    wanted, found = kind_of(kind), draft_here()
    return found if found and found.begun.kind is wanted and not found.begun.sent else None


def answering(kind: str) -> Draft | None:
    """The same for a page that asks something.

    Whoever sends an answer, perhaps a long text, from a page whose session is gone begins anew with it (F1).
    """
    wanted = kind_of(kind)
    if request.method == "POST" and draft_here() is None:
        return Draft(BegunReport(kind=wanted))
    return unsent(kind)


def begin(kind: Nuisance) -> ResponseReturnValue:
    """Start, or go on about another kind with what was answered. A log that was not sent yet comes along."""
    gateways().limits.take(REPORT_ANSWERS, request.remote_addr or "")
    browser_secret()
    here = draft_here()
    if here is None or here.begun.sent:
        here = Draft(BegunReport(kind=kind, episodes=here.begun.episodes if here else ()))
        _make_room()
    changed = here.begun.as_kind(kind)
    with transaction() as db:
        keep_draft(db, token=_token(), draft=drafted(changed, here.files), clock=gateways().clock)
    return see_other(address(changed, changed.next_step))


def keep_and_go_on(change: Change) -> ResponseReturnValue:
    """Keep what was answered on top of what another tab may have kept meanwhile, and go to the next question."""
    return see_other(address(changed := keep(change), changed.next_step))


def keep(
    change: Change, *, files: Callable[[tuple[FileAnswers, ...]], tuple[FileAnswers, ...]] | None = None
) -> BegunReport:
    """Keep what was answered; the page stays. A report that was sent meanwhile stays sent."""
    parts = gateways()
    parts.limits.take(REPORT_ANSWERS, request.remote_addr or "")
    if REPORT not in session:
        browser_secret()
        _make_room()
    with transaction() as db:
        kept = read_draft(db, token=_token(), clock=parts.clock)
        begun = begun_in(kept) if kept else BegunReport(kind=kind_of(str((request.view_args or {}).get("kind"))))
        already = kept.files if kept else ()
        changed = begun if begun.sent else change(begun)
        now = files(already) if files and not begun.sent else already
        keep_draft(db, token=_token(), draft=drafted(changed, now), clock=parts.clock)
    return changed


def forget() -> None:
    """Give it up: nothing of it stays, here or in the database."""
    token = session.pop(REPORT, {}).get("token")
    if token:
        with transaction() as db:
            drop_draft(db, token=token)


def forget_sent(reference: str) -> None:
    """The page that says a report was sent shows its link: this browser forgets that page too."""
    here = draft_here()
    if here and here.begun.sent == reference:
        session.pop(REPORT, None)


def draft_token() -> str:
    """The secret by which the draft is found."""
    return _token()


def link_token(begun: BegunReport) -> str:
    """The token of its private link: the same form from the same browser gives the same one (R1)."""
    return token_hash(f"{browser_secret()}:{begun.key}")


def address(begun: BegunReport, step: Step) -> str:
    """The page of a step; of a report that was sent, the page that says so."""
    if begun.sent:
        return url_for("reports.new_sent")
    return url_for(f"reports.new_{step.value}", kind=begun.kind.value)


def start(kind: str) -> ResponseReturnValue:
    """Where somebody goes who has begun nothing, or has sent it."""
    here = draft_here()
    if here and here.begun.sent and here.begun.kind == kind:
        return see_other(url_for("reports.new_sent"))
    return see_other(url_for("reports.new_kind", kind=kind))


def back_from(begun: BegunReport, step: Step) -> str:
    """Where the back link leads: to the check page once everything is answered, else to the page before."""
    if begun.next_step is Step.CHECK and step is not Step.CHECK:
        return address(begun, Step.CHECK)
    at = begun.steps.index(step)
    return address(begun, begun.steps[at - 1]) if at else url_for("reports.new_kind", kind=begun.kind.value)


def _make_room() -> None:
    """A secret for a new draft; of whoever is signed in, if anybody."""
    me = current_resident()
    session[REPORT] = {"token": new_token()} | ({ACCOUNT: str(me.account_id)} if me else {})


def _token() -> str:
    token = session.get(REPORT, {}).get("token")
    if not token:
        raise NotTheirs("Nothing is begun here")
    return str(token)

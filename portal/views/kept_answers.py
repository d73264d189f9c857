"""Answers posted after the sign-in had ended: kept in the database until the person is back on the page."""

from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import g, request, session
from werkzeug.datastructures import MultiDict

from portal.forms.base import PortalForm
from portal.forms.text import many_lines, one_line
from portal.gateways.rate_limits import KEPT_ANSWERS
from portal.services.signing_in.kept_answers import keep_answers, kept_answers
from portal.views.work import gateways, reading, transaction

KEY = "kept"
NEVER_KEPT = frozenset({"csrf_token"})

Form = TypeVar("Form", bound=PortalForm)


def keep_posted_answers() -> None:
    """Keep what this request posted under a token that only this browser has. Nothing is acted on."""
    typed = {name: values for name, values in request.form.lists() if name not in NEVER_KEPT}
    fields = {one_line(name): [many_lines(value) for value in values] for name, values in typed.items()}
    if not fields:
        return
    gateways().limits.take(KEPT_ANSWERS, request.remote_addr or "")
    g.sender_is_known = True  # the row can be read back by this browser alone
    with transaction() as db:
        token = keep_answers(db, fields, path=request.path, clock=gateways().clock)
    session[KEY] = {"token": token, "path": request.path}


def are_answers_kept(path: str) -> bool:
    """Whether what this browser posted to the page waits there for the sign-in."""
    return bool(session.get(KEY)) and session[KEY]["path"] == urlsplit(path).path


def form_for(form: type[Form], *, data: dict[str, Any] | None = None, **more: Any) -> Form:
    """The page's form: what was posted, else what was kept for this page, else what is stored."""
    kept = _kept_for_this_page()
    if kept is not None:
        return form(formdata=kept, data=data, **more)
    return form(data=data, **more)


def _kept_for_this_page() -> MultiDict[str, str] | None:
    kept = session.get(KEY)
    if not kept or kept["path"] != request.path:
        return None
    if request.method == "POST":
        session.pop(KEY)  # sent again: from here on what is stored counts
        return None
    fields = kept_answers(reading(), kept["token"], clock=gateways().clock)
    return MultiDict(fields) if fields else None

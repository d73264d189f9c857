"""What staff typed when their sign-in had run out: sealed in the database, and in the page again once they are back.

It is kept for whoever was signed in in this browser, as its cookie says, and opens for nobody else.
"""

import base64
from io import BytesIO

from flask import Flask, Response, g, request, session
from flask_wtf.csrf import validate_csrf
from werkzeug.datastructures import FileStorage, MultiDict
from wtforms.validators import ValidationError

from portal.forms.text import many_lines, one_line
from portal.gateways.rate_limits import KEPT_ANSWERS
from portal.services.desk.kept_answers import LASTS, forget_answers, keep_answers, kept_answers
from portal.services.staff.sign_in import StaffMember
from portal.views.desk.identity import KEPT, WHO, sealing
from portal.views.work import gateways, reading, transaction

NEVER_KEPT = frozenset({"csrf_token", "decision"})
TOKEN_NAME = "csrf_token"  # noqa: S105 - the name of a field


def keep_posted() -> None:
    """Keep what this request posted for whoever was signed in here. Nothing is acted on."""
    who = session.get(WHO)
    if who is None or not _is_from_our_page():
        return
    typed = {name: values for name, values in request.form.lists() if name not in NEVER_KEPT}
    fields = {one_line(name): [many_lines(value) for value in values] for name, values in typed.items()}
    files = _files_sent()
    if not fields and not files:
        return
    gateways().limits.take(KEPT_ANSWERS, request.remote_addr or "")
    answers, clock = {"fields": fields, "files": files}, gateways().clock
    g.sender_is_known = True  # the token of the page is one of this browser
    with transaction() as db:
        token = keep_answers(db, answers, staff_id=who, path=request.path, sealing=sealing(), clock=clock)
    session[KEPT] = {"token": token, "path": request.path}


def is_kept() -> bool:
    """Whether something waits in this browser for a sign-in."""
    return KEPT in session


def bring_back(member: StaffMember) -> None:
    """Before a page of the desk: what its reader typed there before is in its form again, and a file is sent along."""
    kept = session.get(KEPT)
    if not kept or kept["path"] != request.path:
        return
    whose, clock = member.staff_id, gateways().clock
    opened = kept_answers(reading(), kept["token"], staff_id=whose, sealing=sealing(), clock=clock)
    if opened is None:
        return
    g.kept_fields = MultiDict(opened["fields"])
    g.kept_files = MultiDict((name, _file(*rest)) for name, *rest in opened["files"])


def let_go(response: Response) -> Response:
    """Once the form went through, nothing of it is kept."""
    kept = session.get(KEPT)
    is_done = request.method == "POST" and response.status_code in (204, 302, 303)
    if kept and kept["path"] == request.path and is_done and g.get("kept_fields") is not None:
        session.pop(KEPT)
        with transaction() as db:
            forget_answers(db, kept["token"])
    return response


def _is_from_our_page() -> bool:
    """The page's token still fits the cookie: nobody else's page planted this."""
    try:
        validate_csrf(request.form.get(TOKEN_NAME), time_limit=int(LASTS.total_seconds()))
    except ValidationError:
        return False
    return True


def _files_sent() -> list[tuple[str, str, str, str]]:
    """Field, name, type and content of each file; none when they are too large together for one form."""
    sent = [(name, one) for name, one in request.files.items(multi=True) if one.filename]
    contents = [one.read() for _, one in sent]
    if sum(map(len, contents)) > gateways().city.uploads.max_file_bytes:
        return []
    return [
        (name, one.filename or "", one.mimetype, base64.b64encode(content).decode())
        for (name, one), content in zip(sent, contents, strict=True)
    ]


def _file(filename: str, mimetype: str, content: str) -> FileStorage:
    return FileStorage(BytesIO(base64.b64decode(content)), filename=filename, content_type=mimetype)


def _context() -> dict[str, object]:
    is_back = request.method == "GET" and g.get("kept_fields") is not None
    names = [one.filename for one in g.kept_files.values()] if is_back else []
    return {"is_typed_back": is_back, "files_back": names}


def init_app(app: Flask) -> None:
    app.after_request(let_go)
    app.context_processor(_context)

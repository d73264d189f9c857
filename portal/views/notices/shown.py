"""A notice as everybody sees it. Opening the page changes nothing: no preview or crawler is taken for a finder."""

from flask import current_app, g, render_template, url_for
from flask.typing import ResponseReturnValue

from portal.schema.notices import NoticeKind
from portal.services.notices.shown import ShownNotice, shown_notice
from portal.services.refusal import NotTheirs
from portal.services.secrets import read_spoken_code
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.files import picture as stored_picture
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.words import HOLDINGS, facts_of, title_of
from portal.views.work import reading


@blueprint.get(f"{KIND}/<reference>")
@open_to(Access.ANYONE)
def show(kind: str, reference: str) -> ResponseReturnValue:
    """What it looks like, where it was, and the button to write; once it is home, that it is."""
    g.is_private = False
    try:
        found = shown(kind, reference)
    except NotTheirs:
        meant = read_spoken_code(reference, group=5)
        if not meant or meant == reference:
            return render_template("notices/not_shown.html", kind=kind, is_error=True), 404
        return see_other(url_for(".show", kind=kind, reference=meant))  # typed off a poster, in small letters
    return page(
        "notices/show.html",
        notice=found,
        title=title_of(found),
        facts=facts_of(found),
        holdings=HOLDINGS,
        base_url=current_app.config["BASE_URL"],
    )


@blueprint.get(f"{KIND}/<reference>/<any(photo, small):size>.jpg")
@open_to(Access.ANYONE)
def picture(kind: str, reference: str, size: str) -> ResponseReturnValue:
    """Its picture, as long as the notice is shown: a browser asks again each time."""
    found = shown(kind, reference)
    if found.photo_key is None or found.thumbnail_key is None:
        raise NotTheirs("No such picture")
    response = stored_picture(found.thumbnail_key, [found.photo_key], 1 if size == "photo" else 0)
    response.headers["Cache-Control"] = "no-cache"  # type: ignore[union-attr]
    return response


def shown(kind: str, reference: str) -> ShownNotice:
    """The notice of an address; any other does not exist."""
    return shown_notice(reading(), kind=NoticeKind(kind), reference=reference)

"""How a view answers: a page, a page with mistakes, or a move to another page."""

from urllib.parse import urlsplit

from flask import make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from portal.forms.base import PortalForm


def page(template: str, *, form: PortalForm | None = None, **context: object) -> ResponseReturnValue:
    """The page; with status 422 when the form on it was sent and has mistakes."""
    status = 422 if form is not None and form.is_submitted() and form.problems else 200
    return render_template(template, form=form, **context), status


def over(template: str) -> ResponseReturnValue:
    """The page of a link that opens nothing any more."""
    return render_template(template, is_error=True), 410


def see_other(url: str) -> ResponseReturnValue:
    """Move on after a form. htmx would follow a 303 silently and paste the next page into the form's place."""
    if request.headers.get("HX-Request") == "true":
        response = make_response("", 204)
        response.headers["HX-Redirect"] = url
        return response
    return redirect(url, 303)


def own_path(wanted: str | None, *, fallback: str) -> str:
    """A path of this portal to go on to; anything else, such as another site's address, becomes the fallback."""
    if not wanted or not wanted.startswith("/") or wanted.startswith("//") or "\\" in wanted:
        return fallback
    parts = urlsplit(wanted)
    if parts.scheme or parts.netloc or any(not character.isprintable() for character in wanted):
        return fallback
    return wanted

"""What the pages of signing in share: their address, and what the cookie notes on the way."""

from flask import Blueprint, session
from flask.typing import ResponseReturnValue

from portal.views.answers import see_other
from portal.views.desk.identity import remember
from portal.views.desk.prefix import PREFIX

blueprint = Blueprint("sign_in", __name__, url_prefix=f"{PREFIX}/sign-in")

ASKED = "asked"
NEXT = "next"
NEW_SECRET = "new_app"  # noqa: S105 - the name of a cookie's entry


def goes_on(token: str) -> str:
    """The sign-in counts from now on; where it was going."""
    next_path: str = session.get(NEXT, PREFIX)
    remember(token)
    return next_path


def signed_in(token: str) -> ResponseReturnValue:
    """The same, and there."""
    return see_other(goes_on(token))

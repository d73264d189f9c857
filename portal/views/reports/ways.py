"""What this browser holds that opens a report: the token of a private link, and a sign-in."""

from flask import session

from portal.services.follow_report import WayIn
from portal.views.identity import TOKEN, current_resident

LINK = "report_link"
LONGEST_TOKEN = 100  # a cookie holds it


def way_in() -> WayIn:
    """By the link that was opened here last, or the sign-in. The database's function asks whether either is good."""
    return WayIn(link=session.get(LINK), sign_in=session.get(TOKEN) if current_resident() else None)


def hold(token: str) -> None:
    """From now on this browser opens the report of this link. The token stands in no address (V5)."""
    session[LINK] = token[:LONGEST_TOKEN]


def let_go() -> None:
    """The link opens it again; this browser, which may be a library's, does not."""
    session.pop(LINK, None)

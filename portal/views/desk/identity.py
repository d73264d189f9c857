"""Who is at the desk: the live sign-in of this browser, read once a request."""

import secrets
from datetime import timedelta
from typing import cast

from flask import current_app, g, session

from portal.gateways.sealing import Sealing
from portal.services.staff.sign_in import StaffMember, member_of
from portal.views.work import gateways, reading

TOKEN = "staff"  # noqa: S105 - the name of a cookie's entry
BROWSER = "browser"
SEEN = "seen"
WHO = "who"
KEPT = "kept"
SEALING = "portal_sealing"

# Nobody sits here any more.
IDLE = timedelta(hours=1)
# How often the cookie notes that somebody does.
NOTED_EVERY = timedelta(minutes=1)


def current_member() -> StaffMember | None:
    """Whoever this browser's sign-in is for, if it is live and was used within the hour."""
    if "member" not in g:
        g.member = _look_up(session.get(TOKEN))
    return cast(StaffMember | None, g.member)


def member() -> StaffMember:
    """The same where access was checked."""
    found = current_member()
    if found is None:
        raise LookupError("This view is open without a sign-in")
    return found


def remember(token: str) -> None:
    """Start this browser's session at the desk anew with the token. What was typed before stays, for its writer."""
    kept = session.get(KEPT)
    session.clear()
    session[TOKEN], session[SEEN] = token, _now()
    if kept:
        session[KEPT] = kept
    g.pop("member", None)


def browser_secret() -> str:
    """A secret of this browser, made when first needed; a code works only with it."""
    if BROWSER not in session:
        session[BROWSER] = secrets.token_urlsafe(24)
    return cast(str, session[BROWSER])


def secret_key() -> str:
    """What codes are hashed under."""
    return secret_keys()[0]


def secret_keys() -> tuple[str, ...]:
    """The same with those before it, which codes that are under way were hashed under."""
    return (current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"])


def sealing() -> Sealing:
    """What the secrets of apps are sealed with."""
    return cast(Sealing, current_app.extensions[SEALING])


def _look_up(token: str | None) -> StaffMember | None:
    if token is None:
        return None
    quiet_s = _now() - session.get(SEEN, 0)
    if quiet_s > IDLE.total_seconds():
        return None
    found = member_of(reading(), token=token, clock=gateways().clock)
    if found and quiet_s > NOTED_EVERY.total_seconds():
        session[SEEN] = _now()
    if found and found.is_proved and session.get(WHO) != str(found.staff_id):
        session[WHO] = str(found.staff_id)
    return found


def _now() -> int:
    return int(gateways().clock.now().timestamp())

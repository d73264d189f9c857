"""Sending a code to sign in, asked for on the sign-in page or from a reminder."""

from flask import current_app, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.gateways.rate_limits import ADDRESS, MAILBOX, MAILBOX_A_DAY
from portal.services.signing_in.sign_in import SignInAsked, ask_to_sign_in, email_key
from portal.views.answers import see_other
from portal.views.identity import browser_secret
from portal.views.work import gateways, transaction

ASKED = "sign_in_asked"


def send_code(email: str, *, next_path: str, is_typed: bool) -> ResponseReturnValue:
    """Send it, and go on to where it is typed in.

    A mailbox that was not typed in this browser is not shown in it before it is proved, and not kept in its cookie.
    """
    limits = gateways().limits
    limits.take(ADDRESS, request.remote_addr or "")
    limits.take(MAILBOX, email_key(email))
    limits.take(MAILBOX_A_DAY, email_key(email))
    asked = SignInAsked(email=email, browser=browser_secret(), next_path=next_path)
    key, base_url = current_app.config["SECRET_KEY"], current_app.config["BASE_URL"]
    with transaction() as db:
        request_id = ask_to_sign_in(db, asked, clock=gateways().clock, secret_key=key, base_url=base_url)
    session[ASKED] = {"id": str(request_id), "email": email if is_typed else None}
    return see_other(url_for("sign_in.code"))

"""Who is asking: the live sign-in of this browser, read once a request."""

import secrets
from typing import cast

from flask import g, session

from portal.services.signing_in.live_sign_in import Resident, resident_of
from portal.services.signing_in.sign_in import SignedIn
from portal.views.work import gateways, reading

TOKEN = "sign_in"  # noqa: S105 - the name of a cookie's entry
ACCOUNT = "account"
BROWSER = "browser"
INVITATION = "invitation"
REPORT = "report"
NOTICE = "notice"


def current_resident() -> Resident | None:
    """The resident whose sign-in this browser holds, if it is live."""
    if "resident" not in g:
        token = session.get(TOKEN)
        g.resident = resident_of(reading(), token, clock=gateways().clock) if token else None
    return cast(Resident | None, g.resident)


def resident() -> Resident:
    """The same where access was checked."""
    found = current_resident()
    if found is None:
        raise LookupError("This view is open without a sign-in")
    return found


def browser_secret() -> str:
    """A secret of this browser, made when first needed; a sign-in code works only with it."""
    if BROWSER not in session:
        session[BROWSER] = secrets.token_urlsafe(24)
        session.permanent = True
    return cast(str, session[BROWSER])


def remember(signed_in: SignedIn) -> None:
    """Start this browser's session anew; of what was answered before only one's own lives on in it.

    On a library's computer the last sign-in may have run out without anybody signing out.
    """
    account = str(signed_in.account_id)
    whose = {
        "kept": session.get(ACCOUNT, account),
        "registration": session.get("registration", {}).get(ACCOUNT, account),
        REPORT: session.get(REPORT, {}).get(ACCOUNT, account),
        NOTICE: session.get(NOTICE, {}).get(ACCOUNT, account),
        INVITATION: account,  # it names the mailbox that may accept it
    }
    kept = {name: session[name] for name, owner in whose.items() if owner == account and name in session}
    session.clear()
    session.update(kept)
    session[TOKEN], session[ACCOUNT] = signed_in.token, account
    session.permanent = True

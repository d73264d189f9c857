"""Who is asking: the live sign-in of this browser, read once a request."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from flask import g, session
from sqlalchemy import bindparam, select

from portal.gateways.database import rows
from portal.schema.accounts import Account, SignIn
from portal.services.secrets import token_hash
from portal.services.sign_in import SignedIn
from portal.views.work import gateways, reading

TOKEN = "sign_in"  # noqa: S105 - the name of a cookie's entry
ACCOUNT = "account"
BROWSER = "browser"
INVITATION = "invitation"
REPORT = "report"
NOTICE = "notice"

LIVE = (
    select(Account.id, Account.email, Account.person_id, SignIn.expires_at)
    .join(SignIn, SignIn.account_id == Account.id)
    .where(
        SignIn.token_hash == bindparam("token_hash"),
        SignIn.ended_at.is_(None),
        SignIn.expires_at > bindparam("now"),
        Account.closed_at.is_(None),
    )
)


@dataclass(frozen=True)
class Resident:
    """A signed-in person: their account, and the keeper it acts for once there is one."""

    account_id: UUID
    email: str
    person_id: UUID | None
    expires_at: datetime


def current_resident() -> Resident | None:
    """The resident whose sign-in this browser holds, if it is live."""
    if "resident" not in g:
        token = session.get(TOKEN)
        g.resident = _look_up(token) if token else None
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


def _look_up(token: str) -> Resident | None:
    found = rows(reading(), LIVE, {"token_hash": token_hash(token), "now": gateways().clock.now()})
    return Resident(*tuple(found[0])) if found else None

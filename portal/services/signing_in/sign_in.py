"""Signing in by a code or a link in one message. No passwords, and looking at a link spends nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account, SignIn, SignInRequest
from portal.services.messages.dead_mailboxes import mark_alive
from portal.services.messages.queue_message import queue_message
from portal.services.refusal import Refused
from portal.services.secrets import code_hash, is_code, is_same, new_code, new_token, token_hash
from portal.services.signing_in.open_again import open_again

REQUEST_LASTS = timedelta(minutes=30)
SIGN_IN_LASTS = timedelta(days=30)
MOST_WRONG_CODES = 5

WRONG_CODE = "That is not the code we sent. Check the newest message and type its six digits"
CODE_IS_OVER = "This code is used up or too old. Ask for a new one"
LINK_IS_OVER = "This link is used up or too old. Ask for a new one"


@dataclass(frozen=True)
class SignInAsked:
    """What the person typed and where they were going."""

    email: str
    browser: str
    next_path: str


@dataclass(frozen=True)
class SignedIn:
    """The browser's new token, whose it is and where to go. The token is shown once."""

    token: str
    account_id: UUID
    next_path: str


def email_key(email: str) -> str:
    """One account a mailbox: blanks around it and capitals don't count, everything else does."""
    return email.strip().lower()


def ask_to_sign_in(session: Session, asked: SignInAsked, *, clock: Clock, secret_key: str, base_url: str) -> UUID:
    """Send a code and a link. Known and unknown mailboxes get the same, so that nobody learns which are known."""
    code, link, now = new_code(), new_token(), clock.now()
    request = SignInRequest(
        email=asked.email.strip(),
        email_key=email_key(asked.email),
        browser_hash=token_hash(asked.browser),
        code_hash=code_hash(code, salt=asked.browser, key=secret_key),
        link_hash=token_hash(link),
        next_path=asked.next_path,
        expires_at=now + REQUEST_LASTS,
    )
    session.add(request)
    session.flush()
    context = {"code": code, "link": f"{base_url}/sign-in/link/{link}", "minutes": REQUEST_LASTS.seconds // 60}
    queue_message(session, to=request.email, template="sign_in", context=context, at=now, is_secret=True)
    return request.id


def sign_in_with_code(
    session: Session, *, request_id: UUID, browser: str, code: str, clock: Clock, secret_keys: Sequence[str]
) -> SignedIn | None:
    """Spend the code in the browser that asked for it.

    Returns None for a wrong code, so that the attempt is counted; raises Refused once the code is used up or too old.
    """
    request = session.get(SignInRequest, request_id, with_for_update=True)
    if request is None or not _is_open(request, clock.now()):
        raise Refused([Refusal("sign-in", CODE_IS_OVER, "code")])
    if not is_same(request.browser_hash, token_hash(browser)):
        raise Refused([Refusal("sign-in", CODE_IS_OVER, "code")])
    digits = "".join(character for character in code if character.isdigit())
    if not is_code(digits, request.code_hash, salt=browser, keys=secret_keys):
        request.attempts += 1
        return None
    return _spend(session, request, clock=clock)


def find_link(session: Session, *, token: str, clock: Clock) -> SignInRequest | None:
    """Look at a link without spending it: mail scanners open links too."""
    request = session.scalar(select(SignInRequest).where(SignInRequest.link_hash == token_hash(token)))
    return request if request and _is_open(request, clock.now()) else None


def sign_in_with_link(session: Session, *, token: str, clock: Clock) -> SignedIn:
    """Spend the link, in whichever browser its button was pressed; raises Refused when it is over."""
    asked = select(SignInRequest).where(SignInRequest.link_hash == token_hash(token)).with_for_update()
    request = session.scalar(asked)
    if request is None or not _is_open(request, clock.now()):
        raise Refused([Refusal("sign-in", LINK_IS_OVER)])
    return _spend(session, request, clock=clock)


def sign_out(session: Session, *, token: str, clock: Clock) -> None:
    """End this browser's sign-in everywhere it is kept."""
    live = update(SignIn).where(SignIn.token_hash == token_hash(token), SignIn.ended_at.is_(None))
    session.execute(live.values(ended_at=clock.now()))


def _is_open(request: SignInRequest, now: datetime) -> bool:
    return request.spent_at is None and request.expires_at > now and request.attempts < MOST_WRONG_CODES


def _spend(session: Session, request: SignInRequest, *, clock: Clock) -> SignedIn:
    now = clock.now()
    request.spent_at = now
    token, account_id = new_token(), _account_id(session, request, clock=clock)
    session.add(SignIn(account_id=account_id, token_hash=token_hash(token), expires_at=now + SIGN_IN_LASTS))
    mark_alive(session, mailbox_key=request.email_key)
    session.flush()
    return SignedIn(token=token, account_id=account_id, next_path=request.next_path)


def _account_id(session: Session, request: SignInRequest, *, clock: Clock) -> UUID:
    """The mailbox's account, made at its first sign-in; two at once make one. One that was closed is opened again."""
    session.execute(
        insert(Account)
        .values(email=request.email, email_key=request.email_key)
        .on_conflict_do_nothing(index_elements=[Account.email_key])
    )
    account = session.scalars(select(Account).where(Account.email_key == request.email_key)).one()
    if account.closed_at:
        open_again(session, account, clock=clock)
    return account.id

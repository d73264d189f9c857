"""Whom a browser's sign-in is for. It is asked on nearly every request, so the statement is built once."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.database.connections import rows
from portal.schema.accounts import Account, SignIn
from portal.services.secrets import token_hash

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


def resident_of(session: Session, token: str, *, clock: Clock) -> Resident | None:
    """Whose live sign-in has this token."""
    found = rows(session, LIVE, {"token_hash": token_hash(token), "now": clock.now()})
    return Resident(*tuple(found[0])) if found else None

"""Answers posted after the sign-in had ended: kept under a token that only the browser they came from has."""

from datetime import timedelta
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.drafts import KeptAnswers
from portal.services.secrets import new_token, token_hash

LASTS = timedelta(days=2)


def keep_answers(session: Session, fields: dict[str, list[str]], *, path: str, clock: Clock) -> str:
    """Keep them; the token finds them again."""
    token = new_token()
    expires_at = clock.now() + LASTS
    session.add(KeptAnswers(token_hash=token_hash(token), path=path, fields=fields, expires_at=expires_at))
    return token


def kept_answers(session: Session, token: str, *, clock: Clock) -> dict[str, list[str]] | None:
    """What is kept under the token."""
    is_this = KeptAnswers.token_hash == token_hash(token)
    found = session.scalar(select(KeptAnswers.fields).where(is_this, KeptAnswers.expires_at > clock.now()))
    return cast(dict[str, list[str]] | None, found)

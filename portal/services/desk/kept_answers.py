"""What staff typed when their sign-in had run out: sealed, and opened again for the one who typed it alone."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.sealing import BrokenSeal, Sealing
from portal.schema.staff import DeskKeptAnswers
from portal.services.secrets import new_token, token_hash

LASTS = timedelta(days=2)


def keep_answers(
    session: Session, answers: dict[str, Any], *, staff_id: UUID, path: str, sealing: Sealing, clock: Clock
) -> str:
    """Keep them; the token that finds them again goes to the browser they were typed in."""
    token = new_token()
    session.add(
        DeskKeptAnswers(
            token_hash=token_hash(token),
            staff_id=staff_id,
            path=path,
            sealed=sealing.seal(json.dumps(answers)),
            expires_at=clock.now() + LASTS,
        )
    )
    return token


def kept_answers(
    session: Session, token: str, *, staff_id: UUID, sealing: Sealing, clock: Clock
) -> dict[str, Any] | None:
    """What is kept under the token, for whoever typed it."""
    wanted = select(DeskKeptAnswers.sealed).where(
        DeskKeptAnswers.token_hash == token_hash(token),
        DeskKeptAnswers.staff_id == staff_id,
        DeskKeptAnswers.expires_at > clock.now(),
    )
    sealed = session.scalar(wanted)
    if sealed is None:
        return None
    try:
        opened: dict[str, Any] = json.loads(sealing.open(sealed))
    except BrokenSeal:  # the key was changed meanwhile: it is as gone as what has expired
        return None
    return opened


def forget_answers(session: Session, token: str) -> None:
    """Nothing is kept of it."""
    session.execute(delete(DeskKeptAnswers).where(DeskKeptAnswers.token_hash == token_hash(token)))

"""Keys for software that sends reports: the city gives one by name, it is shown once and kept as a hash."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import bindparam, select, text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.database.connections import rows
from portal.ordinance.finding import Refusal
from portal.schema.open311 import Open311Key
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash

LONGEST_NAME = 100
NAME_IT = "Give the key a name of 1 to 100 characters, such as whose software it is"
IS_THERE = "There is a key of this name. Take it back first, or use another name"
NOTED_EVERY = timedelta(hours=1)
HOLDER = select(Open311Key.id, Open311Key.name, Open311Key.last_used_at).where(
    Open311Key.key_hash == bindparam("key_hash"), Open311Key.revoked_at.is_(None)
)
# Not through the model: the portal may write this column alone.
NOTE_USE = text("UPDATE portal.open311_key SET last_used_at = :now WHERE id = :id")


@dataclass(frozen=True)
class KeyHolder:
    """Whose software sends, by its key."""

    key_id: UUID
    name: str
    last_used_at: datetime | None


def keys(session: Session) -> list[Open311Key]:
    """Every key, newest first, those taken back too."""
    return list(session.scalars(select(Open311Key).order_by(Open311Key.created_at.desc(), Open311Key.id)))


def add_key(session: Session, *, name: str, officer: str) -> str:
    """A new key. This is the only time it is seen; raises Refused for a name that is in use."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused([Refusal("open311", NAME_IT, "name")])
    if _current(session, name) is not None:
        raise Refused([Refusal("open311", IS_THERE, "name")])
    key = new_token()
    session.add(Open311Key(name=name, key_hash=token_hash(key), created_by=officer))
    session.flush()
    return key


def revoke_key(session: Session, *, name: str, clock: Clock) -> None:
    """Nothing comes in with it any more; raises NotTheirs. What came in stays, and its senders can still ask."""
    found = _current(session, " ".join(name.split()))
    if found is None:
        raise NotTheirs("No key of this name is in use")
    found.revoked_at = clock.now()
    session.flush()


def key_holder(session: Session, key: str) -> KeyHolder | None:
    """Whose key this is, unless it was taken back."""
    found = rows(session, HOLDER, {"key_hash": token_hash(key)})
    return KeyHolder(*tuple(found[0])) if found else None


def note_use(session: Session, holder: KeyHolder, *, clock: Clock) -> None:
    """Keep when the key was last used, to the hour, so that not every report writes it."""
    if holder.last_used_at is None or clock.now() - holder.last_used_at >= NOTED_EVERY:
        session.execute(NOTE_USE, {"now": clock.now(), "id": holder.key_id})


def _current(session: Session, name: str) -> Open311Key | None:
    return session.scalar(select(Open311Key).where(Open311Key.name == name, Open311Key.revoked_at.is_(None)))

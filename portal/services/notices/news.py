"""What came of a notice, for whoever filed it: who saw the pet, and who wrote."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.notices import Holding, PetNotice, Sighting
from portal.schema.relays import Relay
from portal.services.notices.relay_talk import LASTS

MOST_TOLD = 200


@dataclass(frozen=True, kw_only=True)
class News:
    """Somebody saw it, or wrote. `talk_id` is the talk with them, as long as it opens."""

    at: datetime
    talk_id: UUID | None
    is_over: bool
    holding: Holding | None = None
    seen_at: datetime | None = None
    place: str = ""


def sightings_of(session: Session, notice: PetNotice, *, clock: Clock) -> list[News]:
    """Who saw it, the newest first."""
    wanted = (
        select(Sighting, Relay.id, Relay.closed_at, Relay.created_at)
        .outerjoin(Relay, Relay.id == Sighting.id)
        .where(Sighting.notice_id == notice.id)
        .order_by(Sighting.created_at.desc(), Sighting.id)
        .limit(MOST_TOLD)
    )
    opens_since = clock.now() - LASTS
    return [
        News(
            at=one.created_at,
            talk_id=talk_id if talk_id and begun_at > opens_since else None,
            is_over=closed_at is not None,
            holding=one.holding,
            seen_at=one.seen_at,
            place=one.place_text,
        )
        for one, talk_id, closed_at, begun_at in session.execute(wanted)
    ]


def claims_of(session: Session, notice: PetNotice, *, clock: Clock) -> list[News]:
    """Who thinks that a found animal is theirs, the newest first."""
    wanted = (
        select(Relay)
        .where(Relay.notice_id == notice.id, Relay.created_at > clock.now() - LASTS)
        .order_by(Relay.created_at.desc(), Relay.id)
        .limit(MOST_TOLD)
    )
    return [
        News(at=relay.created_at, talk_id=relay.id, is_over=relay.closed_at is not None)
        for relay in session.scalars(wanted)
    ]

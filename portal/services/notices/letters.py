"""Letters to whoever filed a notice. A finder without a sign-in gets a fresh private link in each."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.wall_clock import spoken_time
from portal.schema.notices import PetNotice, Sighting
from portal.schema.notices_private import NoticeLink
from portal.schema.relays import Relay, RelayMessage
from portal.services.messages.queue_message import queue_message, queue_text
from portal.services.notices.holder import holder_of, other_keepers, texts_of
from portal.services.notices.relay_letters import FOUND_TEXT, said
from portal.services.notices.relay_matter import notice_name
from portal.services.secrets import new_token, token_hash

HOLDER = "holder"
OPEN_PAGE = "/notices/open/{token}"
OWN_PAGE = "/notices/{reference}"
TALK_PAGE = "/notices/{reference}/talk/{relay_id}"
PUBLIC_PAGE = "/{kind}/{reference}"


def write_to_holder(
    session: Session,
    notice: PetNotice,
    *,
    template: str,
    clock: Clock,
    path: str | None = None,
    is_urgent: bool = False,
    **context: Any,
) -> None:
    """Queue the letter; it knows the animal's name, the page that opens and the public page besides `context`."""
    holder = holder_of(session, notice.id)
    path = path or OWN_PAGE.format(reference=notice.reference)
    if holder.account_id is None and holder.email:
        token = new_token()
        add_notice_link(session, notice, token)
        path = OPEN_PAGE.format(token=token)
    whole = {
        "animal": notice_name(notice),
        "kind": notice.kind.value,
        "path": path,
        "public_path": PUBLIC_PAGE.format(kind=notice.kind.value, reference=notice.reference),
        **context,
    }
    if holder.email:
        is_secret = holder.account_id is None
        queue_message(session, to=holder.email, template=template, context=whole, at=clock.now(), is_secret=is_secret)
    for other in other_keepers(session, notice) if is_urgent else ():
        queue_message(session, to=other, template=template, context=whole, at=clock.now())
    phone = texts_of(session, holder.account_id) if is_urgent and holder.account_id else None
    if phone:
        queue_text(session, to=phone, template=FOUND_TEXT, at=clock.now(), path=path)


def tell_holder(session: Session, notice: PetNotice, relay: Relay, message: RelayMessage, *, clock: Clock) -> None:
    """What somebody wrote about the notice."""
    path = TALK_PAGE.format(reference=notice.reference, relay_id=relay.id)
    write_to_holder(session, notice, template="notice_words", clock=clock, path=path, is_urgent=True, **said(message))


def tell_holder_seen(
    session: Session, notice: PetNotice, sighting: Sighting, message: RelayMessage, *, city: City, clock: Clock
) -> None:
    """Where and when somebody saw it."""
    path = TALK_PAGE.format(reference=notice.reference, relay_id=sighting.id)
    write_to_holder(
        session,
        notice,
        template="notice_sighting",
        clock=clock,
        path=path,
        is_urgent=True,
        holding=sighting.holding.value,
        seen_at=spoken_moment(sighting.seen_at, city.time_zone),
        position=spoken_position(sighting.latitude, sighting.longitude),
        **said(message) | {"place": sighting.place_text},
    )


def add_notice_link(session: Session, notice: PetNotice, token: str) -> None:
    """One more door to the notice for a finder; only its hash is kept."""
    session.add(NoticeLink(token_hash=token_hash(token), notice_id=notice.id))


def spoken_moment(instant: datetime, zone: ZoneInfo) -> str:
    """December 4, 2026 at 3:05 p.m., on the city's clock."""
    local = instant.astimezone(zone)
    return f"{local:%B} {local.day}, {local.year} at {spoken_time(local.time())}"


def spoken_position(latitude: float | None, longitude: float | None) -> str:
    """45.31679, -95.60235: what a map on a phone finds. Nothing where it is not known."""
    return "" if latitude is None or longitude is None else f"{latitude:.5f}, {longitude:.5f}"

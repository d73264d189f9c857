"""Letters between a finder and an animal's keepers: each tells what was said, and never who said it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.schema.relays import Relay, RelayLink, RelayMessage
from portal.schema.reminders import ReminderChoice
from portal.services.messages.queue_message import queue_message, queue_text
from portal.services.messages.reminder_choices import TEXTS_WANTED
from portal.services.notices.relay_matter import Matter
from portal.services.record_event import SYSTEM, record_event
from portal.services.secrets import new_token, token_hash

FINDERS_PAGE = "/tags/talk/{token}"
# Anybody may read a phone over its owner's shoulder: the text names neither dog nor place.
FOUND_TEXT = "tag_found"
KEEPERS_PAGE = "/dogs/{animal_id}/found/{relay_id}"


@dataclass(frozen=True)
class Reach:
    """How a keeper can be told: a proved mailbox, a phone that may be texted, or neither."""

    person_id: UUID
    email: str | None
    phone: str | None


def reaches(session: Session, animal_id: UUID | None, *, since: datetime) -> list[Reach]:
    """Everyone who keeps the animal and did so when the talk began: what was told to them is not for a new owner.

    Texts go only to those who agreed to texts and did not stop them.
    """
    wanted = (
        select(Keeper.person_id, Account.email, ReminderChoice.sms_phone)
        .outerjoin(Account, and_(Account.person_id == Keeper.person_id, Account.closed_at.is_(None)))
        .outerjoin(
            ReminderChoice,
            and_(ReminderChoice.account_id == Account.id, TEXTS_WANTED),
        )
        .where(Keeper.animal_id == animal_id, Keeper.until.is_(None), Keeper.since <= since)
        .order_by(Keeper.since, Keeper.person_id)
    )
    return [Reach(person_id, email, phone) for person_id, email, phone in session.execute(wanted)]


def tell_keepers_found(
    session: Session,
    relay: Relay,
    animal: Animal,
    message: RelayMessage,
    *,
    tag: str | None,
    notice_path: str | None = None,
    city: City,
    clock: Clock,
) -> None:
    """Write to every keeper at once, by e-mail and by text; whoever has neither is for the police to call.

    `tag` is what the finder read, empty for a chip, and comes with the first message of a talk.
    """
    is_first = tag is not None
    keepers = reaches(session, animal.id, since=relay.created_at)
    path = KEEPERS_PAGE.format(animal_id=animal.id, relay_id=relay.id)
    context = {"animal": animal.name, "path": path, "tag": tag, "is_first": is_first, **said(message)}
    context |= {"notice_path": notice_path}
    for keeper in keepers:
        if keeper.email:
            queue_message(session, to=keeper.email, template="tag_found", context=context, at=clock.now())
        if keeper.phone:
            queue_text(session, to=keeper.phone, template=FOUND_TEXT, at=clock.now(), path=path)
    unreached = [keeper.person_id for keeper in keepers if not keeper.email]
    if is_first and (unreached or not keepers):
        _ask_police_to_call(session, animal, unreached, context=context, city=city, clock=clock)


def send_finder_the_link(session: Session, relay: Relay, matter: Matter, *, clock: Clock) -> None:
    """The way back to the talk, for a finder who left a mailbox. Nothing they typed stands in it: nobody proved it."""
    _write_to_finder(session, relay, matter, template="finder_link", context={}, clock=clock)


def tell_finder(session: Session, relay: Relay, matter: Matter, message: RelayMessage, *, clock: Clock) -> None:
    """What the other side wrote."""
    _write_to_finder(session, relay, matter, template="finder_answer", context=said(message), clock=clock)


def tell_finder_it_is_home(session: Session, relay: Relay, matter: Matter, *, clock: Clock) -> None:
    """The other side ended the talk."""
    _write_to_finder(session, relay, matter, template="finder_thanks", context={}, clock=clock)


def add_link(session: Session, relay_id: UUID, token: str) -> None:
    """One more door to the finder's side; only its hash is kept."""
    session.add(RelayLink(token_hash=token_hash(token), relay_id=relay_id))


def _write_to_finder(
    session: Session, relay: Relay, matter: Matter, *, template: str, context: dict[str, Any], clock: Clock
) -> None:
    if relay.finder_email is None:
        return
    token = new_token()
    add_link(session, relay.id, token)
    path = FINDERS_PAGE.format(token=token)
    whole = {"path": path, "animal": matter.name, "other": matter.other, "is_found": matter.is_found, **context}
    queue_message(session, to=relay.finder_email, template=template, context=whole, at=clock.now(), is_secret=True)


def _ask_police_to_call(
    session: Session, animal: Animal, unreached: Iterable[UUID], *, context: dict[str, Any], city: City, clock: Clock
) -> None:
    people = [str(person_id) for person_id in unreached]
    record_event(session, "tag.keepers_to_call", animal, actor=SYSTEM, persons=people, tag=context["tag"])
    if city.police.email:
        queue_message(session, to=city.police.email, template="keepers_to_call", context=context, at=clock.now())


def said(message: RelayMessage) -> dict[str, Any]:
    """What a letter tells of a message."""
    return {
        "said": message.text,
        "place": message.place,
        "phone": message.phone,
        "has_photo": message.photo_upload_key is not None,
    }

"""Write to everyone who keeps an animal now, or who kept it together until it became another's."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.services.messages.queue_message import queue_message


def tell_keepers(
    session: Session,
    animal: Animal,
    *,
    template: str,
    context: dict[str, Any],
    clock: Clock,
    but: UUID | None = None,
    until: datetime | None = None,
) -> None:
    """Queue the letter for each keeper with a proved mailbox; it knows the animal's name and page besides `context`.

    `but` is the person who need not be told, because they did it. With `until` it goes to those who kept it until that
    moment, and to nobody who keeps it now.
    """
    mailboxes = (
        select(Account.email)
        .join(Keeper, Keeper.person_id == Account.person_id)
        .where(Keeper.animal_id == animal.id, Keeper.until == until)
    )
    if but:
        mailboxes = mailboxes.where(Keeper.person_id != but)
    whole = {"animal": animal.name, "path": f"/dogs/{animal.id}", **context}
    for email in session.scalars(mailboxes):
        queue_message(session, to=email, template=template, context=whole, at=clock.now())

"""Tags leave the office: mailed in a batch, or handed over at the counter (90.04(B)(5))."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.licenses import Tag, TagState
from portal.services.record_event import record_event
from portal.services.refusal import ChangedMeanwhile, Refused

CHOOSE_SOME = "Tick the tags that went out"


def send_tags(session: Session, tag_ids: Sequence[UUID], *, officer: str, clock: Clock) -> list[Tag]:
    """All of them are out. When one went before, or was lost meanwhile, none is marked: raises ChangedMeanwhile."""
    if not tag_ids:
        raise Refused([Refusal(Rule.TAG, CHOOSE_SOME)])
    wanted = select(Tag).where(Tag.id.in_(tag_ids)).order_by(Tag.id).with_for_update()
    tags = session.scalars(wanted, execution_options={"populate_existing": True}).all()
    if len(tags) < len(set(tag_ids)) or any(tag.state is not TagState.TO_SEND for tag in tags):
        raise ChangedMeanwhile("tag")
    for tag in tags:
        tag.state = TagState.SENT
        tag.sent_at = clock.now()
    session.flush()
    for tag in tags:
        record_event(session, "tag.sent", tag, actor=f"officer:{officer}", delivery=tag.delivery.value)
    return list(tags)

"""Replace a lost or destroyed tag: same license, same year, same number, the next issue mark (90.04(B)(5))."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.fees import duplicate_tag_fee
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState
from portal.schema.licenses import Delivery, License, LicenseState, Tag, TagState
from portal.schema.orders import LineKind, Order, OrderLine
from portal.schema.people import Person
from portal.schema.tag_requests import TagLoss, TagRequest, TagRequestState
from portal.services.orders.open_order import Charge, open_order
from portal.services.owners.keepers_now import locked_animal
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import SYSTEM, keeper, record_event
from portal.services.refusal import Refused

NO_LICENSE = "There is no license in force to replace a tag for. Apply for a license first"
IS_GONE = "This dog is not kept here any more, so it has no tag to replace"
NOT_OUT_YET = "The tag has not gone out yet, so it is not lost. Wait for it, or tick that you want another all the same"
ANOTHER_ASKED = "Another keeper of this dog has asked for a new tag already"
LIVE = (TagState.TO_SEND, TagState.SENT)


@dataclass(frozen=True, kw_only=True)
class TagAsked:
    """What the keeper says: which dog, what became of the tag, how the new one should come, for which year."""

    animal_id: UUID
    loss: TagLoss
    told: str | None
    delivery: Delivery
    year: int | None = None
    """Which year's tag, where two are licensed; the one that ends first when it is not said."""
    insists: bool = False
    """They were told that the tag has not gone out yet, and want another one all the same."""


def request_duplicate_tag(
    session: Session, asked: TagAsked, *, person_id: UUID | None, city: City, clock: Clock
) -> Order:
    """The order for a duplicate. Asking again while one is open gives the same order; nothing owed issues at once.

    What is said last of an open one counts.

    A duplicate is for a tag that is lost or destroyed ((B)(5)). One that still lies at the police department is
    neither, and whoever pays for another then pays for nothing: they are told so before. Only told, since the list may
    be behind: the envelope may be out and lost already, and a duplicate "shall be issued" to whoever says so.

    Raises NotTheirs for a dog that is not the person's, Refused when there is no license in force, or when the tag has
    not gone out yet and they do not insist.
    """
    actor = keeper(person_id)
    order = _ask(session, asked, person_id=person_id, actor=actor, city=city, clock=clock)
    issue_duplicates(session, order.id, clock=clock, actor=actor)
    return order


def request_duplicate_at_counter(
    session: Session, asked: TagAsked, *, person_id: UUID, key: UUID, officer: str, city: City, clock: Clock
) -> Order:
    """The same for a keeper who stands at the counter, written down by staff; they pay there.

    The same key a second time gives the same order. Raises NotTheirs or Refused as above.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(str(key)))))
    if earlier := session.get(Order, key):
        return earlier
    actor = f"officer:{officer}"
    order = _ask(session, asked, person_id=person_id, actor=actor, city=city, clock=clock, key=key)
    order.counter_chosen_at = order.counter_chosen_at or clock.now()
    issue_duplicates(session, order.id, clock=clock, actor=actor)
    return order


def _ask(
    session: Session,
    asked: TagAsked,
    *,
    person_id: UUID | None,
    actor: str,
    city: City,
    clock: Clock,
    key: UUID | None = None,
) -> Order:
    animal = locked_animal(session, asked.animal_id, person_id=person_id)
    license_ = _license_in_force(session, animal, year=asked.year, clock=clock)
    if open_one := _open_order(session, license_.id):
        if open_one.person_id != person_id:
            raise Refused([Refusal("90.04(B)(5)", ANOTHER_ASKED)])
        _say_anew(session, license_.id, asked, actor=actor)
        return open_one
    if not asked.insists and _lies_here_still(session, license_.id):
        raise Refused([Refusal("90.04(B)(5)", NOT_OUT_YET, "insists")])
    person = session.get_one(Person, person_id)
    request = TagRequest(
        license_id=license_.id, asked_by=person.id, loss=asked.loss, told=asked.told, delivery=asked.delivery
    )
    session.add(request)
    session.flush()
    record_event(session, "tag.duplicate_requested", request, actor=actor, loss=asked.loss.value)
    fee = duplicate_tag_fee(city.fees, on=clock.today())
    charge = Charge(
        kind=LineKind.DUPLICATE_TAG,
        tag_request_id=request.id,
        description=f"Duplicate tag {license_.year}-{license_.number}: {animal.name}",
        amount_cents=fee.amount_cents,
        resolution=fee.resolution,
    )
    return open_order(session, person=person, charges=[charge], actor=actor, clock=clock, key=key)


def _say_anew(session: Session, license_id: UUID, asked: TagAsked, *, actor: str) -> None:
    """Who asked by mail last week may stand at the counter now."""
    still_open = select(TagRequest).where(TagRequest.license_id == license_id, TagRequest.state == TagRequestState.OPEN)
    request = session.scalars(still_open.with_for_update(), execution_options={"populate_existing": True}).one()
    said = (asked.loss, asked.told or request.told, asked.delivery)
    if said == (request.loss, request.told, request.delivery):
        return
    request.loss, request.told, request.delivery = said
    session.flush()
    record_event(session, "tag.duplicate_changed", request, actor=actor, loss=asked.loss.value)


def issue_duplicates(session: Session, order_id: UUID, *, clock: Clock, actor: str = SYSTEM) -> list[Tag]:
    """Issue the duplicates a paid order pays for: the old tag is dead, the new one goes on the list to send.

    `actor` is who asked, where that is what ends the old one. Where a payment does, the system ends it by itself; who
    asked is told in `tag.duplicate_requested`.
    """
    wanted = (
        select(TagRequest)
        .join(OrderLine, OrderLine.tag_request_id == TagRequest.id)
        .join(Order, Order.id == OrderLine.order_id)
        .where(Order.id == order_id, Order.paid_at.is_not(None), TagRequest.state == TagRequestState.OPEN)
        .order_by(TagRequest.id)
        .with_for_update(of=TagRequest)
    )
    return [_issue(session, request, actor=actor, clock=clock) for request in session.scalars(wanted)]


def cancel_duplicates(session: Session, order_id: UUID, *, clock: Clock) -> None:
    """An order that is owed no more brings no tag."""
    asked = (
        select(TagRequest)
        .join(OrderLine, OrderLine.tag_request_id == TagRequest.id)
        .where(OrderLine.order_id == order_id, TagRequest.state == TagRequestState.OPEN)
    )
    for request in session.scalars(asked.with_for_update(of=TagRequest)):
        request.state = TagRequestState.CANCELED
        request.decided_at = clock.now()
    session.flush()


def _issue(session: Session, request: TagRequest, *, actor: str, clock: Clock) -> Tag:
    license_ = session.get_one(License, request.license_id, with_for_update=True)
    for old in session.scalars(select(Tag).where(Tag.license_id == license_.id, Tag.state.in_(LIVE))):
        old.state = TagState(request.loss.value)
        record_event(session, f"tag.{request.loss.value}", old, actor=actor)
    session.flush()
    last = session.scalars(select(func.max(Tag.issue)).where(Tag.license_id == license_.id)).one() or 0
    if license_.number is None:
        raise ValueError("A license in force has its number")
    tag = Tag(
        license_id=license_.id,
        year=license_.year,
        number=license_.number,
        issue=last + 1,
        delivery=request.delivery,
    )
    session.add(tag)
    session.flush()
    request.state = TagRequestState.ISSUED
    request.tag_id = tag.id
    request.decided_at = clock.now()
    record_event(session, "tag.to_send", tag, actor=SYSTEM, issue=tag.issue)
    animal = session.get_one(Animal, license_.animal_id)
    context = {"year": tag.year, "number": tag.number, "issue": tag.issue, "delivery": tag.delivery.value}
    tell_keepers(session, animal, template="duplicate_tag", context=context, clock=clock)
    return tag


def _license_in_force(session: Session, animal: Animal, *, year: int | None, clock: Clock) -> License:
    if animal.state is not AnimalState.KEPT:
        raise Refused([Refusal("90.04(B)(5)", IS_GONE)])
    in_force = (
        select(License)
        .where(
            License.animal_id == animal.id,
            License.state == LicenseState.ISSUED,
            License.valid_until >= clock.today(),
        )
        .order_by(License.year)
        .limit(1)
    )
    if year is not None:
        in_force = in_force.where(License.year == year)
    license_ = session.scalar(in_force)
    if license_ is None:
        raise Refused([Refusal("90.04(B)(5)", NO_LICENSE)])
    return license_


def _lies_here_still(session: Session, license_id: UUID) -> bool:
    waits = exists().where(Tag.license_id == license_id, Tag.state == TagState.TO_SEND)
    return session.scalar(select(waits)) is True


def _open_order(session: Session, license_id: UUID) -> Order | None:
    """The order of a duplicate that was asked for and not paid yet, locked.

    The animal is locked by now, then comes the order, then what it is for, as when it is paid: a payment that settles
    at this moment comes first, and then nothing is open any more.
    """
    waiting = (
        select(Order.id)
        .join(OrderLine, OrderLine.order_id == Order.id)
        .join(TagRequest, TagRequest.id == OrderLine.tag_request_id)
        .where(TagRequest.license_id == license_id, TagRequest.state == TagRequestState.OPEN)
        .order_by(Order.created_at.desc())
        .limit(1)
    )
    while order_id := session.scalar(waiting):
        order = session.get_one(Order, order_id, with_for_update=True, populate_existing=True)
        if session.scalar(waiting) == order_id:
            return order
    return None

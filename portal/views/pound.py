"""The pound: what it holds now, one animal of it, and the records that anybody may read (90.07, Minn. Stat. 346.47)."""

from uuid import UUID

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue

from portal.ordinance.citation import Rule
from portal.services.pound.at_the_pound import (
    Kind,
    PoundAnimal,
    animal_at_the_pound,
    held,
    picture_at_the_pound,
    records,
)
from portal.services.pound.reclaiming import Reclaiming, reclaiming
from portal.views.access import Access, open_to
from portal.views.answers import over, page
from portal.views.files import picture as stored_picture
from portal.views.hours import opening_lines
from portal.views.work import gateways, reading

blueprint = Blueprint("pound", __name__, url_prefix="/pound")


@blueprint.get("")
@open_to(Access.ANYONE)
def index() -> ResponseReturnValue:
    """The animals that are there now, the latest first."""
    g.is_private = False
    kind = next((one for one in Kind if one == request.args.get("kind")), None)
    number = _page_number()
    listing = held(reading(), kind=kind, page=number)
    return page(
        "pound/index.html",
        lines=[(animal, asks(animal)) for animal in listing.animals],
        kind=kind,
        kinds=Kind,
        number=number,
        has_more=listing.has_more,
        hours=opening_lines(gateways().city.pound.hours),
        Rule=Rule,
    )


@blueprint.get("/records")
@open_to(Access.ANYONE)
def public_records() -> ResponseReturnValue:
    """What came in during the last six months, still there or not."""
    g.is_private = False
    number = _page_number()
    listing = records(reading(), on=gateways().clock.today(), page=number)
    return page(
        "pound/records.html",
        animals=listing.animals,
        number=number,
        has_more=listing.has_more,
        hours=opening_lines(gateways().city.pound.hours),
        Rule=Rule,
    )


@blueprint.get("/<uuid:impoundment_id>")
@open_to(Access.ANYONE)
def show(impoundment_id: UUID) -> ResponseReturnValue:
    """One animal: what it looks like, until when it is kept, what taking it home asks."""
    g.is_private = False
    animal = animal_at_the_pound(reading(), impoundment_id)
    if animal.left_on:
        return over("pound/over.html")
    return page(
        "pound/show.html",
        animal=animal,
        asks=asks(animal),
        hours=opening_lines(gateways().city.pound.hours),
        Rule=Rule,
    )


@blueprint.get("/<uuid:impoundment_id>.jpg")
@open_to(Access.ANYONE)
def picture(impoundment_id: UUID) -> ResponseReturnValue:
    """Its picture, while it is there; `?small=1` for the list."""
    keys = picture_at_the_pound(reading(), impoundment_id)
    return stored_picture(keys.thumbnail_key, keys.page_keys, 0 if "small" in request.args else 1)


def asks(animal: PoundAnimal) -> Reclaiming:
    """What taking it home asks of whoever comes today; of a dog nobody knows here whether it is licensed."""
    parts = gateways()
    return reclaiming(animal.seized_on, needs_license=animal.is_dog, city=parts.city, on=parts.clock.today())


def _page_number() -> int:
    return min(max(request.args.get("page", 1, type=int), 1), 1000)

"""What repeats at an address and near it: the list first, then the same places on a map drawn from our own data."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.schema.reports import Report
from portal.services.desk.repeats import Place, Repeats, repeats
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.prefix import PREFIX
from portal.views.notices.map_drawing import DrawnMap, Spot, area_around, drawn_map, miles_across
from portal.views.reports.status import KINDS
from portal.views.work import gateways, reading

blueprint = Blueprint("repeats", __name__, url_prefix=f"{PREFIX}/reports")


@dataclass(frozen=True)
class ShownRepeats:
    """What the page draws: the places with their numbers on the map, and how wide the map is."""

    found: Repeats
    places: tuple[tuple[int, Place], ...]
    map: DrawnMap | None
    miles: float


@blueprint.get("/<uuid:item_id>/repeats")
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Around the address of a report."""
    report = reading().get_one(Report, item_id)
    shown = shown_repeats({report.place_key}, before=report.created_at)
    return page("desk/repeats.html", report=report, shown=shown, kinds=KINDS)


def shown_repeats(keys: Collection[str], *, before: datetime) -> ShownRepeats:
    """The address is number 1 where anything was reported of it; those near it follow."""
    found = repeats(reading(), keys, before=before, city=gateways().city, clock=gateways().clock)
    places = tuple(enumerate(((found.here,) if found.here else ()) + found.near, start=1))
    spots = [Spot(number, *place.position) for number, place in places if place.position]
    area = area_around(spots)
    drawn = drawn_map(spots, area=area, streets=gateways().city.streets)
    return ShownRepeats(found, places, drawn, round(miles_across(area), 1) if area else 0)

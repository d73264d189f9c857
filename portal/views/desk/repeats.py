"""What repeats at an address and near it: the list first, then the same places on a map drawn from our own data."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from math import cos, radians
from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.city.city import Area
from portal.schema.reports import Report
from portal.services.desk.repeats import Place, Repeats, repeats
from portal.services.refusal import NotTheirs
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.prefix import PREFIX
from portal.views.notices.map_drawing import MILES_PER_DEGREE, DrawnMap, Spot, drawn_map
from portal.views.reports.status import KINDS
from portal.views.work import gateways, reading

blueprint = Blueprint("repeats", __name__, url_prefix=f"{PREFIX}/reports")

# So much is drawn around the outermost places, in miles.
MARGIN = 0.15


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
    report = reading().get(Report, item_id)
    if report is None:
        raise NotTheirs("There is no such report")
    shown = shown_repeats({report.place_key}, before=report.created_at)
    return page("desk/repeats.html", report=report, shown=shown, kinds=KINDS)


def shown_repeats(keys: Collection[str], *, before: datetime) -> ShownRepeats:
    """The address is number 1 where anything was reported of it; those near it follow."""
    found = repeats(reading(), keys, before=before, city=gateways().city, clock=gateways().clock)
    places = tuple(enumerate(((found.here,) if found.here else ()) + found.near, start=1))
    spots = [Spot(number, *place.position) for number, place in places if place.position]
    area = _around(spots)
    drawn = drawn_map(spots, area=area, streets=gateways().city.streets)
    return ShownRepeats(found, places, drawn, round(_miles_across(area), 1) if area else 0)


def _around(spots: Collection[Spot]) -> Area | None:
    """Four sides around the places, a little farther out than the outermost."""
    if not spots:
        return None
    latitudes, longitudes = [spot.latitude for spot in spots], [spot.longitude for spot in spots]
    down = MARGIN / MILES_PER_DEGREE
    across = down / cos(radians(latitudes[0]))
    return Area(min(latitudes) - down, max(latitudes) + down, min(longitudes) - across, max(longitudes) + across)


def _miles_across(area: Area) -> float:
    return (area.east - area.west) * MILES_PER_DEGREE * cos(radians(area.south))

"""A simple map of the places on a list, drawn from the city's file alone: nobody else's server is asked for tiles.

It shows nothing that the list does not say. North is up; the lines of the ground lie a mile apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians

from portal.city.city import Area
from portal.city.streets import Street

WIDTH = 600
MILES_PER_DEGREE = 69.05
MARGIN = 0.15
"""So much is drawn around the outermost places, in miles."""
DOT = 16
"""As wide as a dot with its number is high; places nearer than two of it share one."""
MOST_NUMBERS = 3


@dataclass(frozen=True)
class Spot:
    """A numbered place."""

    number: int
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Dot:
    """Where a dot stands on the drawing, and the numbers of the places it stands for."""

    across: int
    down: int
    label: str


@dataclass(frozen=True)
class DrawnMap:
    """What a template needs to draw it."""

    width: int
    height: int
    mile: int
    """How long a mile is."""
    ground: str
    streets: str
    dots: tuple[Dot, ...]
    beyond: tuple[int, ...]
    """The numbers of the places that lie outside of the city's area."""


def drawn_map(spots: Sequence[Spot], *, area: Area | None, streets: Iterable[Street]) -> DrawnMap | None:
    """The map; None where there is no place to show, or where the city's file does not say where the city is."""
    within = [spot for spot in spots if area and area.holds(spot.latitude, spot.longitude)]
    if area is None or not within:
        return None
    sheet = _Sheet(area)
    return DrawnMap(
        width=WIDTH,
        height=sheet.height,
        mile=round(sheet.mile),
        ground=sheet.ground(),
        streets="".join(sheet.line(street) for street in streets),
        dots=_dots([(spot.number, *sheet.at(spot.latitude, spot.longitude)) for spot in within]),
        beyond=tuple(spot.number for spot in spots if spot not in within),
    )


def area_around(spots: Sequence[Spot]) -> Area | None:
    """Four sides around the places, a little farther out than the outermost."""
    if not spots:
        return None
    latitudes, longitudes = [spot.latitude for spot in spots], [spot.longitude for spot in spots]
    down = MARGIN / MILES_PER_DEGREE
    across = down / cos(radians(latitudes[0]))
    return Area(min(latitudes) - down, max(latitudes) + down, min(longitudes) - across, max(longitudes) + across)


def miles_across(area: Area) -> float:
    """From its western side to its eastern."""
    return (area.east - area.west) * MILES_PER_DEGREE * cos(radians(area.south))


class _Sheet:
    """From degrees to the drawing. A city is so small that a degree is as long on its one side as on the other."""

    def __init__(self, area: Area) -> None:
        self.area = area
        shrink = cos(radians((area.south + area.north) / 2))
        self.across = WIDTH / (area.east - area.west)
        self.down = self.across / shrink
        self.height = round((area.north - area.south) * self.down)
        self.mile = self.down / MILES_PER_DEGREE

    def at(self, latitude: float, longitude: float) -> tuple[int, int]:
        return round((longitude - self.area.west) * self.across), round((self.area.north - latitude) * self.down)

    def line(self, street: Street) -> str:
        points = [self.at(latitude, longitude) for latitude, longitude in street]
        return "M" + "L".join(f"{across} {down}" for across, down in points)

    def ground(self) -> str:
        upright = (round(self.mile * mile) for mile in range(1, int(WIDTH / self.mile) + 1))
        level = (round(self.mile * mile) for mile in range(1, int(self.height / self.mile) + 1))
        return "".join([f"M{at} 0V{self.height}" for at in upright] + [f"M0 {at}H{WIDTH}" for at in level])


def _dots(places: Iterable[tuple[int, int, int]]) -> tuple[Dot, ...]:
    """One dot for places so near that theirs would cover each other."""
    groups: list[list[tuple[int, int, int]]] = []
    for place in places:
        near = next((group for group in groups if hypot(*_apart(group[0], place)) < 2 * DOT), None)
        if near is None:
            groups.append([place])
        else:
            near.append(place)
    return tuple(_dot(group) for group in groups)


def _apart(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int]:
    return one[1] - other[1], one[2] - other[2]


def _dot(places: Sequence[tuple[int, int, int]]) -> Dot:
    numbers = [str(number) for number, _, _ in places]
    label = ", ".join(numbers[:MOST_NUMBERS]) + (" …" if len(numbers) > MOST_NUMBERS else "")
    _, across, down = places[0]
    return Dot(across, down, label)

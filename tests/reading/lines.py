"""Lines as a reader gives them, set out by hand."""

from collections.abc import Iterable
from math import cos, radians, sin

from portal.gateways.reading.reader import Line, Point

HEIGHT, WIDE = 20.0, 10.0  # of a line, and of a letter in it


def at(across: float, down: float, text: str, *, confidence: float = 1.0, page: int = 1) -> Line:
    """A text whose upper left corner is there."""
    right, bottom = across + WIDE * len(text), down + HEIGHT
    corners = ((across, down), (right, down), (right, bottom), (across, bottom))
    return Line(text, confidence, page, corners)


def two_columns(*rows: tuple[str, str]) -> list[Line]:
    """Labels on the left, their values on the right."""
    return [
        line
        for number, (label, value) in enumerate(rows)
        for line in (at(100, 40 * number, label), at(500, 40 * number, value))
        if line.text
    ]


def table(*rows: tuple[str, ...], wide: float = 260) -> list[Line]:
    """Headings, and rows below them."""
    return [
        at(100 + wide * column, 40 * number, text)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    ]


def turned(lines: Iterable[Line], degrees: float) -> list[Line]:
    """The same page, photographed askew."""
    angle = radians(degrees)

    def turn(point: Point) -> Point:
        across, down = point
        return across * cos(angle) - down * sin(angle), across * sin(angle) + down * cos(angle)

    return [Line(one.text, one.confidence, one.page, tuple(map(turn, one.corners))) for one in lines]


def seen_from_below(lines: Iterable[Line], strength: float = 0.0003) -> list[Line]:
    """The same page in perspective: what is further up and to the right is smaller."""

    def away(point: Point) -> Point:
        across, down = point
        scale = 1 / (1 + strength * (1000 - down) + strength * across)
        return 800 + (across - 800) * scale, 800 + (down - 800) * scale

    return [Line(one.text, one.confidence, one.page, tuple(map(away, one.corners))) for one in lines]

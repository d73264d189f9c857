"""The city's streets, for the maps that we draw: a GeoJSON file (RFC 7946) beside the city's own, if it has one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from portal.city.reading import CityFileError, Table

Street = tuple[tuple[float, float], ...]
"""Latitude and longitude of each bend, in degrees."""

# All of them are drawn on a page that a phone loads.
MOST_BENDS = 10_000


def read_streets(table: Table, *, folder: Path) -> tuple[Street, ...]:
    """The lines in the file that `streets` names; other shapes in it are left out."""
    name, place = table.text("streets"), table.at("streets")
    table.finish()
    try:
        streets = tuple(_lines(json.loads((folder / name).read_text(encoding="utf-8"))))
    except OSError as missing:
        raise CityFileError(place, f"there is no file {name} beside the city's file") from missing
    except (ValueError, TypeError, KeyError) as unreadable:
        raise CityFileError(place, f"{name} is not GeoJSON with degrees, longitude first") from unreadable
    if sum(len(street) for street in streets) > MOST_BENDS:
        raise CityFileError(place, f"{name} has more than {MOST_BENDS} points; simplify its lines")
    return streets


def _lines(collection: dict[str, Any]) -> Iterator[Street]:
    for feature in collection["features"]:
        for line in _lines_of(feature["geometry"] or {"type": None}):
            yield tuple((_degrees(latitude, 90), _degrees(longitude, 180)) for longitude, latitude, *_ in line)


def _lines_of(shape: dict[str, Any]) -> list[Any]:
    if shape["type"] == "LineString":
        return [shape["coordinates"]]
    return list(shape["coordinates"]) if shape["type"] == "MultiLineString" else []


def _degrees(value: float, most: int) -> float:
    if isinstance(value, bool) or not -most <= value <= most:
        raise ValueError(value)
    return float(value)

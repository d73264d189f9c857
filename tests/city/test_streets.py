"""The streets of the city's own file, and the map that is drawn of them."""

import json
from pathlib import Path

import pytest

from portal.city import CityFileError, load_city
from portal.city.city import Area
from portal.city.loading import BENSON
from portal.city.streets import MOST_BENDS
from portal.views.notices.map_drawing import Spot, drawn_map

TOWN = Area(south=45.29, north=45.34, west=-95.64, east=-95.56)
IDAHO = {"type": "LineString", "coordinates": [[-95.62, 45.31], [-95.6, 45.31, 316.0]]}
RIVER = {"type": "MultiLineString", "coordinates": [[[-95.61, 45.3], [-95.61, 45.31]], [[-95.6, 45.3], [-95.6, 45.32]]]}
SHOP = {"type": "Point", "coordinates": [-95.6, 45.31]}


def city_with(folder: Path, *shapes: object) -> Path:
    features = [{"type": "Feature", "properties": {}, "geometry": shape} for shape in shapes]
    (folder / "streets.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return named(folder, "streets.geojson")


def named(folder: Path, streets: str) -> Path:
    path = folder / "city.toml"
    path.write_text(BENSON.read_text(encoding="utf-8") + f'\n[map]\nstreets = "{streets}"\n')
    return path


def test_a_city_without_a_file_of_streets_has_none():
    assert load_city().streets == ()


def test_the_lines_of_the_file_are_read_and_other_shapes_left_out(tmp_path):
    streets = load_city(city_with(tmp_path, IDAHO, SHOP, None, RIVER)).streets
    assert len(streets) == 3
    assert streets[0] == ((45.31, -95.62), (45.31, -95.6))


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"type": "LineString", "coordinates": [[-95.6, 145.3]]}, "not GeoJSON"),
        ({"type": "LineString", "coordinates": [["a", "b"]]}, "not GeoJSON"),
        ({"type": "LineString"}, "not GeoJSON"),
        ({"type": "LineString", "coordinates": [[-95.6, 45.3]] * (MOST_BENDS + 1)}, "simplify"),
    ],
)
def test_a_file_that_can_not_be_drawn_is_named_when_the_portal_starts(tmp_path, shape, said):
    with pytest.raises(CityFileError, match=said) as refused:
        load_city(city_with(tmp_path, shape))
    assert refused.value.key == "map.streets"


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CityFileError, match="there is no file"):
        load_city(named(tmp_path, "nowhere.geojson"))


def test_places_stand_where_they_are_north_up_and_a_mile_is_a_mile():
    drawn = drawn_map([Spot(1, 45.34, -95.64), Spot(2, 45.29, -95.56)], area=TOWN, streets=())
    assert drawn is not None
    assert [(dot.across, dot.down) for dot in drawn.dots] == [(0, 0), (drawn.width, drawn.height)]
    # 0.05 degrees of latitude are 3.45 miles, wherever.
    assert drawn.height / drawn.mile == pytest.approx(3.45, abs=0.03)


def test_places_that_would_cover_each_other_share_a_dot():
    near = [Spot(number, 45.31 + number / 20_000, -95.6 - number / 20_000) for number in range(1, 6)]
    drawn = drawn_map([*near, Spot(6, 45.33, -95.6)], area=TOWN, streets=())
    assert drawn is not None
    assert [dot.label for dot in drawn.dots] == ["1, 2, 3 …", "6"]


def test_places_beyond_the_city_are_said_and_not_drawn():
    drawn = drawn_map([Spot(1, 45.31, -95.6), Spot(2, 44.98, -93.27)], area=TOWN, streets=())
    assert drawn is not None
    assert drawn.beyond == (2,)
    assert len(drawn.dots) == 1


def test_there_is_no_map_without_a_place_or_without_an_area():
    assert drawn_map([], area=TOWN, streets=()) is None
    assert drawn_map([Spot(1, 44.98, -93.27)], area=TOWN, streets=()) is None
    assert drawn_map([Spot(1, 45.31, -95.6)], area=None, streets=()) is None


def test_streets_are_drawn_under_the_places():
    drawn = drawn_map([Spot(1, 45.31, -95.6)], area=TOWN, streets=[((45.31, -95.64), (45.31, -95.56))])
    assert drawn is not None
    middle = drawn.dots[0].down
    assert drawn.streets == f"M0 {middle}L{drawn.width} {middle}"

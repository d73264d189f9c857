"""A code that an officer's phone can read, on a page with a strict content policy."""

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from portal.gateways.qr import qr_png, qr_svg

ADDRESS = "https://dogs.example.gov/proof/7KQ2-M4TX-9WPA"
SVG = "{http://www.w3.org/2000/svg}"
FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def drawn(svg: str) -> list[str]:
    """The code as rows of 0 and 1, painted from the path as a browser would."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own output
    side = int(root.attrib["viewBox"].split()[-1])
    rows = [["0"] * side for _ in range(side)]
    dark = root.findall(f"{SVG}path")[-1].attrib["d"]
    for across, down, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", dark):
        for place in range(int(across), int(across) + int(length)):
            rows[int(down)][place] = "1"
    return ["".join(row) for row in rows]


def scanned(png: bytes) -> list[str]:
    picture = Image.open(io.BytesIO(png)).convert("1")
    return [
        "".join("0" if picture.getpixel((across, down)) else "1" for across in range(4, picture.width, 8))
        for down in range(4, picture.height, 8)
    ]


def test_the_code_has_its_three_finders_and_clear_paper_around_it():
    rows = drawn(qr_svg(ADDRESS))
    side = len(rows)
    assert set("".join(rows[:4] + rows[-4:] + [row[:4] + row[-4:] for row in rows])) == {"0"}
    for down, across in ((4, 4), (4, side - 11), (side - 11, 4)):
        assert [row[across : across + 7] for row in rows[down : down + 7]] == FINDER


def test_the_picture_for_messages_holds_the_same_code():
    assert scanned(qr_png(ADDRESS)) == drawn(qr_svg(ADDRESS))


def test_another_address_gives_another_code():
    assert drawn(qr_svg(ADDRESS)) != drawn(qr_svg(ADDRESS + "1"))


@pytest.mark.parametrize("text", [ADDRESS, "</svg><script>alert(1)</script>", "Nguyễn 🐶", "x" * 500])
def test_a_strict_content_policy_finds_nothing_to_refuse(text: str):
    root = ElementTree.fromstring(qr_svg(text, name=text))  # noqa: S314 - our own output
    assert {element.tag for element in root.iter()} == {f"{SVG}svg", f"{SVG}path"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}


def test_a_screen_reader_reads_the_name_of_the_code():
    root = ElementTree.fromstring(qr_svg(ADDRESS, name='Proof for "Rex" & <Bailey>'))  # noqa: S314 - our own output
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'Proof for "Rex" & <Bailey>'

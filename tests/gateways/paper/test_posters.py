"""The poster of a lost animal: one page that says it all, whatever the name, the texts and the photo."""

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import cv2
import pypdfium2
import pypdfium2.raw
import pytest
from PIL import Image
from pypdf import PdfReader

from portal.gateways.paper.posters import Poster, poster_pdf
from tests.support.documents import corner_colors, corners, saved
from tests.support.posters import BELLA, NAMES, SHAPES


def words(poster: Poster) -> str:
    (page,) = PdfReader(io.BytesIO(poster_pdf(poster))).pages
    return " ".join(page.extract_text().split()).replace("\u200b", "")


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_poster_says_it_all_on_one_page_in_two_languages(name: str):
    said = words(replace(BELLA, name=name))
    for told in (
        name,
        "LOST DOG",
        "PERRO PERDIDO",
        "dogs.example.gov/lost/K7M2Q-X4P9W",
        BELLA.looks,
        BELLA.last_seen_place,
    ):
        assert told.replace(" ", "") in said.replace(" ", "")
    for told in (BELLA.wears, "November 27, 2026, about 5:30 p.m.", "27 de noviembre de 2026, hacia las 17:30"):
        assert told in said
    assert "Female, medium size Hembra, de tamaño mediano" in said
    assert "Please do not chase" in said
    assert "No lo persiga" in said


def test_a_poster_says_no_more_than_is_known():
    panorama = saved(corners(2000, 400), "JPEG")
    little = Poster(
        species="cat",
        name="",
        looks="",
        last_seen_place="Downtown",
        last_seen_on=date(2026, 11, 27),
        link=BELLA.link,
        photo=panorama,
    )
    said = words(little)
    assert "Last seen · Visto por última vez Downtown November 27, 2026 27 de noviembre de 2026 Seen?" in said
    assert "Looks like" not in said
    assert "Wears" not in said
    assert "If you see it" not in said


def test_a_phone_reads_the_code_on_the_poster_and_on_every_strip():
    link = "https://animals.portal-of-the-city-of-benson.example.gov/lost/K7M2Q-X4P9W"
    page = pypdfium2.PdfDocument(poster_pdf(replace(BELLA, link=link)))[0]
    lower_half = page.render(scale=4, grayscale=True, crop=(0, 0, 0, 480)).to_numpy()
    _, read, _, _ = cv2.QRCodeDetector().detectAndDecodeMulti(lower_half)
    assert list(read) == [link] * 10


def test_an_animal_of_another_kind_is_a_lost_pet():
    said = words(replace(BELLA, species="tortoise"))
    assert "LOST PET" in said
    assert "MASCOTA PERDIDA" in said


def test_a_phone_stands_there_only_if_it_was_chosen():
    assert "Phone" not in words(BELLA)
    assert "320-555-0123" in words(replace(BELLA, phone="320-555-0123"))


def test_endless_texts_are_cut_and_leave_the_way_to_the_owner():
    endless = "so much to tell " * 400
    said = words(replace(BELLA, looks=endless, wears="W" * 5000, when_seen=endless, last_seen_place=endless))
    assert "…" in said
    assert "Seen? Scan, or go to" in said
    assert "dogs.example.gov/lost/K7M2Q-X4P9W" in said


@pytest.mark.parametrize("shape", [shape for shape in SHAPES.values() if shape], ids=str)
def test_a_photo_is_large_upright_whole_and_undistorted(shape: tuple[int, int]):
    width, height = shape
    pdf = poster_pdf(replace(BELLA, photo=saved(corners(width, height), "JPEG", quality=95)))
    ((left, bottom, right, top),) = pictures_in(pdf)
    assert (right - left) / (top - bottom) == pytest.approx(width / height, rel=0.02)
    assert max((right - left) / 612, (top - bottom) / 792) > 0.4
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=1).to_pil()
    shown = page.crop((int(left) + 1, int(792 - top) + 1, int(right), int(792 - bottom)))
    assert near(corner_colors(shown), corner_colors(corners(width, height)))


def pictures_in(pdf: bytes) -> Iterator[tuple[float, float, float, float]]:
    page = pypdfium2.PdfDocument(pdf)[0]
    kinds = [pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]
    return (found.get_bounds() for found in page.get_objects(filter=kinds, max_depth=9))


def near(some: dict[str, tuple[int, int, int]], others: dict[str, tuple[int, int, int]]) -> bool:
    return all(abs(a - b) < 30 for place in some for a, b in zip(some[place], others[place], strict=True))


def test_without_a_photo_the_words_take_its_place():
    pdf = poster_pdf(BELLA)
    assert list(pictures_in(pdf)) == []
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=0.5, grayscale=True).to_pil()
    assert has_ink(page.crop((0, page.height // 2, page.width, page.height * 2 // 3)))


def has_ink(paper: Image.Image) -> bool:
    return paper.getextrema()[0] < 128


def test_a_photo_brings_nothing_along_that_was_not_drawn():
    """V1: the poster holds the picture that we drew anew, as it is, and no metadata of its own making."""
    photo = saved(corners(), "JPEG")
    assert photo[200:-2] in poster_pdf(replace(BELLA, photo=photo))

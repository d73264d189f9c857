"""What the sender of a picture is advised to do better, found on the pictures themselves."""

from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from portal.gateways.pictures.advice import Advice
from portal.gateways.pictures.making import prepare
from tests.support.documents import one_page_pdf, saved, stream

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def page():
    """A certificate lying on a wooden table."""
    drawn = pypdfium2.PdfDocument(SAMPLES / "certificate-3-year.pdf")[0].render(scale=1.6).to_pil().convert("RGB")
    table = Image.new("RGB", (2016, 1512), (120, 90, 60))
    table.paste(drawn.crop((0, 0, drawn.width, 1400)), (500, 60))
    return table


def advice(picture):
    (found,) = prepare(BytesIO(saved(picture, "JPEG", quality=85))).pages
    return found.advice


@pytest.mark.parametrize("radius", [0, 0.7, 1])
def test_a_picture_that_can_be_read_gets_no_advice(page, radius):
    assert advice(page.filter(ImageFilter.GaussianBlur(radius))) == ()


@pytest.mark.parametrize("radius", [2.5, 4, 8])
def test_a_blurred_one_is_told(page, radius):
    assert advice(page.filter(ImageFilter.GaussianBlur(radius))) == (Advice.BLURRED,)


@pytest.mark.parametrize("light", [0.35, 0.2])
def test_a_dark_one_is_told_and_not_taken_for_blurred(page, light):
    assert advice(ImageEnhance.Brightness(page).enhance(light)) == (Advice.DARK,)


def test_a_dim_one_that_can_be_read_is_left_alone(page):
    assert advice(ImageEnhance.Brightness(page).enhance(0.6)) == ()


def test_a_page_with_nothing_on_it_is_told():
    assert advice(Image.new("RGB", (1200, 1600), (245, 245, 240))) == (Advice.EMPTY,)


@pytest.mark.parametrize("name", ["certificate-photo-iphone.heic", "certificate-photo-orientation-6-gps.jpg"])
def test_the_sample_photos_need_no_advice(name):
    assert prepare(BytesIO((SAMPLES / name).read_bytes())).pages[0].advice == ()


@pytest.mark.parametrize(("text", "misses"), [(b"Page 1 of 2", True), (b"page 1 of 1", False), (b"Rabies", False)])
def test_a_pdf_that_counts_more_pages_than_came_is_told(text, misses):
    drawing = stream(b"BT /F1 24 Tf 72 700 Td (" + text + b") Tj ET")
    fonts = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    assert prepare(BytesIO(one_page_pdf(drawing, resources=fonts))).misses_pages is misses


def test_a_sample_pdf_is_whole_and_sharp():
    prepared = prepare(BytesIO((SAMPLES / "certificate-3-year.pdf").read_bytes()))
    assert (prepared.misses_pages, [page.advice for page in prepared.pages]) == (False, [()] * len(prepared.pages))

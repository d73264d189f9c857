"""What residents send from their phones is shown to everybody as plain pictures."""

import io
import struct
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from PIL import Image, ImageCms
from pypdf.actions import JavaScript

from portal.gateways.pictures.making import USUAL_LIMITS, PreparedFile, prepare
from tests.support.documents import CORNERS, corner_colors, corners, one_page_pdf, pdf, saved, stream

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
SAMPLES = Path(__file__).parents[2] / "samples"
JPEG_METADATA_MARKERS = {0xFE, *range(0xE1, 0xF0)}


def shown(content: bytes) -> PreparedFile:
    return prepare(io.BytesIO(content))


def opened(jpeg: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(jpeg), formats=["JPEG"])
    picture.load()
    return picture


def markers(jpeg: bytes) -> set[int]:
    """The segments of a JPEG up to its pixels (ITU T.81, annex B)."""
    found, at = set(), 2
    while jpeg[at + 1] != 0xDA:
        found.add(jpeg[at + 1])
        at += 2 + struct.unpack(">H", jpeg[at + 2 : at + 4])[0]
    return found


def looks_like(found: tuple[int, ...], expected: tuple[int, ...]) -> bool:
    return all(abs(one - other) < 16 for one, other in zip(found, expected, strict=True))


def assert_upright(jpeg: bytes) -> None:
    found = corner_colors(opened(jpeg))
    assert all(looks_like(found[place], color) for place, color in CORNERS.items()), found


@pytest.mark.parametrize("name", ["certificate-photo-iphone.heic", "heic-named.jpg"])
def test_a_photo_straight_from_an_iphone_is_shown_as_jpeg(name: str):
    """U1: whatever name or header it came with, only its bytes are asked."""
    prepared = shown((SAMPLES / name).read_bytes())
    [page] = prepared.pages
    assert prepared.media_type == "image/heic"
    assert opened(page.jpeg).size == (page.width, page.height) == (2048, 1536)
    assert prepared.original is None


def test_a_photo_taken_sideways_is_shown_upright_and_without_its_place():
    """U3, V1: the sample was held sideways (orientation 6) and carries GPS."""
    content = (SAMPLES / "certificate-photo-orientation-6-gps.jpg").read_bytes()
    assert Image.open(io.BytesIO(content)).getexif().get_ifd(0x8825)
    [page] = shown(content).pages
    assert page.width > page.height
    assert not opened(page.jpeg).getexif()


@pytest.mark.parametrize(
    ("orientation", "held"),
    [
        (1, None),
        (2, Image.Transpose.FLIP_LEFT_RIGHT),
        (3, Image.Transpose.ROTATE_180),
        (4, Image.Transpose.FLIP_TOP_BOTTOM),
        (5, Image.Transpose.TRANSPOSE),
        (6, Image.Transpose.ROTATE_90),
        (7, Image.Transpose.TRANSVERSE),
        (8, Image.Transpose.ROTATE_270),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_upright_however_the_phone_was_held(kind: str, orientation: int, held: Image.Transpose | None):
    """U3: the pixels are turned before the note that says so is dropped."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = corners() if held is None else corners().transpose(held)
    prepared = shown(saved(stored, kind, exif=exif))
    assert_upright(prepared.pages[0].jpeg)
    assert_upright(prepared.thumbnail.jpeg)


@pytest.mark.parametrize("profile", [None, PROFILE], ids=["plain", "with a color profile"])
def test_nothing_tells_where_when_or_with_what_a_photo_was_taken(profile: bytes | None):
    """V1, U8: no EXIF, XMP, comment, color profile or embedded thumbnail in any picture we show."""
    exif = Image.Exif()
    exif[0x010F], exif[0x8825] = "Phone maker", {1: "N", 2: (45.0, 18.0, 54.0)}
    content = saved(
        corners(), "JPEG", exif=exif, comment=b"<script>alert(1)</script>", xmp=b"<x:xmpmeta/>", icc_profile=profile
    )
    assert markers(content) >= {0xFE, 0xE1}
    prepared = shown(content)
    for picture in (*prepared.pages, prepared.thumbnail):
        assert not markers(picture.jpeg) & JPEG_METADATA_MARKERS
        assert b"script" not in picture.jpeg
        assert b"Phone maker" not in picture.jpeg


def test_a_photo_with_unreadable_metadata_is_still_a_photo():
    assert_upright(shown(saved(corners(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff")).pages[0].jpeg)


def test_a_screenshot_that_can_be_seen_through_stands_on_white():
    """U7: a transparent PNG is accepted."""
    screenshot = Image.new("RGBA", (300, 200), (0, 0, 0, 0))
    screenshot.paste((200, 30, 30, 255), (0, 0, 150, 200))
    prepared = shown(saved(screenshot, "PNG"))
    picture = opened(prepared.pages[0].jpeg)
    assert prepared.media_type == "image/png"
    assert looks_like(picture.getpixel((250, 100)), (255, 255, 255))
    assert looks_like(picture.getpixel((50, 100)), (200, 30, 30))


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        pytest.param(saved(corners(), "JPEG", progressive=True), "image/jpeg", id="progressive"),
        pytest.param(saved(corners(), "MPO", save_all=True, append_images=[corners()]), "image/jpeg", id="two in one"),
        pytest.param(saved(corners().convert("CMYK"), "JPEG"), "image/jpeg", id="print colors"),
        pytest.param(saved(corners().quantize(8), "PNG"), "image/png", id="palette"),
        pytest.param(saved(corners(), "WEBP", lossless=True), "image/webp", id="webp"),
        pytest.param(saved(corners(), "GIF"), "image/gif", id="gif"),
        pytest.param(
            saved(corners(), "GIF", save_all=True, append_images=[Image.new("RGB", (640, 480))]),
            "image/gif",
            id="moving gif, its first picture",
        ),
    ],
)
def test_the_usual_kinds_of_photo_look_as_they_should(content: bytes, media_type: str):
    prepared = shown(content)
    assert prepared.media_type == media_type
    assert_upright(prepared.pages[0].jpeg)


def test_a_scan_of_sixteen_bits_is_not_washed_out():
    scan = Image.frombytes("I;16", (64, 64), struct.pack("<H", 0x8000) * 64 * 64)
    picture = opened(shown(saved(scan, "PNG")).pages[0].jpeg)
    assert looks_like(picture.getpixel((32, 32)), (128, 128, 128))


def test_colors_of_another_profile_are_turned_into_those_every_screen_shows():
    """A profile whose red and blue are swapped: what is stored as red was meant as blue."""
    swapped = PROFILE.replace(b"rXYZ", b"----", 1).replace(b"bXYZ", b"rXYZ", 1).replace(b"----", b"bXYZ", 1)
    picture = opened(shown(saved(Image.new("RGB", (64, 64), "red"), "JPEG", icc_profile=swapped)).pages[0].jpeg)
    red, _, blue = picture.getpixel((32, 32))
    assert blue > 200 > 50 > red


def test_a_profile_that_is_no_profile_is_left_out():
    assert_upright(shown(saved(corners(), "JPEG", icc_profile=b"not a profile")).pages[0].jpeg)


@pytest.mark.parametrize(
    ("size", "shown_size", "thumbnail_size"),
    [
        pytest.param((3000, 4000), (1500, 2000), (360, 480), id="12 MP, read at half its size"),
        pytest.param((3000, 1000), (2048, 683), (480, 160), id="wide"),
        pytest.param((300, 200), (300, 200), (300, 200), id="small stays small"),
        pytest.param((5000, 2), (2048, 1), (480, 1), id="a line"),
    ],
)
def test_large_photos_shrink_and_small_ones_stay(size, shown_size, thumbnail_size):
    prepared = shown(saved(corners(*size), "JPEG"))
    [page] = prepared.pages
    assert (page.width, page.height) == opened(page.jpeg).size == shown_size
    assert opened(prepared.thumbnail.jpeg).size == thumbnail_size


def test_pictures_appear_early_on_a_slow_line():
    assert opened(shown(saved(corners(), "PNG")).pages[0].jpeg).info["progressive"]


def test_a_certificate_as_pdf_is_shown_as_a_picture_and_kept_as_it_came():
    content = (SAMPLES / "certificate-3-year.pdf").read_bytes()
    prepared = shown(content)
    [page] = prepared.pages
    assert (prepared.media_type, prepared.original) == ("application/pdf", content)
    assert max(page.width, page.height) == 2048
    darkest, lightest = opened(page.jpeg).convert("L").getextrema()
    assert (darkest, lightest) == (0, 255)


def test_all_pages_of_a_pdf_are_shown_in_their_order():
    pages = [Image.new("RGB", (100, 100), color) for color in ("red", "lime", "blue")]
    content = saved(pages[0], "PDF", save_all=True, append_images=pages[1:])
    found = [opened(page.jpeg).getpixel((50, 50)) for page in shown(content).pages]
    assert all(
        looks_like(one, other) for one, other in zip(found, [(254, 0, 0), (0, 255, 0), (0, 0, 254)], strict=True)
    )


def test_a_pdf_that_says_its_page_is_as_large_as_a_house_is_drawn_at_the_usual_size():
    """A page can claim 900 megapixels; it is drawn at the size it is seen."""
    [page] = shown(one_page_pdf(stream(b"0 0 1 rg 0 0 30000 30000 re f"), box=b"0 0 30000 30000")).pages
    assert (page.width, page.height) == (2048, 2048)


def test_what_a_clinic_typed_into_a_pdf_form_is_drawn():
    box = stream(b"1 0 0 rg 0 0 400 400 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 400 400]")
    content = pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Annots [5 0 R] >>",
            4: stream(b""),
            5: b"<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (sent) /F 4 /Rect [0 0 400 400]"
            b" /P 3 0 R /AP << /N 6 0 R >> >>",
            6: box,
        }
    )
    assert looks_like(opened(shown(content).pages[0].jpeg).getpixel((1000, 1000)), (254, 0, 0))


def test_a_pdf_with_a_script_is_shown_as_a_picture_in_which_nothing_runs():
    """U8: people only ever see pictures of a PDF's pages."""
    writer = pypdf.PdfWriter(clone_from=SAMPLES / "certificate-3-year.pdf")
    writer.add_open_action(JavaScript("app.alert('hello');"))
    content = io.BytesIO()
    writer.write(content)
    prepared = shown(content.getvalue())
    assert [picture.jpeg[:2] for picture in (*prepared.pages, prepared.thumbnail)] == [b"\xff\xd8"] * 2
    assert b"alert" not in prepared.pages[0].jpeg


def test_a_pdf_that_only_its_owner_may_change_is_readable_to_all():
    writer = pypdf.PdfWriter(clone_from=SAMPLES / "certificate-3-year.pdf")
    writer.encrypt(user_password="", owner_password="clinic", algorithm="AES-256")
    content = io.BytesIO()
    writer.write(content)
    assert len(shown(content.getvalue()).pages) == 1


def test_a_pdf_may_begin_with_a_blank_line():
    assert shown(b"\r\n" + (SAMPLES / "certificate-3-year.pdf").read_bytes()).media_type == "application/pdf"


def test_the_portal_leaves_the_upload_open_for_its_next_reader():
    source = io.BytesIO(saved(corners(), "PNG"))
    prepare(source, limits=replace(USUAL_LIMITS, longest_side=100))
    assert not source.closed

"""Files that can't be shown are refused in plain words, and none of them can hurt the portal."""

import io
import random
import resource
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from PIL import Image

from portal.gateways.pictures.making import USUAL_LIMITS, PictureLimits, prepare
from portal.gateways.pictures.refusal import SENTENCES, UnreadableFile, UnreadableReason
from tests.support.documents import corners, one_page_pdf, saved, stream

SAMPLES = Path(__file__).parents[2] / "samples"
NOISE = random.Random(90)  # noqa: S311 - the same noise in every run


def refusal(content: bytes, limits: PictureLimits = USUAL_LIMITS) -> UnreadableFile:
    with pytest.raises(UnreadableFile) as refused:
        prepare(io.BytesIO(content), limits=limits)
    return refused.value


def noisy(width: int, height: int) -> Image.Image:
    return Image.frombytes("RGB", (width, height), NOISE.randbytes(width * height * 3))


def locked_pdf() -> bytes:
    writer = pypdf.PdfWriter(clone_from=SAMPLES / "certificate-3-year.pdf")
    writer.encrypt(user_password="rex", algorithm="AES-256")
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def word_document() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return content.getvalue()


def film() -> bytes:
    return b"\0\0\0\x14ftypqt  \0\0\0\0qt  " + bytes(100)


def blanks(size: int) -> bytes:
    """So many blanks, deflated: one piece that stands alone, again and again."""
    deflating, part = zlib.compressobj(9), b" " * (1 << 20)
    first, again = [deflating.compress(part) + deflating.flush(zlib.Z_FULL_FLUSH) for _ in range(2)]
    return first + again * (size >> 20) + deflating.flush()


def long_pdf() -> bytes:
    pages = [Image.new("RGB", (10, 10))] * 11
    return saved(pages[0], "PDF", save_all=True, append_images=pages[1:])


@pytest.mark.parametrize(
    ("content", "reason", "tells"),
    [
        pytest.param((SAMPLES / "empty.jpg").read_bytes(), "empty", "empty", id="U6 nothing in it"),
        pytest.param(locked_pdf(), "password", "Save a copy without the password", id="U6 locked PDF"),
        pytest.param(word_document(), "other_kind", "save the document as a PDF", id="U6 Word under a PDF name"),
        pytest.param((SAMPLES / "script.svg").read_bytes(), "other_kind", "not a photo", id="U8 drawing with script"),
        pytest.param((SAMPLES / "html-named.pdf").read_bytes(), "other_kind", "not a photo", id="U8 web page"),
        pytest.param(film(), "other_kind", "not a photo", id="film"),
        pytest.param(saved(corners(), "AVIF"), "other_kind", "not a photo", id="AVIF"),
        pytest.param(saved(corners(), "AVIF").replace(b"ftypavif", b"ftypmif1"), "other_kind", "not a", id="AVIF too"),
        pytest.param(saved(corners(), "TIFF"), "other_kind", "not a photo", id="TIFF"),
        pytest.param(saved(corners(), "BMP"), "other_kind", "not a photo", id="BMP"),
        pytest.param((SAMPLES / "bomb-40000x40000.png").read_bytes(), "too_many_pixels", "pixels", id="U7 bomb"),
        pytest.param((SAMPLES / "truncated.jpg").read_bytes(), "unfinished", "did not finish uploading", id="U7 cut"),
        pytest.param(long_pdf(), "too_many_pages", "more than 10 pages", id="eleven pages"),
        pytest.param(b"\xff\xd8\xff\xe0" + bytes(500) + b"\xff\xd9", "damaged", "damaged", id="no JPEG inside"),
        pytest.param(b"%PDF-1.7\nnothing\n%%EOF", "damaged", "damaged", id="no PDF inside"),
    ],
)
def test_a_file_we_cannot_show_is_refused_with_what_to_do(content: bytes, reason: str, tells: str):
    refused = refusal(content)
    assert refused.reason == reason
    assert tells in refused.sentence


def test_a_file_past_the_limit_is_refused_with_the_limit_named():
    """U5: a 30 MB file against the limit."""
    refused = refusal(b"\xff\xd8\xff" + bytes(30_000_000))
    assert refused.reason == "too_large"
    assert "25 MB" in refused.sentence


@pytest.mark.parametrize("reason", UnreadableReason)
def test_every_reason_tells_the_person_what_to_do(reason: UnreadableReason):
    sentence = UnreadableFile(reason, megabytes=25, pages=10).sentence
    assert reason in SENTENCES
    assert "{" not in sentence
    assert any(deed in sentence for deed in ("Choose", "choose", "Take", "take", "Save", "Send"))


@pytest.mark.parametrize("share", [0.5, 0.97])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(saved(noisy(300, 300), "JPEG"), id="JPEG"),
        pytest.param(saved(noisy(300, 300), "JPEG", progressive=True), id="progressive JPEG"),
        pytest.param(saved(noisy(300, 300), "PNG"), id="PNG"),
        pytest.param(saved(noisy(300, 300), "WEBP"), id="WebP"),
        pytest.param(saved(noisy(300, 300), "GIF"), id="GIF"),
        pytest.param((SAMPLES / "certificate-photo-iphone.heic").read_bytes(), id="HEIC"),
        pytest.param(saved(noisy(300, 300), "PDF"), id="PDF"),
    ],
)
def test_an_upload_that_broke_off_is_told_so(content: bytes, share: float):
    """U7: a part of a file is "did not finish uploading", whatever its kind."""
    assert refusal(content[: int(len(content) * share)]).reason == "unfinished"


def test_a_small_file_that_unfolds_to_many_pixels_is_refused_before_it_does():
    """A 250 kB PNG of 81 megapixels; Pillow alone would only have warned."""
    assert refusal(saved(Image.new("1", (9000, 9100)), "PNG")).reason == "too_many_pixels"


def test_a_picture_that_asks_for_too_much_memory_is_refused():
    limits = replace(USUAL_LIMITS, memory_bytes=150_000_000)
    assert refusal(saved(Image.new("RGBA", (6000, 6000)), "PNG"), limits).reason == "too_heavy"


def test_a_pdf_that_unfolds_to_gigabytes_is_stopped_at_its_memory():
    """A drawing of 1.5 GB of blanks in 1.5 MB."""
    drawing = stream(blanks(1500 << 20), b"/Filter /FlateDecode")
    assert len(drawing) < 2_000_000
    assert refusal(one_page_pdf(drawing)).reason == "too_heavy"


def test_a_pdf_that_paints_its_page_all_day_is_stopped():
    """Two hundred thousand coats of paint: little memory, much time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    content = one_page_pdf(stream(b"0 0 612 792 re f\n" * 200_000))
    assert refusal(content, replace(USUAL_LIMITS, cpu_seconds=1)).reason == "too_heavy"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 2


def test_a_pdf_whose_drawings_draw_each_other_is_stopped():
    """Forms that each draw the next one ten times: a billion rectangles in 2 kB."""
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /F %d 0 R >> >>"
    objects = {at: stream(b"/F Do " * 10, entries % (at + 1)) for at in range(5, 15)}
    objects[15] = stream(b"0 0 612 792 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]")
    content = one_page_pdf(stream(b"/F Do"), resources=b"/XObject << /F 5 0 R >>", objects=objects)
    assert refusal(content, replace(USUAL_LIMITS, memory_bytes=300_000_000)).reason == "too_heavy"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "PDF"])
def test_a_file_with_bytes_gone_wrong_is_shown_or_refused_but_never_an_error(kind: str, seed: int):
    noise = random.Random(seed)  # noqa: S311 - the same noise in every run
    content = bytearray(saved(corners(80, 60), kind))
    for _ in range(noise.randrange(1, 20)):
        content[noise.randrange(12, len(content))] = noise.randrange(256)
    outcome = "shown"
    try:
        prepare(io.BytesIO(content))
    except UnreadableFile as refused:
        outcome = refused.reason
    assert outcome in {"shown", "damaged", "unfinished", "too_many_pixels", "too_heavy", "password"}

"""The child process that opens what people send: a script of its own, run apart with narrow limits.

It imports nothing of the portal, so it starts in a tenth of a second and knows no secret. The file is its standard
input, the order its only argument. Its standard output is one line of JSON, then the JPEGs that the line counts off,
or a refusal by the name of its reason.
"""

import io
import json
import os
import re
import resource
import struct
import sys
import warnings
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any, BinaryIO, NoReturn

from PIL import Image, ImageCms, ImageFilter

# What the decoders are known to raise over a bad file. ImportError is not among them: that would be our fault.
UNREADABLE = (
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP", "image/gif": "GIF", "image/heic": "HEIF"}
PDF_PASSWORD_ERRORS = (4, 5)
TAILS = {"image/jpeg": b"\xff\xd9", "image/png": b"IEND", "application/pdf": b"%%EOF"}
TAIL_BYTES = 1024
MEASURED_SIDE = 1600
PAGE_OF = re.compile(r"\bpage\s+\d{1,2}\s+of\s+(\d{1,2})\b", re.IGNORECASE)


class Refusal(Exception):
    """The file cannot be shown; the argument names the reason."""


def main() -> None:
    """Do the order: draw every page, shrink, encode; answer with pictures or with a refusal."""
    order = json.loads(sys.argv[1])
    restrict(order)
    source = sys.stdin.buffer
    try:
        pages, thumbnail = prepared(source, order)
    except Refusal as refusal:
        answer({"refused": str(refusal)})
    except MemoryError:
        answer({"refused": "too_heavy"})
    else:
        line = {"pages": [about(page) | page.measures for page in pages], "thumbnail": about(thumbnail)}
        answer(line | {"pages_said": pages_said(source, order["kind"])}, *pages, thumbnail)


def restrict(order: dict[str, Any]) -> None:
    """Before the first byte of the file is looked at. The parent counts the seconds on the wall."""
    limits = {
        resource.RLIMIT_AS: order["memory_bytes"],
        resource.RLIMIT_CPU: order["cpu_seconds"],
        resource.RLIMIT_FSIZE: order["answer_bytes"],
        resource.RLIMIT_NOFILE: 32,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))
    stand_back()
    Image.MAX_IMAGE_PIXELS = order["pixels"]
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", Image.DecompressionBombWarning)


def stand_back() -> None:
    """Leave the first half of the cores to the pages people look at; on the others our parent puts us last.

    A picture goes through so much memory that whoever takes turns with it on a core finds its caches cold.
    """
    if hasattr(os, "sched_setaffinity"):  # Linux has it, macOS hasn't
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[len(cores) // 2 :])


def prepared(source: BinaryIO, order: dict[str, Any]) -> tuple[list["Encoded"], "Encoded"]:
    kind, side = order["kind"], order["longest_side"]
    try:
        drawn = pdf_pages(source, order) if kind == "application/pdf" else iter([photo(source, kind, side)])
        pages, thumbnail = [], None
        for whole in drawn:
            picture = turned_and_cut(whole, order)
            pages.append(Encoded(picture, seen(picture)))
            thumbnail = thumbnail or Encoded(shrunk(picture, order["thumbnail_side"]))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Refusal("too_many_pixels") from error
    except UNREADABLE as error:
        raise Refusal("unfinished" if is_cut_short(source, kind, error) else "damaged") from error
    if thumbnail is None:
        raise Refusal("damaged")
    return pages, thumbnail


def photo(source: BinaryIO, kind: str, side: int) -> Image.Image:
    """The picture upright, without a trace of where, when and with what it was taken (case V1)."""
    if kind == "image/heic":
        # Costs start-up time, so only where it is needed. One thread: the cores belong to the pages people look at.
        import_module("pi_heif").register_heif_opener(decode_threads=1)
    with Image.open(source, formats=[FORMATS[kind]]) as picture:
        # A JPEG decodes at half, a quarter or an eighth of its size for little. A little under `side` is near enough:
        # so the 4,032 pixels that many phones take are read at half.
        share = 0.9 * side / max(picture.size)
        picture.draft("RGB", (max(1, int(picture.width * share)), max(1, int(picture.height * share))))
        picture.load()
        profile, turned = picture.info.get("icc_profile"), orientation(picture)
        small = shrunk(on_white(picture), side)
    upright = small.transpose(turned) if turned is not None else small
    return fresh_copy(in_srgb(upright, profile))


def turned_and_cut(picture: Image.Image, order: dict[str, Any]) -> Image.Image:
    """Turned to the right by quarters, then without so many hundredths at the left, the top, the right, the bottom."""
    turns = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    if turned := turns.get(order["turned"]):
        picture = picture.transpose(turned)
    left, top, right, bottom = order["cut"]
    if not any((left, top, right, bottom)):
        return picture
    width, height = picture.size
    far = (max(1, width * (100 - right) // 100), max(1, height * (100 - bottom) // 100))
    return picture.crop((min(width * left // 100, far[0] - 1), min(height * top // 100, far[1] - 1), *far))


def orientation(picture: Image.Image) -> Image.Transpose | None:
    """How the phone says it was held (EXIF 0x0112); metadata too broken to read says nothing."""
    turns = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
    try:
        return turns.get(picture.getexif().get(0x0112, 1))
    except UNREADABLE:
        return None


def on_white(picture: Image.Image) -> Image.Image:
    """Any way of writing colors as plain RGB, with white behind what can be seen through."""
    if picture.has_transparency_data:
        seen_through = picture if picture.mode == "RGBA" else picture.convert("RGBA")
        paper = Image.new("RGB", picture.size, "white")
        paper.paste(seen_through, mask=seen_through)
        return paper
    if picture.mode.startswith("I"):  # 16 bits a pixel: convert() would cut all above 255 to white
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def shrunk(picture: Image.Image, side: int) -> Image.Image:
    if max(picture.size) <= side:
        return picture
    share = side / max(picture.size)
    size = (max(1, round(picture.width * share)), max(1, round(picture.height * share)))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """Phones record wider colors than a picture without a profile may hold; an unreadable profile is left out."""
    if not profile:
        return picture
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, *UNREADABLE):
        return picture
    return converted or picture


def fresh_copy(picture: Image.Image) -> Image.Image:
    """Pixels only: comments, profiles and metadata ride along in the old object and would be written again."""
    copy = Image.new("RGB", picture.size)
    copy.paste(picture)
    return copy


def pdf_pages(source: BinaryIO, order: dict[str, Any]) -> Iterator[Image.Image]:
    """Each page drawn at the size it will be seen, however large it says it is; scripts in it are never run."""
    pdfium = import_module("pypdfium2")  # costs start-up time, so only where it is needed
    try:
        document = pdfium.PdfDocument(source.read())
    except pdfium.PdfiumError as error:
        if error.err_code in PDF_PASSWORD_ERRORS:
            raise Refusal("password") from error
        raise
    if len(document) > order["pages"]:
        raise Refusal("too_many_pages")
    document.init_forms()  # or what a clinic typed into a form's boxes would not be drawn
    for page in document:
        scale = order["longest_side"] / max(1.0, *page.get_size())
        yield fresh_copy(page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB"))
        page.close()


def is_cut_short(source: BinaryIO, kind: str, error: BaseException) -> bool:
    """Whether an unreadable file looks like the first part of a good one."""
    if "truncated" in str(error).lower():
        return True
    size = source.seek(0, io.SEEK_END)
    if kind == "image/webp":
        source.seek(4)
        return int.from_bytes(source.read(4), "little") + 8 > size
    if kind == "image/heic":
        return boxes_end(source, size) > size
    source.seek(max(0, size - TAIL_BYTES))
    end = source.read()
    if kind == "image/gif":  # its mark is one byte, which a kilobyte of pixels holds nearly always
        return not end.rstrip(b"\0").endswith(b";")
    return TAILS[kind] not in end


def boxes_end(source: BinaryIO, size: int) -> int:
    """ISO 14496-12: a file is a row of boxes, each beginning with its length; the end of the last one begun."""
    at = 0
    while at + 8 <= size:
        source.seek(at)
        length = int.from_bytes(source.read(4), "big")
        if length == 1:
            source.seek(at + 8)
            length = int.from_bytes(source.read(8), "big")
        if length < 8:  # 0 reaches to the end of the file, the others are no length
            return size
        at += length
    return at if at != size else size


class Encoded:
    """A picture as the JPEG we serve."""

    def __init__(self, picture: Image.Image, measures: dict[str, float] | None = None) -> None:
        self.width, self.height = picture.size
        self.measures = measures or {}
        target = io.BytesIO()
        picture.save(target, "JPEG", quality=82, progressive=True)
        self.jpeg = target.getvalue()


def about(encoded: Encoded) -> dict[str, int]:
    return {"width": encoded.width, "height": encoded.height, "size": len(encoded.jpeg)}


def seen(picture: Image.Image) -> dict[str, float]:
    """How light it is, how much its tones differ, and how hard its hardest edges are: little where it is blurred.

    All three leave the outermost hundredth aside. Edges are measured against the tones, so that a dim picture that is
    sharp is not taken for a blurred one.
    """
    gray = shrunk(picture.convert("L"), MEASURED_SIDE)
    darkest, lightest = share_of(gray.histogram(), 0.01), share_of(gray.histogram(), 0.99)
    edges = gray.filter(ImageFilter.Kernel((3, 3), (0, 1, 0, 1, -4, 1, 0, 1, 0), scale=1, offset=128))
    if min(edges.size) > 4:
        edges = edges.crop((2, 2, edges.width - 2, edges.height - 2))  # the filter leaves the rim as it was
    hardest = share_of(edges.point(lambda value: abs(value - 128)).histogram(), 0.99)
    span = lightest - darkest
    return {"lightest": lightest, "span": span, "edges": round(hardest / max(1, span), 3)}


def share_of(histogram: list[int], share: float) -> int:
    """The tone that so much of a picture is darker than."""
    wanted, counted = share * sum(histogram), 0
    for tone, count in enumerate(histogram):
        counted += count
        if counted >= wanted:
            return tone
    return len(histogram) - 1


def pages_said(source: BinaryIO, kind: str) -> int:
    """How many pages a PDF says it has in its own text, like "Page 1 of 2"; 0 where it says nothing."""
    if kind != "application/pdf":
        return 0
    try:
        source.seek(0)
        document = import_module("pypdfium2").PdfDocument(source.read())
        texts = [page.get_textpage().get_text_bounded() for page in document]
    except UNREADABLE:
        return 0
    return max((int(found) for text in texts for found in PAGE_OF.findall(text)), default=0)


def answer(line: dict[str, Any], *pictures: Encoded) -> NoReturn:
    """Write the answer and leave at once: what a library left half done must not run on at the end."""
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n")
    for picture in pictures:
        sys.stdout.buffer.write(picture.jpeg)
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()

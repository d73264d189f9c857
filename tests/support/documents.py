"""Photos and PDFs made on the spot, good ones and bad ones."""

import io
from collections.abc import Mapping
from typing import Any

from PIL import Image

CORNERS = {
    "top left": (200, 30, 30),
    "top right": (30, 170, 30),
    "bottom left": (30, 30, 200),
    "bottom right": (230,) * 3,
}


def corners(width: int = 640, height: int = 480) -> Image.Image:
    """A picture whose four quarters differ, so that one can see which way is up."""
    picture = Image.new("RGB", (width, height))
    for place, color in CORNERS.items():
        left, top = width // 2 * ("right" in place), height // 2 * ("bottom" in place)
        picture.paste(color, (left, top, left + width // 2, top + height // 2))
    return picture


def corner_colors(picture: Image.Image) -> dict[str, tuple[int, int, int]]:
    """The colors in the middle of the four quarters."""
    found = {}
    for place in CORNERS:
        across, down = 3 if "right" in place else 1, 3 if "bottom" in place else 1
        red, green, blue = picture.convert("RGB").getpixel((picture.width * across // 4, picture.height * down // 4))
        found[place] = (red, green, blue)
    return found


def saved(picture: Image.Image, kind: str, **options: Any) -> bytes:
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()


def pdf(objects: Mapping[int, bytes]) -> bytes:
    """A PDF of these numbered objects, the first of which is its catalog."""
    content, places = b"%PDF-1.7\n", {}
    for number, body in objects.items():
        places[number] = len(content)
        content += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % places[number] for number in sorted(objects))
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(content))
    return content + head + table + trailer


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), entries, content)


def one_page_pdf(
    drawing: bytes, *, box: bytes = b"0 0 612 792", resources: bytes = b"", objects: Mapping[int, bytes] | None = None
) -> bytes:
    """A PDF of one page that this stream draws; objects from number 5 on are the caller's."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [%b] /Contents 4 0 R /Resources << %b >> >>" % (box, resources)
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: page,
            4: drawing,
            **(objects or {}),
        }
    )

"""A rabies certificate on one page of PDF, for dogs that don't exist."""

from collections.abc import Sequence

TITLE_POINTS, TEXT_POINTS, LEFT, TOP, LINE = 20, 13, 60, 720, 24


def certificate_pdf(lines: Sequence[str]) -> bytes:
    """One letter-size page with a title, a warning that it is a sample, and the lines."""
    written = [
        _line("RABIES VACCINATION CERTIFICATE", TITLE_POINTS, TOP),
        _line("SAMPLE - not a real certificate", TEXT_POINTS, TOP - LINE),
        *(_line(line, TEXT_POINTS, TOP - LINE * (number + 3)) for number, line in enumerate(lines)),
    ]
    drawing = "\n".join(written).encode("cp1252", "replace")
    return _document(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )


def _line(words: str, points: int, height: int) -> str:
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F {points} Tf {LEFT} {height} Td ({escaped}) Tj ET"


def _document(*objects: bytes) -> bytes:
    """ISO 32000-1, 7.5: the objects in their order, the first being the catalog, and where each begins."""
    content, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(content))
    return content + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + tail

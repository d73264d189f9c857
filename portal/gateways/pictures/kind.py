"""What a file is, told from its first bytes and never from its name or the header it came with (case U1)."""

from enum import StrEnum

HEAD_BYTES = 64

HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"}
HEIF_BRANDS = {b"mif1", b"msf1"}
AVIF_BRANDS = {b"avif", b"avis"}
BEFORE_PDF = b"\xef\xbb\xbf\0\t\n\f\r "


class Kind(StrEnum):
    """The kinds we open, each by the media type it has."""

    JPEG = "image/jpeg"
    PNG = "image/png"
    WEBP = "image/webp"
    GIF = "image/gif"
    HEIC = "image/heic"
    PDF = "application/pdf"


class Asked(StrEnum):
    """What a question asks for; the pages of a paper may come as photos too."""

    PHOTO = "photo"
    PAPER = "paper"
    EVIDENCE = "evidence"


def kind_of(head: bytes) -> Kind | None:
    """The kind of a file that begins with these bytes; None for all that we don't open."""
    if head.startswith(b"\xff\xd8\xff"):
        return Kind.JPEG
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return Kind.PNG
    if head.startswith((b"GIF87a", b"GIF89a")):
        return Kind.GIF
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return Kind.WEBP
    if head[4:8] == b"ftyp" and _is_heif(head):
        return Kind.HEIC
    if head.lstrip(BEFORE_PDF).startswith(b"%PDF-"):
        return Kind.PDF
    return None


def _is_heif(head: bytes) -> bool:
    """ISO 23008-12: phones write a HEVC brand first, or the general one with the HEVC brand among the compatible."""
    main = head[8:12]
    size = min(int.from_bytes(head[:4], "big"), len(head))
    compatible = {head[at : at + 4] for at in range(16, size, 4)}
    return main in HEIC_BRANDS or (main in HEIF_BRANDS and not compatible & AVIF_BRANDS)

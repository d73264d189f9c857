"""Take a photo, a sound or a film that comes with a report. What it is, is decided from its bytes (U1).

A photo is made anew and loses its metadata (V1); a PDF becomes a photo a page. A recording is kept as it came, for the
officer and whoever sent it, and is never played by a page. Never call this inside a transaction.
"""

from io import BytesIO
from typing import BinaryIO
from uuid import uuid4

from portal.gateways.pictures.kind import Asked
from portal.gateways.pictures.making import PictureLimits, prepare
from portal.gateways.scanning import NOT_SCANNED, Scanning
from portal.gateways.storage.store import Storage
from portal.schema.reports import ReportFileKind
from portal.services.files.keep_file import keep_file
from portal.services.files.scan_file import is_cleared, kind_to_keep
from portal.services.reports.answers import FileAnswers

FOLDER = "reports"
LONGEST_NAME = 200
HEAD_BYTES = 16
# Where the bytes begin, what they are, and which type they are served with.
HEADS = (
    (0, b"\x1aE\xdf\xa3", ReportFileKind.VIDEO, "video/webm"),
    (0, b"OggS", ReportFileKind.SOUND, "audio/ogg"),
    (0, b"ID3", ReportFileKind.SOUND, "audio/mpeg"),
    (0, b"\xff\xfb", ReportFileKind.SOUND, "audio/mpeg"),
    (0, b"\xff\xf3", ReportFileKind.SOUND, "audio/mpeg"),
    (0, b"\xff\xf1", ReportFileKind.SOUND, "audio/aac"),
    (0, b"\xff\xf9", ReportFileKind.SOUND, "audio/aac"),
    (0, b"#!AMR", ReportFileKind.SOUND, "audio/amr"),
    (8, b"WAVE", ReportFileKind.SOUND, "audio/wav"),
    (4, b"ftypM4A", ReportFileKind.SOUND, "audio/mp4"),
    (4, b"ftypqt", ReportFileKind.VIDEO, "video/quicktime"),
    (4, b"ftyp3g", ReportFileKind.VIDEO, "video/3gpp"),
    (4, b"ftypmp4", ReportFileKind.VIDEO, "video/mp4"),
    (4, b"ftypiso", ReportFileKind.VIDEO, "video/mp4"),
    (4, b"ftypavc", ReportFileKind.VIDEO, "video/mp4"),
    (4, b"ftypM4V", ReportFileKind.VIDEO, "video/mp4"),
)


def store_report_file(
    content: BinaryIO, *, name: str, storage: Storage, largest_bytes: int, scanning: Scanning = NOT_SCANNED
) -> tuple[FileAnswers, ...]:
    """Store a recording as it came, or the pages of a picture; raises FileRefused or AllTurnsTaken."""
    cleared = is_cleared(content, scanning)
    found = _recording(content)
    if found:
        kind, media_type = found
        size = content.seek(0, 2)
        content.seek(0)
        key = keep_file(content, kind_to_keep(FOLDER, cleared=cleared, scanning=scanning), storage)
        return (_answers(kind, key, None, name, media_type, size),)
    prepared = prepare(content, limits=PictureLimits(content_bytes=largest_bytes), asked=Asked.EVIDENCE)
    thumbnail = keep_file(BytesIO(prepared.thumbnail.jpeg), FOLDER, storage)
    return tuple(
        _answers(
            ReportFileKind.PHOTO,
            keep_file(BytesIO(page.jpeg), FOLDER, storage),
            thumbnail if number == 0 else None,
            name,
            "image/jpeg",
            len(page.jpeg),
        )
        for number, page in enumerate(prepared.pages)
    )


def _recording(content: BinaryIO) -> tuple[ReportFileKind, str] | None:
    head = content.read(HEAD_BYTES)
    content.seek(0)
    for place, mark, kind, media_type in HEADS:
        if head[place:].startswith(mark):
            return kind, media_type
    return None


def _answers(
    kind: ReportFileKind, key: str, thumbnail_key: str | None, name: str, media_type: str, size_bytes: int
) -> FileAnswers:
    printable = "".join(character for character in name if character.isprintable())
    return FileAnswers(
        id=uuid4(),
        kind=kind,
        key=key,
        thumbnail_key=thumbnail_key,
        original_name=printable[-LONGEST_NAME:] or "file",
        media_type=media_type,
        size_bytes=size_bytes,
    )

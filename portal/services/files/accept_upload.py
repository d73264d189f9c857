"""Take a file somebody sends: read it in a separate process, store it under random keys, note it down.

The first half touches no database and may take a second; the second is quick and belongs in the transaction.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, BinaryIO
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.pictures.kind import Asked
from portal.gateways.pictures.making import PictureLimits, prepare
from portal.gateways.scanning import NOT_SCANNED, Scanning
from portal.gateways.storage.store import Storage
from portal.schema.clinic_access import Reading
from portal.schema.documents import Document, DocumentKind, DocumentPage
from portal.schema.drafts import Upload
from portal.services.files.keep_file import keep_file
from portal.services.files.scan_file import is_cleared, kind_to_keep
from portal.services.refusal import NotTheirs

LONGEST_NAME = 200
CHUNK_BYTES = 1 << 20
FOLDERS = {
    DocumentKind.CERTIFICATE: "certificates",
    DocumentKind.ANIMAL_PHOTO: "animals",
    DocumentKind.EVIDENCE: "evidence",
}

ASKED = {
    DocumentKind.CERTIFICATE: Asked.PAPER,
    DocumentKind.ANIMAL_PHOTO: Asked.PHOTO,
    DocumentKind.EVIDENCE: Asked.PAPER,
}


@dataclass(frozen=True)
class StoredUpload:
    """A file that is safe in the store and not noted down yet."""

    kind: DocumentKind
    original_key: str | None
    original_name: str
    media_type: str
    size_bytes: int
    sha256: str
    thumbnail_key: str
    pages: tuple[dict[str, Any], ...]


def store_upload(
    content: BinaryIO,
    *,
    name: str,
    kind: DocumentKind,
    storage: Storage,
    largest_bytes: int,
    scanning: Scanning = NOT_SCANNED,
) -> StoredUpload:
    """Read the file and store the pictures of its pages; raises FileRefused or AllTurnsTaken.

    Never call this inside a transaction. The files go first: if the commit fails we keep orphans, which are swept.
    A photo's original is not kept, since it tells where it was taken; a PDF's is, apart, for the desk.
    """
    size_bytes, sha256 = _measure(content)
    cleared = is_cleared(content, scanning)
    prepared = prepare(content, limits=PictureLimits(content_bytes=largest_bytes), asked=ASKED[kind])
    folder, original_key = FOLDERS[kind], None
    if prepared.original:
        original_kind = kind_to_keep(f"{folder}-originals", cleared=cleared, scanning=scanning)
        original_key = keep_file(BytesIO(prepared.original), original_kind, storage)
    return StoredUpload(
        kind=kind,
        original_key=original_key,
        original_name=_display_name(name),
        media_type=prepared.media_type,
        size_bytes=size_bytes,
        sha256=sha256,
        thumbnail_key=keep_file(BytesIO(prepared.thumbnail.jpeg), folder, storage),
        pages=tuple(
            {
                "key": keep_file(BytesIO(page.jpeg), folder, storage),
                "width": page.width,
                "height": page.height,
                "advice": [
                    *page.advice,
                    *(["missing"] if prepared.misses_pages and page is prepared.pages[-1] else []),
                ],
            }
            for page in prepared.pages
        ),
    )


def note_upload(session: Session, stored: StoredUpload, *, account_id: UUID) -> Upload:
    """Note a stored file down as the account's; a certificate is to be read."""
    upload = Upload(
        account_id=account_id,
        kind=stored.kind,
        original_key=stored.original_key,
        original_name=stored.original_name,
        media_type=stored.media_type,
        size_bytes=stored.size_bytes,
        sha256=stored.sha256,
        thumbnail_key=stored.thumbnail_key,
        pages=list(stored.pages),
    )
    session.add(upload)
    session.flush()
    if stored.kind is DocumentKind.CERTIFICATE:
        session.add(Reading(upload_id=upload.id))
        session.flush()
    return upload


def upload_of(session: Session, *, account_id: UUID, upload_id: UUID) -> Upload:
    """An account's own upload; anyone else's does not exist for them."""
    mine = select(Upload).where(Upload.id == upload_id, Upload.account_id == account_id)
    upload = session.scalar(mine)
    if upload is None:
        raise NotTheirs("No such file")
    return upload


def make_document(session: Session, upload: Upload) -> Document:
    """Turn a draft's upload into a document of the shared schema; the files stay where they are."""
    document = add_document(session, upload, at=upload.created_at)
    upload.document_id = document.id
    return document


def add_document(session: Session, file: StoredUpload | Upload, *, at: datetime) -> Document:
    """A stored file as a document of the shared schema."""
    document = Document(
        kind=file.kind,
        original_key=file.original_key,
        original_name=file.original_name,
        media_type=file.media_type,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        thumbnail_key=file.thumbnail_key,
        uploaded_at=at,
        pages=[
            DocumentPage(
                number=number,
                key=page["key"],
                original_key=page.get("original_key"),
                width=page["width"],
                height=page["height"],
            )
            for number, page in enumerate(file.pages, start=1)
        ],
    )
    session.add(document)
    session.flush()
    return document


def _measure(content: BinaryIO) -> tuple[int, str]:
    """Size in bytes and hash of what was sent; leaves it rewound."""
    hashed, size = hashlib.sha256(), 0
    while piece := content.read(CHUNK_BYTES):
        hashed.update(piece)
        size += len(piece)
    content.seek(0)
    return size, hashed.hexdigest()


def _display_name(name: str) -> str:
    """The sender's name of the file as text: printable, bounded, never a path."""
    printable = "".join(character for character in name if character.isprintable())
    return printable[-LONGEST_NAME:] or "file"

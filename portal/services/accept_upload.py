"""Take a file somebody sends: read it in a separate process, store it under random keys, note it down.

The first half touches no database and may take a second; the second is quick and belongs in the transaction.
"""

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import Any, BinaryIO
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.pictures import PreparedFile, prepare
from portal.gateways.storage import Storage, new_key
from portal.schema.documents import Document, DocumentKind, DocumentPage
from portal.schema.drafts import Upload
from portal.services.refusal import NotTheirs

LONGEST_NAME = 200


@dataclass(frozen=True)
class StoredUpload:
    """A file that is safe in the store and not noted down yet."""

    kind: DocumentKind
    original_key: str
    original_name: str
    media_type: str
    size_bytes: int
    sha256: str
    thumbnail_key: str
    pages: tuple[dict[str, Any], ...]


def store_upload(content: BinaryIO, *, name: str, kind: DocumentKind, storage: Storage) -> StoredUpload:
    """Read the file and store it with the pictures of its pages; raises UnreadableFile or PicturesBusy.

    Never call this inside a transaction. The files go first: if the commit fails we keep orphans, which are swept.
    """
    prepared = prepare(content)
    content.seek(0)
    sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    size_bytes = content.tell()
    content.seek(0)
    folder = "certificates" if kind is DocumentKind.CERTIFICATE else "animals"
    original_key, thumbnail_key = new_key(f"originals/{folder}"), new_key(folder)
    storage.put(original_key, content)
    storage.put(thumbnail_key, BytesIO(prepared.thumbnail))
    return StoredUpload(
        kind=kind,
        original_key=original_key,
        original_name=_display_name(name),
        media_type=prepared.media_type,
        size_bytes=size_bytes,
        sha256=sha256,
        thumbnail_key=thumbnail_key,
        pages=tuple(_store_pages(prepared, folder, storage)),
    )


def note_upload(session: Session, stored: StoredUpload, *, account_id: UUID) -> Upload:
    """Note a stored file down as the account's."""
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
    document = Document(
        kind=upload.kind,
        original_key=upload.original_key,
        original_name=upload.original_name,
        media_type=upload.media_type,
        size_bytes=upload.size_bytes,
        sha256=upload.sha256,
        thumbnail_key=upload.thumbnail_key,
        uploaded_at=upload.created_at,
        pages=[DocumentPage(number=number, **page) for number, page in enumerate(upload.pages, start=1)],
    )
    session.add(document)
    session.flush()
    upload.document_id = document.id
    return document


def _store_pages(prepared: PreparedFile, folder: str, storage: Storage) -> list[dict[str, Any]]:
    pages = []
    for page in prepared.pages:
        key = new_key(folder)
        storage.put(key, BytesIO(page.jpeg))
        pages.append({"key": key, "width": page.width, "height": page.height})
    return pages


def _display_name(name: str) -> str:
    """The sender's name of the file as text: printable, bounded, never a path."""
    printable = "".join(character for character in name if character.isprintable())
    return printable[-LONGEST_NAME:] or "file"

"""Several photos or PDFs sent at once for one certificate: its pages, in the order they were chosen."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import BinaryIO

from portal.gateways.file_refusal import FileRefused, TryAgainLater
from portal.gateways.pictures.making import PictureLimits
from portal.gateways.pictures.refusal import UnreadableFile, UnreadableReason
from portal.gateways.scanning import NOT_SCANNED, Scanning
from portal.gateways.storage.store import Storage
from portal.schema.documents import DocumentKind
from portal.services.files.accept_upload import StoredUpload, store_upload


class OneRefused(FileRefused):
    """One of several files can't be taken; the sentence says which and what to do."""

    def __init__(self, name: str, refused: FileRefused) -> None:
        super().__init__(f"{name}: {refused.sentence}" if name else refused.sentence)


def store_pages(
    files: Sequence[tuple[str, BinaryIO]],
    *,
    kind: DocumentKind,
    storage: Storage,
    largest_bytes: int,
    scanning: Scanning = NOT_SCANNED,
) -> StoredUpload:
    """Read and store each file, and put their pages together; raises OneRefused.

    Never call this inside a transaction. Of several files each page of a PDF knows where its original lies.
    """
    store = partial(store_upload, kind=kind, storage=storage, largest_bytes=largest_bytes, scanning=scanning)
    stored = [_store(store, name, content, is_alone=len(files) == 1) for name, content in files]
    first, *others = stored
    if not others:
        return first
    pages = tuple({**page, "original_key": one.original_key} for one in stored for page in one.pages)
    limits = PictureLimits(content_bytes=largest_bytes)
    if len(pages) > limits.pages:
        megabytes = largest_bytes // 1_000_000
        too_many = UnreadableFile(UnreadableReason.TOO_MANY_PAGES, megabytes=megabytes, pages=limits.pages)
        raise OneRefused("", too_many)
    return StoredUpload(
        kind=kind,
        original_key=None,
        original_name=f"{first.original_name} and {len(others)} more",
        media_type=first.media_type,
        size_bytes=sum(one.size_bytes for one in stored),
        sha256=hashlib.sha256("".join(one.sha256 for one in stored).encode()).hexdigest(),
        thumbnail_key=first.thumbnail_key,
        pages=pages,
    )


def _store(store: Callable[..., StoredUpload], name: str, content: BinaryIO, *, is_alone: bool) -> StoredUpload:
    try:
        return store(content, name=name)
    except TryAgainLater:
        raise
    except FileRefused as refused:
        raise OneRefused("" if is_alone else name, refused) from refused

"""Put a file into the store under a key of its own, or say kindly that it can't be kept now."""

import logging
from typing import BinaryIO

from portal.gateways.file_refusal import TryAgainLater
from portal.gateways.storage.store import Storage, StorageUnavailable, new_key

log = logging.getLogger(__name__)

NOT_KEPT = (
    "We can’t keep files at the moment. The fault is ours, not your file’s. "
    "What you entered is kept: send the file again in a few minutes."
)


def keep_file(content: BinaryIO, kind: str, storage: Storage) -> str:
    """The key under which it is safe; raises TryAgainLater when the disk is full or the store is away."""
    key = new_key(kind)
    try:
        storage.put(key, content)
    except StorageUnavailable as away:
        log.error("files can't be kept: %s", type(away.__cause__ or away).__name__)
        raise TryAgainLater(NOT_KEPT) from away
    return key

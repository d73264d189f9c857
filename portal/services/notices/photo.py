"""The picture of a notice: made anew from what is sent (V1), turned and cut from the whole as often as one likes.

Takes a second, so never inside a transaction. What is no longer mentioned is swept.
"""

from io import BytesIO
from typing import BinaryIO

from portal.gateways.pictures.kind import Asked
from portal.gateways.pictures.making import Cut, PictureLimits, PreparedFile, prepare
from portal.gateways.scanning import NOT_SCANNED, Scanning
from portal.gateways.storage.store import Storage
from portal.services.files.keep_file import keep_file
from portal.services.files.scan_file import is_cleared
from portal.services.notices.in_progress import NoticePhoto

FOLDER = "notices"
# On a board the small one is a thumb wide, two dozen of them a page.
SMALL_SIDE = 160
# What stays of a side is never less than a tenth of it.
MOST_CUT = 90


def store_notice_photo(
    content: BinaryIO, *, storage: Storage, largest_bytes: int, scanning: Scanning = NOT_SCANNED
) -> NoticePhoto:
    """The photo that was sent; raises FileRefused or AllTurnsTaken."""
    is_cleared(content, scanning)  # raises Infected; only pictures made anew are kept, so none has to wait
    limits = PictureLimits(content_bytes=largest_bytes, thumbnail_side=SMALL_SIDE)
    prepared = prepare(content, limits=limits, asked=Asked.PHOTO)
    key, thumbnail_key = _put(prepared, storage)
    page = prepared.pages[0]
    return NoticePhoto(key=key, thumbnail_key=thumbnail_key, width=page.width, height=page.height, whole_key=key)


def copy_notice_photo(key: str, *, storage: Storage) -> NoticePhoto:
    """A picture of our own from one that is in the store, so that it can go when the notice does."""
    with storage.open(key) as content:
        return store_notice_photo(BytesIO(content.read()), storage=storage, largest_bytes=PictureLimits().content_bytes)


def change_notice_photo(
    photo: NoticePhoto, *, turned: int, cut: tuple[int, int, int, int], storage: Storage
) -> NoticePhoto:
    """The whole picture again, turned by so many degrees to the right and then cut."""
    if turned % 90 or min(cut) < 0 or cut[0] + cut[2] > MOST_CUT or cut[1] + cut[3] > MOST_CUT:
        raise ValueError("A picture is turned by quarters and keeps a tenth of each side")
    with storage.open(photo.whole_key) as content:
        prepared = prepare(
            BytesIO(content.read()), limits=PictureLimits(thumbnail_side=SMALL_SIDE), cut=Cut(turned % 360, cut)
        )
    key, thumbnail_key = _put(prepared, storage)
    page = prepared.pages[0]
    return NoticePhoto(
        key=key,
        thumbnail_key=thumbnail_key,
        width=page.width,
        height=page.height,
        whole_key=photo.whole_key,
        turned=turned % 360,
        cut=cut,
    )


def _put(prepared: PreparedFile, storage: Storage) -> tuple[str, str]:
    key = keep_file(BytesIO(prepared.pages[0].jpeg), FOLDER, storage)
    return key, keep_file(BytesIO(prepared.thumbnail.jpeg), FOLDER, storage)

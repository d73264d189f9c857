"""Somebody who registers and uploads without a pause: `python -m tests.operations.writer DATABASE_URL STORAGE_URL`.

Each deed has a number, and puts its files before the rows that mention them. Every third deed, what was uploaded
three deeds ago is let go again, rows first, as the portal lets go of pictures that nobody is to see any more.
"""

import hashlib
import io
import os
import sys
from collections import deque
from itertools import count
from uuid import UUID

from sqlalchemy import create_engine, delete
from sqlalchemy.orm import Session

from portal.gateways.clock import SystemClock
from portal.gateways.storage.store import Storage, new_key
from portal.gateways.storage.url import storage_from
from portal.schema.documents import DocumentKind
from portal.schema.drafts import Upload
from portal.services.files.accept_upload import StoredUpload, add_document
from portal.services.files.hold_files import may_let_files_go
from tests.support.owing import CITY, owe

PAGES = 2


def stored(storage: Storage, number: int) -> StoredUpload:
    """A certificate of two pages, in the store and in no row."""
    content = os.urandom(2000)
    keys = [new_key("certificates") for _ in range(PAGES)]
    original, thumbnail = new_key("certificates-originals"), new_key("certificates")
    for key in (original, thumbnail, *keys):
        storage.put(key, io.BytesIO(content))
    return StoredUpload(
        kind=DocumentKind.CERTIFICATE,
        original_key=original,
        original_name=f"{number}.pdf",
        media_type="application/pdf",
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        thumbnail_key=thumbnail,
        pages=tuple({"key": key, "width": 1, "height": 1} for key in keys),
    )


def write(database_url: str, storage_url: str) -> None:
    """Go on until the pipe to our input is closed."""
    engine, storage, clock = create_engine(database_url), storage_from(storage_url), SystemClock(CITY.time_zone)
    passing: deque[UUID] = deque()
    for number in count(1):
        owed = owe(engine, f"Dog {number}", clock=clock)
        file, uploaded = stored(storage, number), stored(storage, number)
        with Session(engine) as session, session.begin():
            add_document(session, file, at=clock.now())
            upload = Upload(account_id=owed.account_id, **{**vars(uploaded), "pages": list(uploaded.pages)})
            session.add(upload)
            session.flush()
            passing.append(upload.id)
        if number % 3 == 0:
            let_go(engine_session=Session(engine), upload_id=passing.popleft(), storage=storage)
        print(number, flush=True)  # noqa: T201 - whoever started us counts


def let_go(*, engine_session: Session, upload_id: UUID, storage: Storage) -> None:
    """The row first; then the files, unless a backup is being made."""
    with engine_session as session:
        upload = session.get_one(Upload, upload_id)
        keys = [upload.original_key or "", upload.thumbnail_key, *(page["key"] for page in upload.pages)]
        session.execute(delete(Upload).where(Upload.id == upload_id))
        session.commit()
        may = may_let_files_go(session)
    for key in keys if may else ():
        storage.delete(key)


if __name__ == "__main__":
    write(*sys.argv[1:])

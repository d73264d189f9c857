"""Files that no row mentions any more."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.storage.probe import KIND as PROBES
from portal.gateways.storage.store import UNFINISHED, Storage
from portal.services.files.hold_files import may_let_files_go
from portal.services.files.mentioned import unmentioned
from portal.services.files.scan_file import UNSCANNED

FILES_A_BATCH = 5000
ORPHANS_KEPT = timedelta(days=1)
# Files of rows that stay; those of drafts and of notices come and go.
KEPT_KINDS = (
    "animals",
    "certificates",
    "animals-originals",
    "certificates-originals",
    "evidence",
    "evidence-originals",
    "reports",
)
# The kinds of files whose rows are all known here. A file of any other kind is left alone.
FILE_KINDS = (*KEPT_KINDS, UNFINISHED, UNSCANNED, "tables", "notices", PROBES)


def old_files(storage: Storage, *, clock: Clock) -> Iterator[list[str]]:
    """The keys of all files that are old enough to be orphans, a batch at a time. Asks the file store alone."""
    before: datetime = clock.now() - ORPHANS_KEPT
    old = (file.key for kind in FILE_KINDS for file in storage.keys(kind) if file.modified_at < before)
    while batch := list(islice(old, FILES_A_BATCH)):
        yield batch


def orphans_among(session: Session, keys: Iterable[str]) -> list[str]:
    """Those of the keys that no row mentions; none while a backup is made."""
    return unmentioned(session, keys) if may_let_files_go(session) else []

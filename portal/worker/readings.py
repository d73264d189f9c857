"""The job that reads certificates: one at a time, since each takes a core for seconds."""

import logging
from contextlib import ExitStack

from portal.gateways.reading.reader import ReadingFailed, Stopping
from portal.gateways.storage.store import FileMissing
from portal.services.certificates.read_certificates import ClaimedReading, claim_reading, note_reading, note_unread
from portal.services.reading.fields import Fields, read_fields
from portal.worker.parts import Parts
from portal.worker.schedule import new_reference

log = logging.getLogger(__name__)


def read_certificates(parts: Parts, stopping: Stopping) -> None:
    """Read every certificate that waits to be read."""
    while not stopping() and (claimed := _claimed(parts)):
        try:
            fields = _read(parts, claimed, stopping)
        except (ReadingFailed, FileMissing) as failure:
            # The message may quote the file, so of that only the kind is logged.
            kind = type(failure).__name__
            log.warning("reading %s: %s at attempt %d", claimed.upload_id, kind, claimed.attempt)
            _note_unread(parts, claimed)
        except Exception as failure:
            # A fault of ours in this certificate: the person types, and the others are read.
            log.error("reading failed, reference %s: %s", new_reference(), type(failure).__name__)
            _note_unread(parts, claimed)
        else:
            with parts.transaction() as session:
                note_reading(session, claimed, fields, clock=parts.gateways.clock)


def _claimed(parts: Parts) -> ClaimedReading | None:
    with parts.transaction() as session:
        return claim_reading(session, clock=parts.gateways.clock)


def _read(parts: Parts, claimed: ClaimedReading, stopping: Stopping) -> Fields:
    storage = parts.gateways.storage
    with ExitStack() as opened:
        pages = [opened.enter_context(storage.open(key)) for key in claimed.page_keys]
        original = opened.enter_context(storage.open(claimed.original_key)) if claimed.original_key else None
        return read_fields(parts.reader.read(pages, original, stopping=stopping))


def _note_unread(parts: Parts, claimed: ClaimedReading) -> None:
    with parts.transaction() as session:
        note_unread(session, claimed, clock=parts.gateways.clock)

"""The job that has the scanner look at files that came while it was away."""

import logging

from portal.gateways.scanning import Scanner, ScannerAway
from portal.gateways.storage.store import FileMissing
from portal.services.files.scans import files_to_scan, note_scan
from portal.worker.parts import Parts
from portal.worker.schedule import Stopping

log = logging.getLogger(__name__)


def scan_files(parts: Parts, stopping: Stopping) -> None:
    """Have every file scanned that waits; while the scanner is away, or there is none, they go on waiting."""
    scanner = parts.gateways.scanner
    if scanner is None:
        return
    with parts.transaction() as session:
        waiting = files_to_scan(session)
    for key in waiting:
        if stopping():
            return
        try:
            _scan(parts, scanner, key)
        except ScannerAway as away:
            log.warning("files go on waiting for the scanner: %s", away)
            return


def _scan(parts: Parts, scanner: Scanner, key: str) -> None:
    try:
        content = parts.gateways.storage.open(key)
    except FileMissing:  # let go meanwhile
        return
    with content:
        found = scanner.scan(content)
    if found:
        log.warning("a file that had waited is infected: %s", found)
    with parts.transaction() as session:
        note_scan(session, key, found, clock=parts.gateways.clock)

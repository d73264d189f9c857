"""Look for viruses in a file that was sent, before anything opens it and before it is stored (decision 23).

What is made anew from it, a picture, is harmless whatever it was made from. So only what is kept as it came, a PDF or
a recording, has to wait when the scanner is away: under a kind of key of its own, which says so wherever it is read.
"""

import logging
from typing import BinaryIO

from portal.gateways.file_refusal import FileRefused, TryAgainLater
from portal.gateways.scanning import ScannerAway, Scanning

log = logging.getLogger(__name__)

UNSCANNED = "unscanned"
INFECTED = (
    "Our virus scanner found something harmful in this file, so we did not keep it. "
    "What you entered is kept: send another copy, or take a photo of the page instead."
)
AWAY = (
    "We can’t check this file for viruses at the moment. What you entered is kept: "
    "send the file again in a few minutes, or take a photo of the page instead."
)


class Infected(FileRefused):
    """It is not stored."""


def is_cleared(content: BinaryIO, scanning: Scanning) -> bool:
    """Whether what was sent may be kept as it came; raises Infected. The content is left rewound.

    Where nobody looks, that is for the city to say: all is cleared, or all waits until somebody does.
    """
    if scanning.scanner is None:
        return not scanning.may_wait
    try:
        found = scanning.scanner.scan(content)
    except ScannerAway as away:
        log.error("a file could not be scanned: %s", away)
        return False
    if found:
        log.warning("an infected file was refused: %s", found)
        raise Infected(INFECTED)
    return True


def kind_to_keep(kind: str, *, cleared: bool, scanning: Scanning) -> str:
    """The kind of key under which a file is kept as it came; raises TryAgainLater where none may wait."""
    if cleared:
        return kind
    if not scanning.may_wait:
        raise TryAgainLater(AWAY)
    return UNSCANNED

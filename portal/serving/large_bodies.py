"""Bodies that are larger than we take in: read away and not kept, so that the application can answer with its page.

waitress itself answers such a request with a bare line as soon as it has read its length. A browser is still sending
then, finds the connection closed, and mostly shows not even that line. So what a browser sends is taken off the line
and dropped, and the application, which is told the length, answers 413 as it does for any form that is too large.
"""

from io import BytesIO

from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver
from waitress.utilities import RequestEntityTooLarge

LARGEST_BODY_BYTES = 64 * 1024 * 1024
# Beyond this nobody is read to the end for the sake of a page.
LARGEST_READ_AWAY_BYTES = 1024 * 1024 * 1024


class _Nowhere:
    """A buffer that keeps nothing."""

    def __len__(self) -> int:
        return 0

    def append(self, _data: bytes) -> None:
        return

    def getfile(self) -> BytesIO:
        return BytesIO()

    def close(self) -> None:
        return


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress tells no types
    """Reads requests so."""

    _head = b""

    def take_begun(self, data: bytes) -> bytes:
        """All that has come of this request, told once: with the data that brought the end of its head."""
        head, self._head = self._head, b""
        return head + data[len(data) - self.body_bytes_received :] if head else b""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self._head = header_plus
        if self.content_length > LARGEST_BODY_BYTES:
            self.body_rcv = FixedStreamReceiver(self.content_length, _Nowhere())

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        # No browser sends in chunks of untold length, and those can't be measured before they are kept.
        if self.chunked and self.body_bytes_received > LARGEST_BODY_BYTES:
            self.error = RequestEntityTooLarge(f"exceeds {LARGEST_BODY_BYTES} bytes")
            self.completed = True
        return consumed

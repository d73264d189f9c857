"""Reading the words on the pages of a certificate: the text of a PDF, or what can be seen in a photo.

A photo takes three seconds of a core and 0.8 GB, so this belongs in the worker and never in a request. It is done by a
child process (`reading_child`) with limits on memory and time, behind everything else that runs, one at a time. Where
the engine is not installed (the extra `reading`), photos yield no lines and PDFs are read as before.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from portal.gateways.child_processes.running import stand_back

CHILD = Path(__file__).with_name("reading_child.py")
ONE_AT_A_TIME = threading.Lock()
# Libraries take a thread for each core if they may, and reserve memory for each.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
NICENESS = 10
LONGEST_LINE = 400
LOOK_EVERY_SECONDS = 0.25

Stopping = Callable[[], bool]
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


def never() -> bool:
    """Nobody asks us to stop."""
    return False


@dataclass(frozen=True)
class Line:
    """A piece of text as it stands on a page. The corners are as on a screen: the second number grows downward."""

    text: str
    confidence: float
    page: int
    corners: Corners


@dataclass(frozen=True)
class ReadingLimits:
    """How much one certificate may ask for; a photo takes about four seconds of a core."""

    pages: int = 10
    pictures: int = 4
    lines: int = 2000
    memory_bytes: int = 2_500_000_000
    cpu_seconds: int = 60
    wall_seconds: float = 240
    answer_bytes: int = 4_000_000


class ReadingFailed(Exception):
    """The pages could not be read this time; the message ends with what the child printed."""


class Reader(Protocol):
    """Whoever reads."""

    def read(
        self, pages: Sequence[BinaryIO], original: BinaryIO | None, *, stopping: Stopping = never
    ) -> tuple[Line, ...]:
        """The lines on the pages, from their pictures or from the PDF they came from.

        Raises ReadingFailed, also when `stopping` comes true meanwhile.
        """
        ...


@dataclass(frozen=True)
class ChildReader:
    """Reads in a child process. `engine` is the package that sees; where it is not installed, photos yield nothing."""

    limits: ReadingLimits = ReadingLimits()
    engine: str = "rapidocr"

    def read(
        self, pages: Sequence[BinaryIO], original: BinaryIO | None, *, stopping: Stopping = never
    ) -> tuple[Line, ...]:
        """See `Reader`. Takes seconds, so never call it inside a transaction."""
        with ONE_AT_A_TIME, tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as answer:
            sizes = {
                "original_bytes": _append(content, original) if original else 0,
                "page_bytes": [_append(content, page) for page in pages[: self.limits.pages]],
            }
            with tempfile.TemporaryFile() as errors:
                self._run(sizes, content, answer, errors, stopping)
            return _lines(answer)

    def _run(
        self, sizes: dict[str, Any], content: BinaryIO, answer: BinaryIO, errors: BinaryIO, stopping: Stopping
    ) -> None:
        content.flush()
        os.lseek(content.fileno(), 0, os.SEEK_SET)  # the child shares the descriptor and its position, not our buffer
        order = {"engine": self.engine, **sizes, **asdict(self.limits)}
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and script; the order holds numbers and that name
            [sys.executable, "-I", "-B", str(CHILD), json.dumps(order)],
            stdin=content,
            stdout=answer,
            stderr=errors,
            cwd="/",
            env={"LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "1", **ONE_THREAD},
            start_new_session=True,
        )
        try:
            stand_back(child.pid, NICENESS)
            status = self._wait(child, stopping)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if status:
            errors.seek(0)
            raise ReadingFailed(
                f"the child left with status {status}: {errors.read()[-1000:].decode(errors='replace')}"
            )

    def _wait(self, child: subprocess.Popen[bytes], stopping: Stopping) -> int:
        until = time.monotonic() + self.limits.wall_seconds
        while True:
            try:
                return child.wait(LOOK_EVERY_SECONDS)
            except subprocess.TimeoutExpired:
                if stopping():
                    raise ReadingFailed("we are stopping") from None
                if time.monotonic() > until:
                    raise ReadingFailed("it took too long") from None


def _append(content: BinaryIO, source: BinaryIO) -> int:
    start = content.tell()
    shutil.copyfileobj(source, content)
    return content.tell() - start


def _lines(answer: BinaryIO) -> tuple[Line, ...]:
    """The child is not trusted: what does not add up is a failure, not text."""
    answer.seek(0)
    try:
        return tuple(_line(found) for found in json.loads(answer.read())["lines"])
    except (ValueError, KeyError, TypeError) as error:
        raise ReadingFailed("the child's answer does not add up") from error


def _line(found: dict[str, Any]) -> Line:
    first, second, third, fourth = ((float(across), float(down)) for across, down in found["corners"])
    confidence = min(1.0, max(0.0, float(found["confidence"])))
    return Line(str(found["text"])[:LONGEST_LINE], confidence, int(found["page"]), (first, second, third, fourth))

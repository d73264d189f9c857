"""Photos and documents that people send, made into pictures that are safe to show to anybody.

Whatever comes in, what goes out is plain JPEG drawn anew: upright, without metadata, of bounded size. The opening is
done by a child process (`pictures_child`) with limits on memory, time and output, no secret in its environment and no
named file on the disk, because the libraries that read images are where a hostile file does its harm.
"""

import json
import os
import signal
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from portal.gateways.child_processes.running import AllTurnsTaken, OutOfTime, Turns, last_words, run_child
from portal.gateways.pictures.advice import MEASURES, Advice, advice_on
from portal.gateways.pictures.kind import HEAD_BYTES, Asked, Kind, kind_of
from portal.gateways.pictures.refusal import UnreadableFile, UnreadableReason

CHILD = Path(__file__).with_name("pictures_child.py")
# Behind the pages that people look at. On Linux the process that makes pictures stands as far back as it goes, and they
# with it: where pages take all of a machine, a picture may get no time. Its sender is asked to come back then.
BEHIND_UPLOADS = 10
TRY_AGAIN_SECONDS = 20
CHUNK_BYTES = 1 << 20
HEAVY_SIGNALS = {signal.SIGXCPU, signal.SIGKILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}
BROKEN_SIGNALS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE}


@dataclass(frozen=True)
class PictureLimits:
    """How much a file may ask for. 65 million pixels take in the largest usual phone photos (64 MP)."""

    content_bytes: int = 25_000_000
    pixels: int = 65_000_000
    pages: int = 10
    longest_side: int = 2048
    thumbnail_side: int = 480
    memory_bytes: int = 800_000_000
    cpu_seconds: int = 15
    wall_seconds: float = 30
    answer_bytes: int = 40_000_000


@dataclass(frozen=True)
class Cut:
    """How a picture is turned, in degrees to the right, and then cut: hundredths of left, top, right and bottom."""

    turned: int = 0
    cut: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True)
class PagePicture:
    """One page, or the photo itself, as a progressive JPEG; what its sender might want to do better."""

    jpeg: bytes
    width: int
    height: int
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True)
class PreparedFile:
    """What may be shown of a file; `media_type` is what the file was when it came."""

    media_type: str
    pages: tuple[PagePicture, ...]
    thumbnail: PagePicture
    # A PDF as it came, to be kept apart as a download for the city. None for a photo: it tells where it was taken.
    original: bytes | None
    misses_pages: bool = False
    """Whether its own text counts more pages than came."""


class PicturesBroken(RuntimeError):
    """The child failed in a way that is our fault and not the file's; the message ends with what it printed."""


USUAL_LIMITS = PictureLimits()
WHOLE = Cut()
# One on every second core; a photo of 12 megapixels takes a second at most. Nearly all come to the process that takes
# uploads in and does little else, so that they may have all of its threads but one.
AT_ONCE = max(1, min(4, (os.cpu_count() or 1) // 2))
TURNS_OF_THIS_PROCESS = Turns(at_once=AT_ONCE, waiting=15 - AT_ONCE, patience_seconds=20)


def prepare(
    source: BinaryIO,
    *,
    limits: PictureLimits = USUAL_LIMITS,
    turns: Turns = TURNS_OF_THIS_PROCESS,
    cut: Cut = WHOLE,
    asked: Asked = Asked.PAPER,
) -> PreparedFile:
    """The pictures of a photo or PDF; raises `UnreadableFile`, or `AllTurnsTaken` when no turn comes free.

    Where a photo was `asked` for, a PDF is none. Takes a second of another core, so never call it inside a transaction.
    """
    with tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as errors:
        kind = _receive(source, content, limits, asked)
        with turns.taken():
            _run_child({"kind": kind.value, **asdict(limits), **asdict(cut)}, content, answer, errors, limits)
        pages, thumbnail, pages_said = _read_answer(answer, limits)
        content.seek(0)
        original = content.read() if kind is Kind.PDF else None
        return PreparedFile(kind.value, pages, thumbnail, original, misses_pages=pages_said > len(pages))


def _receive(source: BinaryIO, content: BinaryIO, limits: PictureLimits, asked: Asked) -> Kind:
    """Copy aside what was sent and tell its kind; what we don't open costs no process."""
    size, head = 0, b""
    while part := source.read(CHUNK_BYTES):
        size += len(part)
        if size > limits.content_bytes:
            raise _unreadable(UnreadableReason.TOO_LARGE, limits)
        head += part[: HEAD_BYTES - len(head)]
        content.write(part)
    if not size:
        raise _unreadable(UnreadableReason.EMPTY, limits)
    kind = kind_of(head)
    if kind is None:
        raise _unreadable(UnreadableReason.OTHER_KIND, limits, asked)
    if kind is Kind.PDF and asked is Asked.PHOTO:
        raise _unreadable(UnreadableReason.PAPER_FOR_A_PHOTO, limits)
    return kind


def _run_child(
    order: dict[str, Any], content: BinaryIO, answer: BinaryIO, errors: BinaryIO, limits: PictureLimits
) -> None:
    try:
        status = run_child(
            CHILD,
            json.dumps(order),
            content=content,
            answer=answer,
            errors=errors,
            wall_seconds=limits.wall_seconds,
            niceness=BEHIND_UPLOADS,
        )
    except OutOfTime:  # what is too heavy ends by the processor time it may take; this one hardly had any
        raise AllTurnsTaken(TRY_AGAIN_SECONDS) from None
    if -status in HEAVY_SIGNALS:
        raise _unreadable(UnreadableReason.TOO_HEAVY, limits)
    if -status in BROKEN_SIGNALS:
        raise _unreadable(UnreadableReason.DAMAGED, limits)
    if status:
        raise PicturesBroken(f"the child left with status {status}: {last_words(errors)}")


def _read_answer(answer: BinaryIO, limits: PictureLimits) -> tuple[tuple[PagePicture, ...], PagePicture, int]:
    """The child is not trusted either: what does not add up is an error of ours, not a picture."""
    answer.seek(0)
    try:
        line = json.loads(answer.readline())
        if "refused" in line:
            raise _unreadable(UnreadableReason(line["refused"]), limits)
        pages = tuple(_picture(answer, about) for about in line["pages"])
        return pages, _picture(answer, line["thumbnail"]), int(line["pages_said"])
    except (ValueError, KeyError, TypeError) as error:
        raise PicturesBroken("the child's answer does not add up") from error


def _picture(answer: BinaryIO, about: dict[str, Any]) -> PagePicture:
    jpeg = answer.read(int(about["size"]))
    if len(jpeg) != about["size"] or not jpeg.startswith(b"\xff\xd8\xff"):
        raise ValueError("not the picture that was announced")
    advice = advice_on(**{name: float(about[name]) for name in MEASURES}) if "edges" in about else ()
    return PagePicture(jpeg, int(about["width"]), int(about["height"]), advice)


def _unreadable(reason: UnreadableReason, limits: PictureLimits, asked: Asked = Asked.PAPER) -> UnreadableFile:
    megabytes = limits.content_bytes // 1_000_000
    return UnreadableFile(reason, megabytes=megabytes, pages=limits.pages, asked=asked)

"""The log of a process: in public a JSON object a line, on a local address a line to read.

A line tells what happened, never to whom. What failed is told by its kind and its places in the code: the words of a
failure can hold what a person typed, so in public they are left out. Of other people's loggers the words alone are
kept, without what they fill in: a server's warning may quote an address, and an address may hold a token.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from pythonjsonlogger.json import JsonFormatter

OURS = "portal"
# Their words are about code.
TRUSTED = frozenset({"py.warnings"})
FIELDS = ("levelname", "name", "message")
READABLE = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)

Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@contextmanager
def about(**what: str) -> Iterator[None]:
    """Every line written meanwhile carries this: the request's id, or the job's name."""
    before = _about.set(what)
    try:
        yield
    finally:
        _about.reset(before)


class Lines(JsonFormatter):
    """One JSON object a line."""

    def __init__(self, process: str) -> None:
        super().__init__(
            [*FIELDS],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "trace"},
            static_fields={"process": process},
            exc_info_as_array=True,
        )

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        """What this line is about, and when it was written."""
        log_data["time"] = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        super().add_fields(log_data, record, message_dict)
        log_data.update(_about.get() or {})

    def format(self, record: logging.LogRecord) -> str:
        """Of what is not ours, no values."""
        if record.name.partition(".")[0] != OURS and record.name not in TRUSTED:
            record = logging.makeLogRecord({**record.__dict__, "args": None})
        return super().format(record)

    def formatException(self, ei: Failure) -> list[str]:  # type: ignore[override]  # noqa: N802 - as logging calls it
        """What failed and where, and what that came from; never what it said."""
        return list(_told(ei[1])) if ei[1] else []


def begin(process: str, *, is_local: bool) -> None:
    """From here on the process tells what happens on its standard error, failures nobody caught included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(READABLE) if is_local else Lines(process))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(OURS).setLevel(logging.INFO)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda told: _uncaught(told.exc_type, told.exc_value, told.exc_traceback)


def _uncaught(kind: type[BaseException], failure: BaseException | None, trace: TracebackType | None) -> None:
    if failure is None or issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    logging.getLogger(OURS).critical("the process ends by a failure", exc_info=(kind, failure, trace))


def _told(failure: BaseException | None) -> Iterator[str]:
    known: set[int] = set()
    while failure is not None and id(failure) not in known:
        known.add(id(failure))
        yield _kind(failure)
        for place in traceback.format_list(traceback.extract_tb(failure.__traceback__)):
            yield from (line for line in place.splitlines() if line.strip(" ^~"))
        earlier = failure.__context__ if not failure.__suppress_context__ else None
        failure = failure.__cause__ or earlier


def _kind(failure: BaseException) -> str:
    """Its type, and the code of a database's refusal (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
    kind, code = type(failure), getattr(failure, "sqlstate", None)
    return f"{kind.__module__}.{kind.__qualname__}" + (f" {code}" if code else "")

"""Sheets of paper as tagged PDFs: a template of ours, and what it says.

What people wrote reaches the template as values and never as source (`json(bytes(sys.inputs.said))` in the template),
so there is nothing to escape and nothing that typst would run. The work is done by a child process
(`typesetting_child`) with limits on memory, time and output. The fonts come from a package, so that a sheet looks the
same on every machine; the machine's own are left alone.
"""

import json
import re
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from portal.gateways.child_processes.running import OutOfTime, Turns, last_words, run_child

CHILD = Path(__file__).with_name("typesetting_child.py")
SHEETS = Path(__file__).with_name("sheets")
FONTS = "manimgx_fonts"
# A line breaks only at blanks; what is longer than any word is broken here.
UNBROKEN = re.compile(r"\S{28}")
NICENESS = 5
ZERO_WIDTH_BLANK = "\u200b"


@dataclass(frozen=True)
class SettingLimits:
    """How much a sheet may ask for; a poster with a large photo takes a tenth of it."""

    memory_bytes: int = 800_000_000
    cpu_seconds: int = 10
    wall_seconds: float = 20
    answer_bytes: int = 20_000_000


class SheetFailed(RuntimeError):
    """The sheet could not be set, which is our fault; the message ends with what the child printed."""


USUAL_LIMITS = SettingLimits()
# A sheet takes so little that few ever wait; those who do must not take the threads that uploads leave to others.
TURNS_OF_THIS_PROCESS = Turns(waiting=3, patience_seconds=5)


def typeset(
    sheet: str,
    said: Mapping[str, Any],
    *,
    pictures: Mapping[str, bytes] | None = None,
    limits: SettingLimits = USUAL_LIMITS,
    turns: Turns = TURNS_OF_THIS_PROCESS,
) -> bytes:
    """The PDF of `sheets/<sheet>.typ` saying `said`; raises `AllTurnsTaken` when no turn comes free.

    The template finds each picture's path in `said.pictures`. It gives the document its title and language: the PDF
    keeps to PDF/UA-1. Only where a name has letters that no font of ours has does it not: then a box stands for each.
    The same words give the same bytes. Takes a fifth of a second of another core, so never call it in a transaction.
    """
    template = (SHEETS / f"{sheet}.typ").read_text(encoding="utf-8")
    drawn = {name: b64encode(content).decode() for name, content in (pictures or {}).items()}
    with tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as errors:
        content.write(json.dumps({"template": template, "said": dict(said), "pictures": drawn}).encode())
        order = json.dumps({"fonts": _fonts(), **asdict(limits)})
        with turns.taken():
            try:
                status = run_child(
                    CHILD,
                    order,
                    content=content,
                    answer=answer,
                    errors=errors,
                    wall_seconds=limits.wall_seconds,
                    niceness=NICENESS,
                )
            except OutOfTime as late:
                raise SheetFailed(str(late)) from None
        if status:
            raise SheetFailed(f"the child left with status {status}: {last_words(errors)}")
        answer.seek(0)
        return _checked(answer.read())


def breakable(text: str) -> str:
    """A text whose long words may break, so that none runs off its sheet."""
    return UNBROKEN.sub(rf"\g<0>{ZERO_WIDTH_BLANK}", text)


def _fonts() -> str:
    found = find_spec(FONTS)
    if found is None or found.origin is None:
        raise SheetFailed(f"the fonts of the package {FONTS} are not installed")
    return str(Path(found.origin).parent)


def _checked(pdf: bytes) -> bytes:
    """The child is not trusted either."""
    if not pdf.startswith(b"%PDF-"):
        raise SheetFailed("the child's answer is no PDF")
    return pdf

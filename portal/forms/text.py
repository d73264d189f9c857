"""Typed text as it is kept: what a person wrote, without what no person writes."""

import re
import unicodedata

# Characters that show nothing. Some hold letters or emoji together, so they go only at the ends.
_UNSEEN = "\u00ad\u115f\u1160\u200b\u200c\u200d\u200e\u200f\u2060\u2800\u3164\ufeff\uffa0"
# Codes that turn the direction of whatever is printed after them; a name with one garbles the line around it.
_TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def one_line(typed: str) -> str:
    """A name, a number, an address line: one line, single blanks, nothing unseen at either end."""
    return _trim(" ".join(_printable(typed).split()))


def many_lines(typed: str) -> str:
    """A description: line breaks stay, blanks at the ends of lines and empty lines at the ends do not."""
    lines = re.split(r"\r\n|\r|\n|\u2028|\u2029", _printable(typed))
    return _trim("\n".join(line.rstrip() for line in lines))


def _printable(typed: str) -> str:
    """PostgreSQL takes no NUL, UTF-8 no lone surrogate, and no page shows a control character."""
    composed = unicodedata.normalize("NFC", typed.translate(_TURNING))
    return "".join(c for c in composed if c in "\t\n\r" or unicodedata.category(c) not in {"Cc", "Cs"})


def _trim(text: str) -> str:
    """Cut blanks and unseen characters in any order from both ends."""
    return text.strip(_UNSEEN + " \t\n\r\u00a0")

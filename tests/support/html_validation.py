"""html-validate (https://html-validate.org), started once a test process and asked page by page."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from portal.cli.operations.assets import find_node

SCRIPT = Path(__file__).with_suffix(".mjs").with_name("html_validate.mjs")
TEXT_AND_VALUES = re.compile(r'>[^<]+|="[^"]*"')


@dataclass
class HtmlValidator:
    """The running program. Pages that differ in words alone are looked at once."""

    process: subprocess.Popen[str]
    _seen: set[int] = field(default_factory=set)

    def faults(self, html: str) -> list[str]:
        """What html-validate finds wrong."""
        shape = hash(TEXT_AND_VALUES.sub("", html))
        if shape in self._seen:
            return []
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{json.dumps(html)}\n")
        self.process.stdin.flush()
        found = cast(list[str], json.loads(self.process.stdout.readline()))
        if not found:
            self._seen.add(shape)
        return found


@contextmanager
def html_validator() -> Iterator[HtmlValidator]:
    """Start it, and end it with the block."""
    node = find_node().folder / "bin" / "node"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([node, SCRIPT], text=True, **pipes) as process:
        yield HtmlValidator(process)
        assert process.stdin
        process.stdin.close()
        process.wait()

"""The child process that sets a sheet: a script of its own, run apart with narrow limits.

It imports nothing of the portal and knows no secret. Its standard input is one JSON object: the template, what it says,
and the pictures in base64. Its standard output is the PDF.
"""

import json
import os
import resource
import sys
import tempfile
from base64 import b64decode
from typing import Any, BinaryIO

import typst

STANDARD = "ua-1"
MISSING_LETTER = "could not be displayed with font"


def main() -> None:
    order = json.loads(sys.argv[1])
    restrict(order)
    asked = json.load(sys.stdin.buffer)
    pictures = {name: unnamed(b64decode(content)) for name, content in asked["pictures"].items()}
    # typst reads pictures by path below its root: these have no other name than their descriptor.
    paths = {name: f"/{picture.fileno()}" for name, picture in pictures.items()}
    compiler = typst.Compiler(
        root="/dev/fd",
        font_paths=typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[order["fonts"]]),
        sys_inputs={"said": json.dumps({**asked["said"], "pictures": paths})},
    )
    sys.stdout.buffer.write(pdf(compiler, asked["template"].encode()))
    sys.stdout.buffer.flush()
    os._exit(0)  # what a library left half done must not run on at the end


def restrict(order: dict[str, Any]) -> None:
    """Before the first byte of what was said is looked at. The parent counts the seconds on the wall."""
    limits = {
        resource.RLIMIT_AS: order["memory_bytes"],
        resource.RLIMIT_CPU: order["cpu_seconds"],
        resource.RLIMIT_FSIZE: order["answer_bytes"],
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def unnamed(content: bytes) -> BinaryIO:
    """A file on no path, gone with this process however it ends."""
    file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as this process
    file.write(content)
    file.flush()
    file.seek(0)
    return file


def pdf(compiler: typst.Compiler, template: bytes) -> bytes:
    """PDF/UA-1; where a letter has no font, which that standard forbids, a tagged PDF all the same."""
    try:
        return written(compiler, template, [STANDARD])
    except typst.TypstError as error:
        if MISSING_LETTER not in error.message:
            raise
        return written(compiler, template, [])


def written(compiler: typst.Compiler, template: bytes, standards: list[Any]) -> bytes:
    done = compiler.compile(template, format="pdf", pdf_standards=standards)
    if not isinstance(done, bytes):
        raise TypeError("one document is one file")
    return done


if __name__ == "__main__":
    main()

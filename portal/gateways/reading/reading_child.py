"""The child process that reads the words on a certificate: a script of its own, run apart with narrow limits.

It imports nothing of the portal. Its standard input is the PDF, if there is one, and then the pictures of the pages;
the order, its only argument, says how many bytes each has. Its standard output is one line of JSON: the lines of text
with their corners in each page, from the upper left.
"""

import json
import os
import resource
import sys
import unicodedata
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# A scanner's own mark is no text layer.
FEWEST_LETTERS = 40
ENGINE_SETTINGS = {
    "Global.log_level": "critical",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
}


def main() -> None:
    """Do the order: the text layer of each page where there is one, else what its picture shows."""
    order = json.loads(sys.argv[1])
    restrict(order)
    source = sys.stdin.buffer
    original = source.read(order["original_bytes"])
    pictures = [source.read(size) for size in order["page_bytes"]]
    written = text_layers(original, order["pages"]) if original else {}
    drawn = {number: picture for number, picture in enumerate(pictures, start=1) if number not in written}
    lines = [line for number in sorted(written) for line in written[number]]
    lines.extend(seen_lines(dict(list(drawn.items())[: order["pictures"]]), order["engine"]))
    sys.stdout.write(json.dumps({"lines": lines[: order["lines"]]}))
    sys.stdout.flush()
    os._exit(0)  # what a library left half done must not run on at the end


def restrict(order: dict[str, Any]) -> None:
    """Before the first byte of the files is looked at. The parent counts the seconds on the wall."""
    limits = {
        resource.RLIMIT_AS: order["memory_bytes"],
        resource.RLIMIT_CPU: order["cpu_seconds"],
        resource.RLIMIT_FSIZE: order["answer_bytes"],
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def text_layers(original: bytes, most_pages: int) -> dict[int, list[dict[str, Any]]]:
    """The lines of those pages of a PDF that have text, by number; none of a PDF that cannot be opened."""
    pdfium = import_module("pypdfium2")
    found = {}
    try:
        document = pdfium.PdfDocument(original)
        document.init_forms()
        for number in range(1, min(len(document), most_pages) + 1):
            lines = list(written_lines(document, number))
            if sum(map(len, (line["text"] for line in lines))) >= FEWEST_LETTERS:
                found[number] = lines
    except pdfium.PdfiumError:
        return {}
    return found


def written_lines(document: Any, number: int) -> Iterator[dict[str, Any]]:
    """What is written on a page, with what a clinic typed into the boxes of a form."""
    page = document[number - 1]
    if document.formenv:
        page.flatten()
        page.close()
        page = document[number - 1]
    height, text = page.get_height(), page.get_textpage()
    for index in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(index)
        # A little inside, or the letters of the neighbors come along.
        words = printable(text.get_text_bounded(left, bottom + 0.1, right, top - 0.1))
        if words:
            corners = [(left, height - top), (right, height - top), (right, height - bottom), (left, height - bottom)]
            yield {"text": words, "confidence": 1.0, "page": number, "corners": corners}


def seen_lines(pictures: dict[int, bytes], named: str) -> Iterator[dict[str, Any]]:
    """What the engine sees in the pictures; nothing where it is not installed."""
    if not pictures or find_spec(named) is None:
        return
    import_module("cv2").setNumThreads(1)
    engine = import_module(named).RapidOCR(params=ENGINE_SETTINGS)
    for number, picture in pictures.items():
        seen = engine(picture)
        if seen.boxes is None:
            continue
        for corners, text, confidence in zip(seen.boxes, seen.txts, seen.scores, strict=True):
            places = [(float(across), float(down)) for across, down in corners]
            yield {"text": printable(text), "confidence": float(confidence), "page": number, "corners": places}


def printable(text: str) -> str:
    """One line of characters that can be stored and shown."""
    plain = unicodedata.normalize("NFC", text).replace("\ufffe", "-")
    return " ".join("".join(one if one.isprintable() else " " for one in plain).split())


if __name__ == "__main__":
    main()

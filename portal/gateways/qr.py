"""QR codes as pictures; the only module that knows segno."""

import io
from html import escape
from itertools import groupby

import segno

QUIET_MODULES = 4
PNG_MODULE_PIXELS = 8


def qr_svg(text: str, *, name: str = "QR code") -> str:
    """An SVG fragment that scales to its box, without inline style or script, read out by its name.

    The paper around the code (ISO/IEC 18004: four modules) is drawn too, so the code can be scanned on any ground.
    """
    rows = [list(row) for row in _code(text).matrix_iter(border=QUIET_MODULES)]
    bars = "".join(_bars(row, down) for down, row in enumerate(rows))
    return (
        f'<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(rows)} {len(rows)}"'
        f' role="img" aria-label="{escape(name)}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{len(rows)}v{len(rows)}H0z"/><path fill="#000" d="{bars}"/></svg>'
    )


def qr_png(text: str) -> bytes:
    """The same code as a PNG, for messages and posters."""
    target = io.BytesIO()
    _code(text).save(target, kind="png", scale=PNG_MODULE_PIXELS, border=QUIET_MODULES)
    return target.getvalue()


def _code(text: str) -> segno.QRCode:
    # A quarter of the code may be dirty or torn (level Q): it hangs on doors and lives in wallets.
    return segno.make_qr(text, error="q")


def _bars(row: list[int], down: int) -> str:
    """The dark stretches of one row as pieces of a path."""
    bars, across = "", 0
    for is_dark, run in groupby(row):
        length = len(list(run))
        if is_dark:
            bars += f"M{across} {down}h{length}v1h-{length}z"
        across += length
    return bars

"""What a first visit costs: every byte of the page and of all it asks for, headers included, compressed as served."""

import re

from bench.report import Figure, Report, table
from bench.stage import Stage
from bench.visitor import get

PUBLIC = (
    "/",
    "/register",
    "/sign-in",
    "/tags",
    "/lost",
    "/found",
    "/pound",
    "/reports/new",
    "/fees",
    "/fees/question?fee=license",
    "/rules",
    "/privacy",
    "/accessibility",
    "/proof",
    "/vet",
)
MOST_KB = 60
FIRST_WINDOW_KB = 14  # ten segments, what a server sends before the first acknowledgment (RFC 6928)
ASKS = re.compile(r"<(?:link|script|img)\b[^>]*>")
ASKED_FOR = re.compile(r'\b(?:href|src|data-then)="(/[^"]+)"')
STYLES = ".css"


def measure(stage: Stage, report: Report) -> None:
    rows = []
    with stage.serving() as server:
        for path in PUBLIC:
            page = get(server.port, path)
            if page.status != 200:
                raise SystemExit(f"{path} was answered with {page.status}")
            asks = ASKS.findall(get(server.port, path, accepted="identity").body.decode())
            wanted = dict.fromkeys(part for ask in asks for part in ASKED_FOR.findall(ask))
            parts = {part: get(server.port, part).wire_bytes / 1000 for part in wanted}
            html = page.wire_bytes / 1000
            first = html + sum(weight for part, weight in parts.items() if part.endswith(STYLES))
            whole = html + sum(parts.values())
            rows.append((path, f"{html:.1f}", f"{first:.1f}", f"{whole:.1f}", 1 + len(parts)))
            report.add(
                Figure(f"{path}: whole first visit", whole, "kB", at_most=MOST_KB),
                Figure(f"{path}: HTML and styles", first, "kB", at_most=FIRST_WINDOW_KB),
            )
    table("Weight of a first visit, kB on the wire", ("page", "HTML", "and styles", "everything", "requests"), rows)

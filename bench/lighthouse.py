"""Lighthouse's marks for every public page, as a phone sees it, and its largest paint on a slow 3G line."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

from bench.report import Figure, Report, table
from bench.stage import Stage
from bench.weight import PUBLIC
from portal.cli.operations.assets import find_node
from tests.support.browser import chromium_path

HERE = Path(__file__).parent
WHOLE = 100
LATEST_PAINT_S = 2.9


def measure(stage: Stage, report: Report, *, times: int) -> None:
    install()
    with stage.serving() as server:
        marks = _marks(times, [f"http://localhost:{server.port}{path}" for path in PUBLIC])
    rows = []
    for mark in marks:
        paint = mark["paint"] / 1000
        rows.append((mark["path"], *(group["score"] for group in mark["groups"]), f"{paint:.2f}"))
        for group in mark["groups"]:
            report.add(Figure(f"{mark['path']}: {group['name']}", group["score"], "points", at_least=WHOLE))
        report.add(Figure(f"{mark['path']}: largest paint, slow 3G", paint, "s", at_most=LATEST_PAINT_S))
    table("Lighthouse, mobile", ("page", *(group["name"] for group in marks[0]["groups"]), "LCP slow 3G s"), rows)
    for mark in marks:
        for missing in (f"{group['name']}: {audit}" for group in mark["groups"] for audit in group["missing"]):
            print(f"   {mark['path']}  {missing}")
    slowest = min(mark["benchmarkIndex"] for mark in marks)
    print(f"   This machine while it was marking: {slowest:.0f} at the slowest; a usual desktop has 1500 or more,")
    print("   and below 1000 times say more about the machine than about the page.")


def install() -> None:
    """npm's packages, once for each lock."""
    stamp, lock = HERE / "node_modules" / ".installed", HERE / "package-lock.json"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        find_node().npm("ci", "--no-audit", "--no-fund", "--no-update-notifier", folder=HERE)
        stamp.write_text(digest)


def _marks(times: int, urls: list[str]) -> list[dict]:
    environment = {**os.environ, "CHROME_PATH": str(chromium_path())}
    command = [str(find_node().folder / "bin" / "node"), "lighthouse.mjs", str(times), *urls]
    ended = subprocess.run(command, cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        raise SystemExit("Lighthouse could not mark the pages; what it said stands above")
    return [json.loads(line) for line in ended.stdout.splitlines()]

"""The two figures of `bench.pictures` that have a target: a 12-megapixel JPEG and HEIC."""

import multiprocessing

from bench.pictures import CASES
from bench.pictures import measure as measure_one
from bench.report import Figure, Report, table

BOUNDS = {"JPEG 12 MP": 0.6, "HEIC 12 MP, the sample": 1.3}
MOST_MB = 200


def measure(report: Report, *, times: int) -> None:
    rows = []
    for name, most_seconds in BOUNDS.items():
        # The most memory of all children is kept for ever, so each case is measured by a process of its own.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            outcome, wall, core, megabytes = pool.apply(measure_one, (CASES[name](), times))
        rows.append((name, f"{wall:.2f}", f"{core:.2f}", megabytes, outcome))
        report.add(
            Figure(f"{name}: time of a core", core, "s", at_most=most_seconds),
            Figure(f"{name}: memory", megabytes, "MB", at_most=MOST_MB),
        )
    table("Pictures, each in a process of its own", ("what", "wall s", "core s", "MB", "shown"), rows)

"""`python -m bench`: measure, and print every figure beside its target."""

import argparse
import signal
import sys
from types import FrameType

from bench import (
    board,
    desk,
    growth,
    lighthouse,
    matching,
    meanwhile,
    photos,
    reading,
    reminders,
    reports,
    throughput,
    uploads,
    weight,
)
from bench.report import Report
from bench.stage import Stage, stage

PARTS = (
    "throughput",
    "weight",
    "uploads",
    "meanwhile",
    "pictures",
    "lighthouse",
    "reading",
    "reminders",
    "reports",
    "board",
    "desk",
    "matching",
)
FEW_DOGS = 3_000


def main() -> None:
    signal.signal(signal.SIGTERM, _leave)
    chosen = arguments()
    report = Report()
    with stage(dogs=FEW_DOGS) as built:
        measure(built, report, chosen)
    report.print()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, for a first impression")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="measure these parts alone")
    parser.add_argument("--only-lighthouse", action="store_const", const=("lighthouse",), dest="only")
    parser.add_argument("--dogs", type=int, help="compare with a database of this many dogs, such as 100000")
    return parser.parse_args()


def measure(built: Stage, report: Report, chosen: argparse.Namespace) -> None:
    rounds, seconds = (3, 0.5) if chosen.quick else (9, 1.0)
    if "throughput" in chosen.only:
        throughput.measure(built, report, rounds=rounds, seconds=seconds)
    if chosen.dogs:
        growth.measure(built, report, dogs=chosen.dogs, rounds=rounds, seconds=seconds)
    if "weight" in chosen.only:
        weight.measure(built, report)
    if "uploads" in chosen.only:
        uploads.measure(built, report, rounds=1 if chosen.quick else 3, seconds=2.5)
    if "meanwhile" in chosen.only:
        meanwhile.measure(built, report)
    if "pictures" in chosen.only:
        photos.measure(report, times=1 if chosen.quick else 5)
    if "lighthouse" in chosen.only:
        lighthouse.measure(built, report, times=1 if chosen.quick else 3)
    if "reading" in chosen.only:
        reading.measure(report)
    if "reminders" in chosen.only:
        reminders.measure(built, report, dogs=10_000 if chosen.quick else reminders.DOGS)
    if "reports" in chosen.only:
        reports.measure(built, report, reports=100_000 if chosen.quick else reports.MANY, rounds=rounds)
    if "board" in chosen.only:
        board.measure(built, report, notices=board.MANY, rounds=rounds, seconds=seconds)
    if "matching" in chosen.only:
        matching.measure(report, seeds=range(matching.UNSEEN, matching.UNSEEN + (1 if chosen.quick else 5)))
        matching.measure_among(built, report, notices=10_000 if chosen.quick else matching.MANY)
    if "desk" in chosen.only:
        desk.measure(built, report, dogs=100_000 if chosen.quick else desk.MANY, rounds=rounds, seconds=seconds)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Unwind like Ctrl-C, so that all that was started is stopped."""
    sys.exit(1)


if __name__ == "__main__":
    main()

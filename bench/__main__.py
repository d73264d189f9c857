"""`python -m bench`: measure, and print every figure beside its target."""

import argparse
import signal
import sys
from types import FrameType

from bench import throughput
from bench.report import Report
from bench.stage import stage


def main() -> None:
    signal.signal(signal.SIGTERM, _leave)
    report = Report()
    with stage(dogs=3000) as built:
        throughput.measure(built, report, rounds=3, seconds=1)
    report.print()

def _leave(_number: int, _frame: FrameType | None) -> None:
    """Unwind like Ctrl-C, so that all that was started is stopped."""
    sys.exit(1)


if __name__ == "__main__":
    main()

"""`python -m bench.soak --minutes 60 --rate 50`: mixed traffic with uploads against `portal run`, and what it costs.

Everything is on this machine: the portal, its database, and the load, which takes a part of the same cores. Each
person behind the one trusted proxy has an address of their own. It ends by itself; --minutes and --rate bound it.
"""

import argparse
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from bench.report import Figure, Report, percentile, table
from bench.soak import gauges
from bench.soak.browser import Stuck
from bench.soak.files import Files
from bench.soak.gauges import Reading
from bench.soak.pace import Outcomes, Over, Pace
from bench.soak.people import SHARES, Crowd
from bench.soak.place import Mailbox, running

PEOPLE = 48
MOST_MINUTES, MOST_RATE = 24 * 60, 200
LOOKS_AT_MAIL_EVERY_SECONDS = 0.2
SETTLES_WITHIN_SECONDS = 120
# In the first half caches and pools fill: a connection that only bursts use takes half an hour to know its statements.
# What never ends goes on as before in the second half.
TELLING_MINUTES = 20
FLAT_MB_AN_HOUR = 20
JUDGED = ("web", "receive", "worker")
SHOWN = (*JUDGED, "practice", gauges.POSTGRES, gauges.OTHERS)
ACCEPTED = {
    "registrations": "SELECT count(*) FROM portal.draft d JOIN portal.account a ON a.id = d.account_id "
    "WHERE d.submitted_at IS NOT NULL AND a.email LIKE 'soak-%'",
    "card payments": "SELECT count(*) FROM animal_control.payment WHERE state = 'paid' AND method = 'card'",
    "reports": "SELECT count(*) FROM animal_control.report",
    "filings": "SELECT count(*) FROM animal_control.clinic_filing",
}
UNSENT = "SELECT count(*) FROM portal.outgoing_message WHERE sent_at IS NULL AND failed_at IS NULL"


def main() -> None:
    signal.signal(signal.SIGTERM, _leave)
    chosen = arguments()
    files = Files.make()
    with tempfile.TemporaryDirectory(prefix="animal-portal-soak-") as named:
        folder = Path(named)
        folder.chmod(0o711)  # under root PostgreSQL runs as another account, which has to pass
        with running(folder / "var") as place:
            crowd = Crowd(place, Pace(chosen.rate, 60 * chosen.minutes), Outcomes(), Mailbox(place.mail), files)
            before = {what: place.value(count) for what, count in ACCEPTED.items()}
            readings = soak(crowd, minutes=chosen.minutes)
            settle(crowd)
            tell(crowd, readings, before, minutes=chosen.minutes, rate=chosen.rate)
            stumbled = (place.folder / "run.log").read_text(errors="replace")
            if "Traceback" in stumbled:
                print(
                    "\nThe portal's log, from the first failure:", stumbled[stumbled.index("Traceback") - 300 :][:3000]
                )
    sys.exit(1 if crowd.outcomes.errors else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="requests a second, all people together")
    chosen = parser.parse_args()
    if not (0 < chosen.minutes <= MOST_MINUTES and 0 < chosen.rate <= MOST_RATE):
        parser.error(f"at most {MOST_MINUTES} minutes and {MOST_RATE} requests a second")
    return chosen


def soak(crowd: Crowd, *, minutes: float) -> list[Reading]:
    """Let everybody loose and look at the gauges each minute."""
    stop = threading.Event()
    people = [threading.Thread(target=live, args=[crowd], daemon=True) for _ in range(PEOPLE)]
    post = threading.Thread(target=carry_mail, args=[crowd, stop], daemon=True)
    head = (
        "minute",
        "a second",
        "errors",
        "p50 ms",
        "p99 ms",
        "load %",
        *SHOWN,
    )
    print("  ".join(f"{name:>9}" for name in (*head, "conns", "files")), flush=True)
    crowd.pace.begin()
    for one in (*people, post):
        one.start()
    readings = [gauges.read(crowd.place, 0)]
    seen: dict[str, int] = {}
    used = own_seconds()
    while any(one.is_alive() for one in people):
        wait_until = crowd.pace.begun + 60 * len(readings)
        while time.perf_counter() < wait_until and any(one.is_alive() for one in people):
            time.sleep(0.2)
        minute = (time.perf_counter() - crowd.pace.begun) / 60
        readings.append(gauges.read(crowd.place, minute))
        used = print_minute(crowd, readings, seen, used)
    stop.set()
    post.join()
    return readings


def live(crowd: Crowd) -> None:
    """One after the other, until the time is up."""
    deeds, weights = list(SHARES), list(SHARES.values())
    while True:
        try:
            random.choices(deeds, weights)[0](crowd)
        except Over:
            return
        except Stuck:
            continue
        except Exception as problem:
            crowd.outcomes.fail(f"the load itself: {type(problem).__name__}", str(problem)[:300])


def carry_mail(crowd: Crowd, stop: threading.Event) -> None:
    while not stop.wait(LOOKS_AT_MAIL_EVERY_SECONDS):
        crowd.mailbox.look()


def print_minute(crowd: Crowd, readings: Sequence[Reading], seen: dict[str, int], used: float) -> float:
    """One line; how much of a core the load itself had taken by now."""
    latest, before = readings[-1], readings[-2]
    new: list[float] = []
    for kind, taken in list(crowd.outcomes.taken.items()):
        so_far = len(taken)
        new += taken[seen.get(kind, 0) : so_far]
        seen[kind] = so_far
    seconds = max(0.001, 60 * (latest.minute - before.minute))
    own = own_seconds()
    held = latest.held
    memory = [held[kind].pss_mb if kind in held else 0 for kind in SHOWN]
    cells = [
        f"{latest.minute:.1f}",
        f"{len(new) / seconds:.1f}",
        str(sum(crowd.outcomes.errors.values())),
        f"{1000 * percentile(new, 0.5):.1f}" if new else "-",
        f"{1000 * percentile(new, 0.99):.0f}" if new else "-",
        f"{100 * (own - used) / seconds:.0f}",
        *(f"{megabytes:.0f}" for megabytes in memory),
        str(latest.connections),
        str(sum(one.files for kind, one in held.items() if kind in JUDGED)),
    ]
    print("  ".join(f"{cell:>9}" for cell in cells), flush=True)
    return own


def own_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def settle(crowd: Crowd) -> None:
    """Until every letter is sent: none may be left over."""
    until = time.monotonic() + SETTLES_WITHIN_SECONDS
    while crowd.place.value(UNSENT) and time.monotonic() < until:
        time.sleep(1)
    crowd.mailbox.look()


def tell(crowd: Crowd, readings: Sequence[Reading], before: dict[str, int], *, minutes: float, rate: float) -> None:
    outcomes, report = crowd.outcomes, Report()
    rows = []
    for kind, taken in sorted(outcomes.taken.items()):
        marks = (f"{1000 * percentile(taken, share):.0f}" for share in (0.5, 0.95, 0.99, 1))
        rows.append((kind, len(taken), *marks))
    table(
        "Answers, in ms from the moment at which each was due", ("what", "count", "p50", "p95", "p99", "longest"), rows
    )
    deeds = [(deed, count) for deed, count in sorted(outcomes.deeds.items())]
    table(
        "What people did",
        ("what", "times"),
        [*deeds, ("letters", crowd.mailbox.letters), ("asked to wait", outcomes.waits)],
    )
    everything = [seconds for taken in outcomes.taken.values() for seconds in taken]
    uploads = outcomes.taken.get("upload", [])
    pages = [seconds for kind, taken in outcomes.taken.items() if kind != "upload" for seconds in taken]
    first_half = [one for one in readings if one.minute <= minutes / 2]
    second_half = readings[len(first_half) :] or first_half
    rows = []
    for kind in (*gauges.KINDS, gauges.POSTGRES):
        at_half, last = (one.held.get(kind, gauges.NONE) for one in (first_half[-1], readings[-1]))
        slopes = [gauges.slope_mb_an_hour(half, kind) for half in (first_half, second_half)]
        grows = "; ".join(f"{slope:+.1f}" for slope in slopes)
        rows.append((kind, f"{at_half.pss_mb:.0f}", f"{last.pss_mb:.0f}", f"{last.rss_mb:.0f}", grows, last.files))
        if kind in JUDGED and minutes >= TELLING_MINUTES:
            report.add(Figure(f"{kind}: memory grows in an hour", slopes[1], "MB", at_most=FLAT_MB_AN_HOUR))
    head = ("process", "PSS MB at half", "PSS MB at the end", "RSS MB", "MB an hour, first half; second", "open files")
    table("Memory", head, rows)
    cores = {
        kind: readings[-1].core_seconds.get(kind, 0) - readings[0].core_seconds.get(kind, 0) for kind in gauges.KINDS
    }
    seconds = 60 * (readings[-1].minute - readings[0].minute)
    table("Share of a core", ("process", "%"), [(kind, f"{100 * used / seconds:.0f}") for kind, used in cores.items()])
    report.add(
        Figure("requests a second", len(everything) / (60 * minutes), "", at_least=0.98 * rate),
        Figure("errors", float(sum(outcomes.errors.values())), "", at_most=0),
        Figure("pages: p99", 1000 * percentile(pages, 0.99), "ms", at_most=1000),
        Figure("uploads: p99", 1000 * percentile(uploads, 0.99), "ms", at_most=20_000),
        Figure("letters left over", float(crowd.place.value(UNSENT)), "", at_most=0),
        Figure("transactions left open", float(crowd.place.value(gauges.IDLE_IN_TRANSACTION)), "", at_most=0),
    )
    for what, count in ACCEPTED.items():
        lost = outcomes.deeds[what] - (crowd.place.value(count) - before[what])
        report.add(Figure(f"{what} accepted and not in the books", float(max(0, lost)), "", at_most=0))
    report.print()
    for what, times in outcomes.errors.most_common():
        print(f"{times} x {what}")


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Unwind like Ctrl-C, so that all that was started is stopped."""
    sys.exit(1)


if __name__ == "__main__":
    main()

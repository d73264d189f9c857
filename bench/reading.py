"""How much of a certificate is read right from a photo, and what that costs: `python -m bench.reading`.

Invented certificates in three layouts are printed, photographed with the faults of real photos, and read by the same
child process as the worker's. A field is right only when it is read exactly as it is printed.
"""

import argparse
import io
import multiprocessing
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.certificate_photos import LAYOUTS, Said, drawn, invented, photographed, sheet
from bench.report import Figure, Report, percentile, table
from portal.gateways.pictures.making import prepare
from portal.gateways.reading.reader import ChildReader
from portal.services.reading.fields import read_fields

# An eighth of the photos has four faults at once, which nobody could read either: so 100 % cannot be reached.
FAULTS = (
    (),
    ("turned",),
    ("angled", "turned"),
    ("blurred", "turned"),
    ("dim", "noisy"),
    ("folded", "angled"),
    ("turned", "dim", "blurred", "noisy"),
    ("folded", "turned", "noisy"),
)
NEEDED = ("given_on", "due_on", "animal_name")


@dataclass
class Score:
    """What was read right, wrong, or not at all; wrong ones that looked sure matter most."""

    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    sure_and_wrong: Counter[str] = field(default_factory=Counter)
    by_fault: dict[str, list[float]] = field(default_factory=dict)
    walls: list[float] = field(default_factory=list)
    cores: list[float] = field(default_factory=list)
    megabytes: float = 0.0


def photos(rounds: int) -> Iterator[tuple[str, Said, bytes]]:
    """Every layout with every set of faults, so many times; the same in every run."""
    chance = random.Random(90)  # noqa: S311 - invented papers need no secret
    for _ in range(rounds):
        for faults in FAULTS:
            for layout in LAYOUTS.values():
                said = invented(chance)
                yield ", ".join(faults) or "none", said, photographed(drawn(sheet(layout(said))), chance, *faults)


def measure(report: Report, *, rounds: int = 1) -> None:
    """Read them all, and print the share that is right, by field and by fault."""
    # A process of its own: the memory of children is counted for each process, over all it ever had.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        score = pool.apply(read_all, (rounds,))
    rows = [
        (name, score.asked[name], score.right[name], score.wrong[name], score.sure_and_wrong[name], _share(score, name))
        for name in score.asked
    ]
    table("Fields read from photos", ("field", "asked", "right", "wrong", "sure and wrong", "share right"), rows)
    by_fault = [(faults, f"{sum(shares) / len(shares):.0%}") for faults, shares in score.by_fault.items()]
    table("By what is wrong with the photo", ("photo", "fields right"), by_fault)
    needed = [100 * score.right[name] / score.asked[name] for name in NEEDED]
    report.add(
        Figure("certificate photos: dates and name right", min(needed), "%", at_least=85),
        Figure(
            "certificate photos: all fields right", 100 * score.right.total() / score.asked.total(), "%", at_least=85
        ),
        Figure("reading a photo, seconds of a core, p95", percentile(score.cores, 0.95), "s", at_most=12),
        Figure("reading a photo, seconds on the wall, median", percentile(score.walls, 0.5), "s", at_most=30),
        Figure("reading a photo, memory", score.megabytes, "MB", at_most=1100),
    )


def read_all(rounds: int) -> Score:
    """Read every photo, one after the other."""
    score = Score()
    for faults, said, photo in photos(rounds):
        read_one(score, faults, said, photo)
    score.megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return score


def read_one(score: Score, faults: str, said: Said, photo: bytes) -> None:
    """Read one photo and count what was right."""
    pages = [io.BytesIO(page.jpeg) for page in prepare(io.BytesIO(photo)).pages]
    wall, core = time.perf_counter(), _children_seconds()
    found = {name.value: read for name, read in read_fields(ChildReader().read(pages, None)).items()}
    score.walls.append(time.perf_counter() - wall)
    score.cores.append(_children_seconds() - core)
    right = 0
    for name, printed in said.fields.items():
        read = found.get(name)
        score.asked[name] += 1
        if read is None:
            continue
        if str(read.value) == printed:
            score.right[name] += 1
            right += 1
        else:
            score.wrong[name] += 1
            score.sure_and_wrong[name] += read.confidence >= 0.85
    score.by_fault.setdefault(faults, []).append(right / len(said.fields))


def _share(score: Score, name: str) -> str:
    return f"{score.right[name] / score.asked[name]:.0%}"


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how often each layout with each set of faults")
    report = Report()
    measure(report, rounds=parser.parse_args().rounds)
    report.print()


if __name__ == "__main__":
    main()

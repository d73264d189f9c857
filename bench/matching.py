"""How many of the animals that were found are matched with the missing ones they are: `python -m bench.matching`.

An invented town loses and finds animals for four months. Each is described by two people who don't know of each other:
they leave things out, see another size, another sex, another shade, and call a Labrador a lab mix. The words are drawn
from lists of this module, not from those that the portal compares by. Also measured is how long one comparison takes.
"""

import argparse
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from bench.board import FILL
from bench.report import Figure, Report, percentile, table
from bench.stage import Stage
from portal.city import load_city
from portal.composition import city_file
from portal.gateways.clock import SystemClock
from portal.gateways.database.connections import connect
from portal.schema.roles import WORKER
from portal.services.matching.likeness import Described, likeness
from portal.services.matching.match_pets import TOLD_FROM, compare_notice

FIRST_DAY, DAYS = date(2026, 3, 1), 120
MISSING, FOUND_AGAIN, STRAYS = 300, 0.55, 250
SOUTH, WEST, MILES = 45.300, -95.625, 2.0
MILE_NORTH, MILE_EAST = 1 / 69.0, 1 / 48.6

# Species; how often it is kept; what people call its breed and its color, the owner's word first; its size.
KINDS = """
dog | 14 | Labrador retriever / lab / lab mix / Lab/retriever / mixed breed | black / jet black / dark | large
dog | 10 | Labrador / yellow lab / lab mix / retriever | yellow / tan / cream / golden | large
dog | 6 | golden retriever / golden / retriever mix | golden / reddish gold / tan | large
dog | 8 | German shepherd / shepherd mix / GSD / shepherd | black and tan / brown and black | large
dog | 6 | beagle / beagle mix / hound | tricolor / black, white and brown / brown and white | medium
dog | 6 | border collie / collie / collie mix | black and white / white and black | medium
dog | 5 | blue heeler / cattle dog / heeler / Australian cattle dog | blue merle / gray / speckled gray | medium
dog | 4 | Australian shepherd / aussie / shepherd mix | red merle / reddish and white / brown spotted | medium
dog | 6 | pit bull / pitbull mix / bull terrier / pittie | brindle / brown / dark brindle | medium
dog | 5 | pit bull / pit mix / bulldog mix | gray and white / blue and white | medium
dog | 7 | shih tzu / small terrier / shih tzu mix / lhasa | white and brown / white and tan | small
dog | 6 | chihuahua / chi / chihuahua mix | tan / fawn / light brown | small
dog | 4 | dachshund / wiener dog / doxie | brown / red / reddish brown | small
dog | 4 | Yorkshire terrier / yorkie / terrier | black and tan / gray and tan | small
dog | 5 | Siberian husky / husky / husky mix | gray and white / black and white | large
dog | 4 | boxer / boxer mix | fawn / brown / tan | large
cat | 14 | domestic shorthair / shorthair / DSH / - | black / all black | medium
cat | 14 | domestic shorthair / tabby / - / short hair | gray tabby / gray striped / brown tabby | medium
cat | 10 | domestic shorthair / tabby / - | orange / orange tabby / ginger | medium
cat | 8 | shorthair / tuxedo / - | black and white / tuxedo / black with white paws | medium
cat | 6 | longhair / domestic longhair / - | gray / grey / blue gray | medium
cat | 5 | calico / shorthair / - | calico / white, orange and black | small
cat | 5 | tortie / shorthair / - | tortoiseshell / black and orange / tortie | small
cat | 3 | Siamese / siamese mix | cream / tan and brown / seal point | small
"""
COLLARS = ("red", "blue", "black", "pink", "green", "purple", "orange", "brown leather", "camo")
MARKS = ("limps", "white chest", "scar on nose", "one eye", "docked tail", "notched ear", "white paws", "curly tail")
STREETS = ("Kansas", "Idaho", "Utah", "Nevada", "Montana", "Oregon", "Atlantic", "Pacific", "Wisconsin", "13th", "14th")
STREETS += ("15th", "16th", "Hall", "Church", "Northside", "Lake")
SIZES = ("small", "medium", "large")


# The weights were chosen on towns 0 to 4.
UNSEEN = 100
COMPARED, MANY = 60, 100_000


@dataclass(frozen=True)
class Kind:
    """A line of the table above."""

    species: str
    weight: int
    breeds: tuple[str, ...]
    colors: tuple[str, ...]
    size: str


@dataclass(frozen=True)
class Told:
    """What somebody said of an animal, and which it was."""

    animal: int
    said: Described


def town(seed: int) -> tuple[list[Told], list[Told]]:
    """The missing ones, and those that were found: some of the missing, and strays that nobody misses."""
    chance = random.Random(seed)  # noqa: S311 - invented animals need no secret
    missing, found, kinds = [], [], list(_kinds())
    for animal in range(MISSING + STRAYS):
        kind = chance.choices(kinds, weights=[kind.weight for kind in kinds])[0]
        true = _animal(kind, chance)
        if animal < MISSING:
            missing.append(Told(animal, _said(true, kind, chance, is_owner=True)))
        if animal >= MISSING or chance.random() < FOUND_AGAIN:
            found.append(Told(animal, _said(_wandered(true, chance), kind, chance, is_owner=False)))
    return missing, found


def _kinds() -> Iterator[Kind]:
    for line in KINDS.strip().splitlines():
        species, weight, breeds, colors, size = line.split(" | ")
        called = tuple(word.replace("-", "") for word in breeds.split(" / "))
        yield Kind(species, int(weight), called, tuple(colors.split(" / ")), size)


def _animal(kind: Kind, chance: random.Random) -> Described:
    return Described(
        species=kind.species,
        on=FIRST_DAY + timedelta(days=chance.randrange(DAYS)),
        sex=chance.choice(("female", "male")),
        size=kind.size,
        wears=f"{chance.choice(COLLARS)} collar" if chance.random() < 0.6 else "",
        marks=chance.choice(MARKS) if chance.random() < 0.35 else "",
        latitude=SOUTH + chance.random() * MILES * MILE_NORTH,
        longitude=WEST + chance.random() * MILES * MILE_EAST,
        place=chance.choice(STREETS),
    )


def _wandered(true: Described, chance: random.Random) -> Described:
    """It is found some way off, some time later."""
    assert true.latitude is not None
    assert true.longitude is not None
    way, miles = chance.random() * 2 * math.pi, chance.lognormvariate(math.log(0.4), 0.9)
    return replace(
        true,
        on=true.on + timedelta(days=min(int(chance.expovariate(1 / 1.8)), 50)),
        latitude=true.latitude + math.sin(way) * miles * MILE_NORTH,
        longitude=true.longitude + math.cos(way) * miles * MILE_EAST,
        place=true.place if miles < 0.3 else chance.choice(STREETS),
        wears=true.wears if chance.random() < 0.8 else "",
    )


def _said(true: Described, kind: Kind, chance: random.Random, *, is_owner: bool) -> Described:
    """The owner knows it well and the finder does not; neither says everything."""
    breeds, colors = kind.breeds, kind.colors
    knows_place = chance.random() < 0.6
    return replace(
        true,
        breed=breeds[0] if is_owner and chance.random() < 0.7 else _or_nothing(chance.choice(breeds), 0.75, chance),
        color=colors[0] if is_owner and chance.random() < 0.7 else _or_nothing(chance.choice(colors), 0.95, chance),
        sex=true.sex if is_owner else _seen(true.sex, ("female", "male"), known=0.5, right=0.92, chance=chance),
        size=_seen(true.size, SIZES, known=0.8, right=0.95 if is_owner else 0.8, chance=chance),
        wears=_or_nothing(true.wears, 0.9 if is_owner else 0.8, chance),
        marks=_or_nothing(true.marks, 0.9 if is_owner else 0.5, chance),
        latitude=true.latitude if knows_place else None,
        longitude=true.longitude if knows_place else None,
        place=f"{chance.randrange(100, 1900)} {true.place} St" if chance.random() < 0.8 else "in the north of town",
    )


def _or_nothing(value: str, share: float, chance: random.Random) -> str:
    return value if chance.random() < share else ""


def _seen(true: str | None, words: tuple[str, ...], *, known: float, right: float, chance: random.Random) -> str | None:
    if true is None or chance.random() >= known:
        return None
    near = [word for word in words if abs(words.index(word) - words.index(true)) == 1]
    return true if chance.random() < right else chance.choice(near)


@dataclass(frozen=True)
class Pair:
    """Two that were compared and may be the same."""

    is_same: bool
    score: int
    explained: str
    missing: int


def compared(seed: int) -> tuple[list[Pair], int, float]:
    """Every pair with a score, how many true pairs there are, and the seconds that one comparison took."""
    missing, found = town(seed)
    began = time.perf_counter()
    scores = [(one, other, likeness(one.said, other.said)) for one in missing for other in found]
    seconds = (time.perf_counter() - began) / len(scores)
    pairs = [
        Pair(one.animal == other.animal, score.score, score.explained, one.animal)
        for one, other, score in scores
        if score
    ]
    found_again = {one.animal for one in found} & {one.animal for one in missing}
    return pairs, len(found_again), seconds


def measure(report: Report, *, seeds: range) -> None:
    """Precision and recall at the score from which owners are told, and at others."""
    pairs, true, seconds = [], 0, 0.0
    for seed in seeds:
        found, again, took = compared(seed)
        pairs += found
        true, seconds = true + again, took
    rows = [(f"{score}", *_shown(pairs, true, score)) for score in (10, 15, 20, 25, 30, 50, 70, 90)]
    table("Matches by score", ("from", "told", "right", "precision", "recall"), rows)
    for pair in list(_examples(pairs)):
        print(f"  {pair.score:3} {'same ' if pair.is_same else 'other'} {pair.explained}")
    told = [pair for pair in pairs if pair.score >= TOLD_FROM]
    right = sum(pair.is_same for pair in told)
    report.add(
        Figure("matches that are told: precision", 100 * right / len(told), "%", at_least=40),
        Figure("matches that are told: recall", 100 * right / true, "%", at_least=75),
        Figure("one comparison", 1e6 * seconds, "µs", at_most=100),
    )


def measure_among(stage: Stage, report: Report, *, notices: int) -> None:
    """What the worker takes to compare one notice with all the others of its kind and time."""
    name = stage.copied_database(f"matching_{notices}")
    owner, worker = create_engine(stage.postgres.url(name)), connect(stage.postgres.url(name), role=WORKER)
    city = load_city(city_file("benson"))
    clock = SystemClock(city.time_zone)
    with owner.begin() as connection:
        connection.execute(text(FILL), {"many": notices})
    with owner.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM (ANALYZE)"))
        keys = connection.scalars(
            text("SELECT id FROM animal_control.pet_notice ORDER BY id LIMIT :n"), {"n": COMPARED}
        )
        compared = list(keys)
    taken = []
    for key in compared:
        began = time.perf_counter()
        with Session(worker) as session, session.begin():
            compare_notice(session, key, city=city, clock=clock)
        taken.append(time.perf_counter() - began)
    for engine in (owner, worker):
        engine.dispose()
    report.add(Figure(f"comparing a notice among {notices}: p95", 1000 * percentile(taken, 0.95), "ms", at_most=1000))


def _shown(pairs: list[Pair], true: int, score: int) -> tuple[str, ...]:
    told = [pair for pair in pairs if pair.score >= score]
    right = sum(pair.is_same for pair in told)
    return str(len(told)), str(right), f"{100 * right / max(1, len(told)):.0f} %", f"{100 * right / true:.0f} %"


def _examples(pairs: list[Pair]) -> Iterator[Pair]:
    told = sorted((pair for pair in pairs if pair.score >= TOLD_FROM), key=lambda pair: pair.explained)
    yield from [pair for pair in told if pair.is_same][:4]
    yield from [pair for pair in told if not pair.is_same][:4]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.matching", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="how many towns")
    parser.add_argument("--first", type=int, default=UNSEEN, help="the first of them")
    chosen = parser.parse_args()
    report = Report()
    measure(report, seeds=range(chosen.first, chosen.first + chosen.seeds))
    report.print()


if __name__ == "__main__":
    main()

"""How many dogs live at an address: 90.09. The third dog is explained and flagged, never refused.

Refusing it a license would make an unlicensed dog, and 90.04(B)(1) wants every dog licensed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from portal.ordinance.citation import Rule
from portal.ordinance.days import add_months
from portal.ordinance.finding import Finding
from portal.ordinance.periods import LITTER

# 90.09(A): three or more dogs on the same premises, whoever owns them and for whatever purpose.
KENNEL_DOGS = 3


@dataclass(frozen=True, slots=True)
class DogKept:
    """One dog on the premises. `is_litter_pup` means a pup of a fresh litter kept with it."""

    born_on: date | None = None
    is_litter_pup: bool = False


def litter_exempt_through(born_on: date) -> date:
    """90.09(A), 645.14: the last day on which the pups of a fresh litter are not counted, three months from birth."""
    return add_months(born_on, LITTER.length)


def counts(dog: DogKept, *, on: date) -> bool:
    """90.09(A): every dog counts, of any age, except the pups of a litter in its first three months."""
    if not dog.is_litter_pup or dog.born_on is None:
        return True
    return on > litter_exempt_through(dog.born_on)


def dogs_counted(dogs: Iterable[DogKept], *, on: date) -> int:
    """90.09(A): the number of dogs kept on the premises on that day."""
    return sum(counts(dog, on=on) for dog in dogs)


def kennel_finding(stated: Iterable[DogKept], *, on: date, known_from_others: int = 0) -> Finding | None:
    """90.09: a finding once the dogs make three.

    `stated` are the dogs the person told us of, the one on the form included. `known_from_others` is how many other
    people's dogs we hold at the same address: they reach staff, and nothing about them reaches the person.
    """
    own = dogs_counted(stated, on=on)
    if own >= KENNEL_DOGS:
        return _EXPLAINED
    if own and own + known_from_others >= KENNEL_DOGS:
        return _FOR_STAFF
    return None


_EXPLAINED = Finding(
    Rule.KENNEL,
    "Three or more dogs at one address count as a kennel, which the city does not allow. You can still apply: every "
    "dog needs its license, and a person at the city will look at it and talk with you",
    "other_dogs",
    needs_review=True,
)
_FOR_STAFF = Finding(
    Rule.KENNEL,
    "With the dogs of other people registered at this address, there are three or more",
    needs_review=True,
    is_for_staff=True,
)

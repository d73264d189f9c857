"""From the number on a tag to the animal that wears it (90.04(B)(5)). Nothing else is told by a number."""

import re
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState
from portal.schema.licenses import License
from portal.services.refusal import Refused

# A dog may still wear the tag of any year it has lived.
YEARS_WORN = 20
# Around New Year last year's tag is still on the collar.
WORN_ON = timedelta(days=60)
UNKNOWN = "We know no license tag with this number. Look at the tag again, or call the police"
WHICH_YEAR = "More than one dog may wear this number. Put the year stamped on the tag before it, like {year}-{number}"

YEAR = r"(?P<year>20\d\d)"
NUMBER = r"(?P<number>\d{1,6})"
ISSUE = r"(?:[-/ ]\d{1,2})?"
WAYS = (
    re.compile(rf"{YEAR}[-/. ]+{NUMBER}{ISSUE}"),
    re.compile(rf"{NUMBER}[-/. ]+{YEAR}"),
    re.compile(rf"{YEAR}(?P<number>\d{{4}})"),
    re.compile(NUMBER),
)


@dataclass(frozen=True)
class TagNumber:
    """What is stamped on a tag: the license number and, where it was read, the year."""

    number: int
    year: int | None = None

    @property
    def label(self) -> str:
        """2026-42, or 42 without the year; also its place in an address."""
        return f"{self.year}-{self.number}" if self.year else str(self.number)


def read_tag_number(typed: str) -> TagNumber | None:
    """A tag's number however it was typed or scanned: 2026-0042, 0042, #42, 2026 42; None when it can't be one."""
    plain = re.sub(r"^(?:tag|license|no\.?|number|#|\s)+", "", typed.strip().lower())
    for way in WAYS:
        if plain.isascii() and (found := way.fullmatch(plain)) and (number := int(found["number"])):
            year = found.groupdict().get("year")
            return TagNumber(number, int(year) if year else None)
    return None


def animal_of_tag(session: Session, tag: TagNumber, *, clock: Clock) -> Animal:
    """The animal that wears it; raises Refused.

    A tag that was replaced has the number of its duplicate, and an old year's tag leads to the same animal. One that
    was given away wears its tag still, and whoever gave it away knows who has it; one that moved away may be visiting.
    """
    this_year = clock.today().year
    years = [tag.year] if tag.year else list(range(this_year - YEARS_WORN, this_year + 2))
    wanted = (
        select(License, Animal)
        .join(Animal, Animal.id == License.animal_id)
        .where(License.number == tag.number, License.year.in_(years), Animal.state != AnimalState.DIED)
        .order_by(License.year.desc())
    )
    found = [(license_, animal) for license_, animal in session.execute(wanted)]
    worn = {animal.id: animal for license_, animal in found if _is_worn(license_, clock)}
    if len(worn) > 1:
        raise Refused([Refusal(Rule.TAG, WHICH_YEAR.format(year=this_year, number=tag.number), "number")])
    if worn:
        return next(iter(worn.values()))
    if found:
        return found[0][1]
    raise Refused([Refusal(Rule.TAG, UNKNOWN, "number")])


def _is_worn(license_: License, clock: Clock) -> bool:
    return license_.valid_from <= clock.today() <= license_.valid_until + WORN_ON

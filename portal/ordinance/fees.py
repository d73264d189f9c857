"""Fees as dated tables set by resolution (90.18). Money is integer cents.

A person pays what the table in force on the day of the quote says; the quote keeps its resolution (90.18:
a new resolution never changes an old quote). Breed never plays a part (347.51 subd. 8).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.ordinance.citation import Rule
from portal.ordinance.days import spoken

# 347.51 subd. 2: the yearly fee for a dangerous dog is at most $500 beyond the regular license fee.
DANGEROUS_DOG_CAP_CENTS = 500_00
# 90.13(E)(1): of the actual expenses of a hearing that upholds a designation, the owner pays at most $1,000.
HEARING_CAP_CENTS = 1_000_00


class FeeKind(StrEnum):
    """What is charged for."""

    LICENSE = "license"
    LATE = "late"
    DUPLICATE_TAG = "duplicate_tag"
    DANGEROUS_DOG = "dangerous_dog"
    IMPOUND_RELEASE = "impound_release"
    IMPOUND_BOARD_DAY = "impound_board_day"


RULE_OF_FEE = {
    FeeKind.LICENSE: Rule.LICENSE_FEE,
    FeeKind.LATE: Rule.FEES,
    FeeKind.DUPLICATE_TAG: Rule.TAG,
    FeeKind.DANGEROUS_DOG: Rule.DANGEROUS_FEE,
    FeeKind.IMPOUND_RELEASE: Rule.IMPOUND_HOLD,
    FeeKind.IMPOUND_BOARD_DAY: Rule.IMPOUND_HOLD,
}


@dataclass(frozen=True, slots=True)
class LicenseTiers:
    """Two license fees by whether the dog is altered, where a resolution sets them (90.18; chapter 90 has none)."""

    altered_cents: int
    intact_cents: int


@dataclass(frozen=True, slots=True)
class LateFee:
    """A late fee, where a resolution sets one (90.18): owed once so many days have gone by."""

    cents: int
    after_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeTable:
    """The fees of one resolution, from its effective date until the next table's. All amounts in cents."""

    effective_from: date
    resolution: str
    license_cents: int
    duplicate_tag_cents: int
    dangerous_dog_cents: int
    impound_release_cents: int
    impound_board_day_cents: int
    tiers: LicenseTiers | None = None
    late: LateFee | None = None


@dataclass(frozen=True, slots=True)
class Fee:
    """One amount in cents with the rule and the resolution it rests on: what a quote keeps."""

    kind: FeeKind
    amount_cents: int
    resolution: str

    @property
    def rule(self) -> str:
        """The rule id under which this is charged."""
        return RULE_OF_FEE[self.kind]


@dataclass(frozen=True, slots=True)
class FeeProblem:
    """Why a fee table cannot be put in force; `key` is the amount's name in the table."""

    key: str
    rule: str
    sentence: str


class NoFeesInForce(LookupError):
    """No resolution has set fees for that day (90.18)."""


def in_force(tables: Iterable[FeeTable], on: date) -> FeeTable:
    """90.18: the table with the latest effective date that is not after `on`."""
    begun = [table for table in tables if table.effective_from <= on]
    if not begun:
        raise NoFeesInForce(f"No fee resolution is in force on {spoken(on)}")
    return max(begun, key=lambda table: table.effective_from)


def license_fee(tables: Iterable[FeeTable], *, on: date, is_altered: bool | None = None) -> Fee:
    """90.04(B)(4): the license fee. With tiers, a dog not known to be altered pays the fee of an intact one."""
    table = in_force(tables, on)
    cents = table.license_cents
    if table.tiers:
        cents = table.tiers.altered_cents if is_altered else table.tiers.intact_cents
    return Fee(FeeKind.LICENSE, cents, table.resolution)


def late_fee(tables: Iterable[FeeTable], *, due_on: date, on: date) -> Fee | None:
    """90.18: the late fee if a resolution set one and its days have passed since `due_on`, the first licensed day."""
    table = in_force(tables, on)
    if table.late is None or on <= due_on + timedelta(days=table.late.after_days):
        return None
    return Fee(FeeKind.LATE, table.late.cents, table.resolution)


def duplicate_tag_fee(tables: Iterable[FeeTable], *, on: date) -> Fee:
    """90.04(B)(5): a reasonable charge may be made for each duplicate tag; it may be nothing."""
    table = in_force(tables, on)
    return Fee(FeeKind.DUPLICATE_TAG, table.duplicate_tag_cents, table.resolution)


def dangerous_dog_fee(tables: Iterable[FeeTable], *, on: date) -> Fee:
    """90.13(H)(6): the yearly registration fee, in addition to the license fee."""
    table = in_force(tables, on)
    return Fee(FeeKind.DANGEROUS_DOG, table.dangerous_dog_cents, table.resolution)


def amounts(table: FeeTable) -> dict[str, int]:
    """90.18: every amount of a table in cents, by its key in the city file."""
    found = {
        "license_cents": table.license_cents,
        "duplicate_tag_cents": table.duplicate_tag_cents,
        "dangerous_dog_cents": table.dangerous_dog_cents,
        "impound_release_cents": table.impound_release_cents,
        "impound_board_day_cents": table.impound_board_day_cents,
    }
    if table.tiers:
        found["license_altered_cents"] = table.tiers.altered_cents
        found["license_intact_cents"] = table.tiers.intact_cents
    if table.late:
        found["late_cents"] = table.late.cents
    return found


def problems(table: FeeTable, *, minimum_cents: int) -> list[FeeProblem]:
    """347.51 subd. 2 and 90.18: what is wrong with a table. `minimum_cents` is the least the card processor takes."""
    found = [
        FeeProblem(key, Rule.FEES, _amount_sentence(cents, minimum_cents))
        for key, cents in amounts(table).items()
        if cents < 0 or 0 < cents < minimum_cents
    ]
    if table.dangerous_dog_cents > DANGEROUS_DOG_CAP_CENTS:
        sentence = (
            f"State law allows at most {dollars(DANGEROUS_DOG_CAP_CENTS)} a year for a dangerous dog; "
            f"this says {dollars(table.dangerous_dog_cents)}"
        )
        found.append(FeeProblem("dangerous_dog_cents", Rule.STATE_DANGEROUS_DOGS, sentence))
    return found


def _amount_sentence(cents: int, minimum_cents: int) -> str:
    if cents < 0:
        return "A fee cannot be less than nothing; write 0 for no charge"
    return (
        f"The card processor does not take less than {dollars(minimum_cents)}; "
        f"this says {dollars(cents)}. Write 0 for no charge, or at least {minimum_cents}"
    )


def dollars(cents: int) -> str:
    """An amount of cents as it is printed: $10.00."""
    return f"${cents // 100:,}.{cents % 100:02}"

"""Fee tables in the city's file, one for each resolution of the Council (90.18)."""

from collections.abc import Iterable
from itertools import pairwise

from portal.city.reading import CityFileError, Table
from portal.ordinance.fees import FeeTable, LateFee, LicenseTiers, problems

DAYS_IN_A_YEAR = 366
# Wide enough for any fee; it catches an amount written in the wrong unit.
CENTS_AT_MOST = 10_000_00


def read_fees(tables: Iterable[Table], *, minimum_cents: int) -> tuple[FeeTable, ...]:
    """Every fee table, oldest first. `minimum_cents` is the least the card processor takes."""
    found = [_checked(table, minimum_cents) for table in tables]
    ordered = sorted(found, key=lambda fees: fees.effective_from)
    for earlier, later in pairwise(ordered):
        if earlier.effective_from == later.effective_from:
            what_to_do = f"two tables start on {later.effective_from}; give each its own date"
            raise CityFileError("fees.effective_from", what_to_do)
    return tuple(ordered)


def _checked(table: Table, minimum_cents: int) -> FeeTable:
    fees = _fee_table(table)
    for problem in problems(fees, minimum_cents=minimum_cents):
        raise CityFileError(table.at(problem.key), problem.sentence)
    return fees


def _fee_table(table: Table) -> FeeTable:
    found = FeeTable(
        effective_from=table.day("effective_from"),
        resolution=table.text("resolution"),
        license_cents=_cents(table, "license_cents"),
        duplicate_tag_cents=_cents(table, "duplicate_tag_cents"),
        dangerous_dog_cents=_cents(table, "dangerous_dog_cents"),
        impound_release_cents=_cents(table, "impound_release_cents"),
        impound_board_day_cents=_cents(table, "impound_board_day_cents"),
        tiers=_tiers(table),
        late=_late(table),
    )
    table.finish()
    return found


def _tiers(table: Table) -> LicenseTiers | None:
    keys = ("license_altered_cents", "license_intact_cents")
    if not any(table.has(key) for key in keys):
        return None
    return LicenseTiers(*(_cents(table, key) for key in keys))


def _late(table: Table) -> LateFee | None:
    if not any(table.has(key) for key in ("late_cents", "late_after_days")):
        return None
    return LateFee(_cents(table, "late_cents"), table.whole("late_after_days", least=0, most=DAYS_IN_A_YEAR))


def _cents(table: Table, key: str) -> int:
    return table.whole(key, least=0, most=CENTS_AT_MOST)

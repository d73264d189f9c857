"""What a version of the contract promises is kept until the next; docs/contract-changes.md says how it changes."""

import re
from pathlib import Path

from portal.schema.contract import VERSION
from portal.schema.described import DescribedColumn, DescribedTable, described
from portal.schema.roles import DESK, FUNCTIONS

ROOT = Path(__file__).parents[2]
DOCS, PORTAL = ROOT / "docs", ROOT / "portal"
ANIMAL_CONTROL = "animal_control."
MAY_NOT_GO = (
    "docs/contract-1.txt promises these to other software until version 2. Leave them as they were and add what is new "
    "beside them (docs/contract-changes.md); strike a line only if no release has had it"
)


def promises(table: DescribedTable, column: DescribedColumn) -> set[str]:
    """What other software may count on of a column, in lines."""
    name = f"{table.fullname}.{column.name}"
    said = {f"{name} is {column.type}{f' in {column.unit}' if column.unit else ''}"}
    said |= {f"{name} may be {word}" for word in column.words}
    said |= {f"{name} may be empty"} if column.may_be_empty else set()
    able = {"reads": column.read_by, "adds": column.added_by, "changes": column.changed_by}
    return said | {f"{DESK} {what} {name}" for what, roles in able.items() if DESK in roles}


def promised(version: str) -> list[str]:
    lines = (DOCS / f"contract-{version}.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_what_this_version_promises_is_kept():
    kept = {line for table in described() for column in table.columns for line in promises(table, column)}
    kept |= {f"{DESK} calls {function}" for function, callers in FUNCTIONS.items() if DESK in callers}
    broken = [line for line in promised(VERSION.partition(".")[0]) if line not in kept]
    assert broken == [], MAY_NOT_GO


def test_every_shared_table_is_promised_or_named_as_the_portals_own():
    shared = {table.fullname for table in described() if table.fullname.startswith(ANIMAL_CONTROL)}
    names = (word for line in promised(VERSION.partition(".")[0]) for word in line.split())
    whole = {name.rpartition(".")[0] for name in names if name.startswith(ANIMAL_CONTROL)}
    page = (DOCS / "contract-changes.md").read_text()
    assert {name for name in shared - whole if f"`{name.rpartition('.')[2]}` (" not in page} == set()


def test_the_version_stands_in_the_list_of_versions():
    assert f"| {VERSION} |" in (DOCS / "contract-changes.md").read_text()


def told_by_the_code() -> tuple[set[str], set[str]]:
    """Kinds of events as the services write them, and the beginnings of those that end in a state."""
    source = "".join(path.read_text() for path in (PORTAL / "services").rglob("*.py"))
    whole = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', source))
    return whole, set(re.findall(r'f"([a-z_]+)\.\{[\w.]+\.value\}"', source))


def kinds_on_the_page() -> set[str]:
    rows = [line for line in (DOCS / "events.md").read_text().splitlines() if line.startswith("| `")]
    return {kind for row in rows for kind in re.findall(r"`([a-z_]+\.[a-z_]+)`", row.partition(" | ")[0])}


def test_every_kind_of_event_on_the_page_is_told_by_the_code():
    whole, families = told_by_the_code()
    assert {kind for kind in kinds_on_the_page() - whole if kind.partition(".")[0] not in families} == set()


def test_every_kind_of_event_that_the_code_tells_is_on_the_page():
    whole, families = told_by_the_code()
    page = kinds_on_the_page()
    begin = {kind.partition(".")[0] for kind in page}
    missing = {kind for kind in whole - page if kind.partition(".")[0] in begin} | (families - begin)
    assert missing == set(), f"add to the table at the end of docs/events.md: {sorted(missing)}"

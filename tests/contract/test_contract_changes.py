"""What a version of the contract promises is kept until the next; docs/contract-changes.md says how it changes."""

import re
from pathlib import Path

from portal.schema.catalog import metadata
from portal.schema.contract import VERSION
from portal.schema.described import DescribedColumn, DescribedTable, described
from portal.schema.roles import DESK, FUNCTIONS

ROOT = Path(__file__).parents[2]
DOCS, PORTAL = ROOT / "docs", ROOT / "portal"
CHANGES = DOCS / "contract-changes.md"
ANIMAL_CONTROL = "animal_control."
SINCE = " since "
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


def listed() -> list[str]:
    lines = (DOCS / f"contract-{VERSION.partition('.')[0]}.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def promised() -> list[str]:
    return [line.partition(SINCE)[0] for line in listed()]


def told_on_the_page() -> set[str]:
    """Which kind of event is about which table, in lines."""
    lines = (DOCS / "events.md").read_text().splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return {
        f"event {kind} is about {table}"
        for kinds, tables, *_ in rows
        for kind in re.findall(r"`([a-z_]+\.[a-z_]+)`", kinds)
        for table in tables.split(", ")
    }


def test_what_this_version_promises_is_kept():
    kept = {line for table in described() for column in table.columns for line in promises(table, column)}
    kept |= {f"{DESK} calls {function}" for function, callers in FUNCTIONS.items() if DESK in callers}
    kept |= told_on_the_page()
    broken = [line for line in promised() if line not in kept]
    assert broken == [], MAY_NOT_GO


def test_every_shared_table_is_promised_column_by_column_or_named_as_the_portals_own():
    names = {word for line in promised() for word in line.split() if word.startswith(ANIMAL_CONTROL)}
    page = CHANGES.read_text()
    missing = {
        f"{table.fullname}.{column.name}"
        for table in described()
        if table.fullname.startswith(ANIMAL_CONTROL) and f"`{table.name}` (" not in page
        for column in table.columns
    }
    assert missing - names == set(), "promise them in docs/contract-1.txt, or name their table in contract-changes.md"


def test_every_kind_of_event_is_promised_with_the_table_it_is_about():
    missing = told_on_the_page() - set(promised())
    assert missing == set(), "promise them in docs/contract-1.txt, with the version that they came with"


def test_the_version_stands_in_the_list_of_versions():
    assert f"| {VERSION} |" in CHANGES.read_text()


def test_every_kind_of_event_that_came_later_stands_beside_its_version():
    rows = dict(re.findall(r"^\| ([\d.]+) \| (.*) \|$", CHANGES.read_text(), re.MULTILINE))
    came_later = [re.fullmatch(r"event (\w+)\.(\w+) is about \w+ since ([\d.]+)", line) for line in listed()]
    missing = [
        came[0]
        for came in came_later
        if came and f"`{came[1]}.{came[2]}`" not in rows[came[3]] and f"`{came[1]}.*`" not in rows[came[3]]
    ]
    assert missing == [], "name them in the list of versions of docs/contract-changes.md"


def told_by_the_code() -> tuple[set[str], set[str]]:
    """Kinds of events as the services write them, and the beginnings of those that end in a state."""
    source = "".join(path.read_text() for path in (PORTAL / "services").rglob("*.py"))
    whole = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', source))
    return whole, set(re.findall(r'f"([a-z_]+)\.\{[\w.]+\.value\}"', source))


def kinds_on_the_page() -> set[str]:
    return {line.split()[1] for line in told_on_the_page()}


def test_every_kind_of_event_on_the_page_is_told_by_the_code():
    whole, families = told_by_the_code()
    assert {kind for kind in kinds_on_the_page() - whole if kind.partition(".")[0] not in families} == set()


def test_every_kind_of_event_that_the_code_tells_is_on_the_page():
    whole, families = told_by_the_code()
    page = kinds_on_the_page()
    begin = {kind.partition(".")[0] for kind in page}
    missing = {kind for kind in whole - page if kind.partition(".")[0] in begin} | (families - begin)
    assert missing == set(), f"add to the table at the end of docs/events.md: {sorted(missing)}"


def test_an_event_is_about_the_table_that_the_page_names():
    """Where the row is called like its table in the code, as most are."""
    source = "".join(path.read_text() for path in (PORTAL / "services").rglob("*.py"))
    told = re.findall(r'record_event\(\s*session, "([a-z_]+\.[a-z_]+)", ([a-z_]+)[,)]', source)
    tables = {table.name for table in metadata.tables.values() if f"{table.schema}." == ANIMAL_CONTROL}
    about = {f"event {kind} is about {row}" for kind, row in told if row in tables}
    assert len(about) > 25
    assert about - told_on_the_page() == set()

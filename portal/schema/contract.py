"""The shared schema written out for people: every table and column with its sentence, class, section and rights."""

from collections.abc import Iterator

from portal.schema.base import ANIMAL_CONTROL, CONFIDENTIAL, PORTAL, Privacy
from portal.schema.described import DescribedColumn, DescribedTable, cited, described
from portal.schema.roles import FUNCTIONS, ROLE_WORDS, ROLES

VERSION = "1.2"
INTRODUCTION = """# The shared schema, version {version}

Written by `portal schema`; a test fails when it and the code drift apart. The same for software is printed by
`portal schema --as json`, the statements that make the tables by `--as sql`, and [the picture](schema.svg) by
`--as svg`. [How it changes](contract-changes.md) and [how to follow what happens](events.md) have pages of their own.

Money is integer US cents, civil dates (`date`) are days in the city's time zone, instants are `timestamptz`. Keys are
random and safe to show.

Other software may add columns and tables of its own and follow the feed with `portal events --after CURSOR --follow`.
It stands in `animal_control.event`, is announced by `LISTEN animal_control_event`, and is read in the order of
`(transaction_id, id)`, only below `pg_snapshot_xmin(pg_current_snapshot())`: by `id` alone some would be missed. Nobody
changes or removes an event.

**Class** says how software that uses the schema treats a column (Minn. Stat. 13.02), and is never laxer than the law.
What the city answers to somebody who asks for data is for its responsible authority to say.

{classes}

**Section** is the law that a column is kept for. **Written by** names the roles that may add or change it: W is
`portal_web`, B `portal_worker`, D `city_desk`.

{roles}
"""

SCHEMA_WORDS = {
    ANIMAL_CONTROL: "Shared between the portal and the police department's software.",
    CONFIDENTIAL: "Who made a report (Minn. Stat. 13.44). The web process may add and never read.",
    PORTAL: "The portal's own; other software leaves it alone.",
}
CLASS_WORDS = {
    Privacy.PUBLIC: "may be shown to anybody",
    Privacy.PRIVATE: "is for whom it is about, and for staff whose work needs it",
    Privacy.CONFIDENTIAL: "is for staff whose work needs it, and not even for whom it is about",
}
LETTERS = dict(zip(ROLES, "WBD", strict=True))


def contract() -> str:
    """The whole contract as Markdown."""
    tables = described()
    introduction = INTRODUCTION.format(
        version=VERSION,
        classes="\n".join(f"- *{privacy.value}* {words}" for privacy, words in CLASS_WORDS.items()),
        roles="\n".join(f"- `{role}`: {words}" for role, words in ROLE_WORDS.items()),
    )
    schemas = [line for schema in SCHEMA_WORDS for line in _schema(schema, tables)]
    return "\n".join([introduction, *schemas]).rstrip() + "\n"


def _schema(schema: str, tables: list[DescribedTable]) -> Iterator[str]:
    yield f"## `{schema}`\n\n{SCHEMA_WORDS[schema]}\n"
    for table in tables:
        if table.schema == schema:
            yield from _table(table)
    functions = {name: callers for name, callers in FUNCTIONS.items() if name.startswith(f"{schema}.")}
    if functions:
        yield "### Functions that run with their owner's rights\n"
        yield from (f"- `{name}`: {_callers(callers)}" for name, callers in functions.items())
        yield ""


def _table(table: DescribedTable) -> Iterator[str]:
    yield f"### `{table.fullname}`\n\n{table.meaning} {_class_of(table)}\n"
    yield "| column | type | may be empty | class | section | written by | meaning |\n|---|---|---|---|---|---|---|"
    yield from (_column(column) for column in table.columns)
    yield ""
    yield from (f"- Always: `{check}`" for check in table.checks.values())
    yield from (f"- Unique: `{unique}`" for unique in table.unique)
    yield from (f"- No two rows whose `{exclusion}`" for exclusion in table.exclusions)
    said = [f"`{role}` {rights}" for role, rights in table.rights.items()]
    yield f"- Rights: {'; '.join(said) or 'nobody yet'}\n"


def _class_of(table: DescribedTable) -> str:
    classes = {column.privacy for column in table.columns}
    rest = "" if classes <= {table.privacy} else f", {len(_public(table))} columns public"
    return f"*{table.privacy.value.capitalize()}{rest}.*"


def _public(table: DescribedTable) -> list[DescribedColumn]:
    return [column for column in table.columns if column.privacy is Privacy.PUBLIC]


def _callers(callers: tuple[str, ...]) -> str:
    return ", ".join(f"`{role}`" for role in callers) or "used by the others alone"


def _column(column: DescribedColumn) -> str:
    kind = f"one of {', '.join(f'`{word}`' for word in column.words)}" if column.words else column.type
    unit = f", {column.unit}" if column.unit else ""
    points_at = "".join(f" Row of `{table}`." for table in column.points_at)
    cells = (
        f"`{column.name}`",
        f"{kind}{unit}",
        "yes" if column.may_be_empty else "no",
        column.privacy.value,
        ", ".join(map(cited, column.sections)),
        "".join(LETTERS[role] for role in column.written_by),
        f"{column.meaning}{points_at}",
    )
    return f"| {' | '.join(cells)} |"

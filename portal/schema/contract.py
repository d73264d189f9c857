"""The shared schema written out for people: every table and column with its sentence, checks and rights."""

from collections.abc import Iterator

from sqlalchemy import CheckConstraint, Column, Enum, ForeignKey, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import ExcludeConstraint

from portal.schema.base import ANIMAL_CONTROL, CONFIDENTIAL, PORTAL
from portal.schema.catalog import metadata
from portal.schema.roles import FUNCTIONS, GRANTS, ROLES

INTRODUCTION = """# The shared schema

Written by `portal schema`; a test fails when it and the code drift apart. Money is integer cents, civil dates are
`date` in the city's time zone, instants are `timestamptz`. Keys are random and safe to show.

Other software may add columns and tables of its own and follow the feed: `LISTEN animal_control_event`, then read
`animal_control.event` by its `id`. Read only rows whose `transaction_id` is below
`pg_snapshot_xmin(pg_current_snapshot())`, so that a transaction still under way is not skipped. Nobody changes or
removes an event.
"""

SCHEMA_WORDS = {
    ANIMAL_CONTROL: "Shared between the portal and the police department's software.",
    CONFIDENTIAL: "Who made a report (Minn. Stat. 13.44). The web process may add and never read.",
    PORTAL: "The portal's own; other software leaves it alone.",
}


def contract() -> str:
    """The whole contract as Markdown."""
    return "\n".join([INTRODUCTION, *(line for schema in SCHEMA_WORDS for line in _schema(schema))]).rstrip() + "\n"


def _schema(schema: str) -> Iterator[str]:
    yield f"## `{schema}`\n\n{SCHEMA_WORDS[schema]}\n"
    tables = [table for table in metadata.sorted_tables if table.schema == schema]
    for table in sorted(tables, key=lambda table: table.name):
        yield from _table(table)
    functions = {name: callers for name, callers in FUNCTIONS.items() if name.startswith(f"{schema}.")}
    if functions:
        yield "### Functions that run with their owner's rights\n"
        yield from (f"- `{name}`: {_callers(callers)}" for name, callers in functions.items())
        yield ""


def _table(table: Table) -> Iterator[str]:
    yield f"### `{table.fullname}`\n\n{table.comment}\n"
    yield "| column | type | may be empty | meaning |\n|---|---|---|---|"
    yield from (_column(column) for column in table.columns)
    yield ""
    for constraint in sorted(_checks(table), key=lambda check: str(check.name)):
        yield f"- Always: `{constraint.sqltext}`"
    for index in sorted((index for index in table.indexes if index.unique), key=lambda index: str(index.name)):
        where = index.dialect_options["postgresql"]["where"]
        only = f" where `{where}`" if where is not None else ""
        yield f"- Unique: {', '.join(f'`{column.name}`' for column in index.columns)}{only}"
    for exclusion in (one for one in table.constraints if isinstance(one, ExcludeConstraint)):
        agree = " and ".join(f"`{part}` {operator}" for part, _, operator in exclusion._render_exprs)
        yield f"- No two rows whose {agree} where `{exclusion.where}`"
    rights = GRANTS[table.fullname]
    said = [f"`{role}` {rights[role]}" for role in ROLES if role in rights]
    yield f"- Rights: {'; '.join(said) or 'nobody yet'}\n"


def _callers(callers: tuple[str, ...]) -> str:
    return ", ".join(f"`{role}`" for role in callers) or "used by the others alone"


def _column(column: Column[object]) -> str:
    kind = column.type.compile(dialect=postgresql.dialect())  # type: ignore[no-untyped-call]
    if isinstance(column.type, Enum):
        kind = "one of " + ", ".join(f"`{word}`" for word in column.type.enums)
    points_at = "".join(f" Row of `{key.column.table.fullname}`." for key in _points_at(column))
    return f"| `{column.name}` | {kind} | {'yes' if column.nullable else 'no'} | {column.comment}{points_at} |"


def _points_at(column: Column[object]) -> list[ForeignKey]:
    return sorted(column.foreign_keys, key=lambda key: key.column.table.fullname)


def _checks(table: Table) -> Iterator[CheckConstraint]:
    for constraint in table.constraints:
        # The checks of our words are told with their column.
        if isinstance(constraint, CheckConstraint) and not constraint._type_bound:
            yield constraint

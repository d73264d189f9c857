"""What the contract says of each table and column, as plain values: its pages, its JSON and its picture are made of it.

Everything comes from the models and from the rights. What a model does not say of a column follows from its name and
type (the unit) or from its table (class and section); a test names what is missing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Enum,
    Float,
    FromClause,
    Integer,
    Numeric,
    Table,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import ExcludeConstraint

from portal.schema.base import Base, Privacy
from portal.schema.catalog import metadata
from portal.schema.roles import GRANTS, ROLES

DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]
NUMBERS = (Integer, BigInteger, Float, Numeric)
# By the last word of a number's name.
UNITS = {
    "cents": "US cents",
    "bytes": "bytes",
    "days": "days",
    "months": "months",
    "years": "years",
    "year": "calendar year",
    "latitude": "degrees north, WGS 84",
    "longitude": "degrees east, WGS 84",
    "width": "pixels",
    "height": "pixels",
    "attempts": "count",
    "count": "count",
    "dogs": "count",
    "score": "of a hundred",
    "id": "counted up",
    "number": "counted up",
    "issue": "counted up",
    "version": "counted up",
}
CITED = re.compile(r"(?<![\w.])\d+[A-Z]?\.\d+(?:\(\w+\))*")
# "((E)(3)(a)(i))" and "of (P)", in a table about 90.13.
WITHIN = re.compile(r"(?:(?<=\()|(?<=of ))\([A-Z]\)(?:\(\w+\))*")
RIGHT = re.compile(r"(\w+)(?: \(([^)]*)\))?")


@dataclass(frozen=True)
class DescribedColumn:
    name: str
    type: str
    words: tuple[str, ...]
    """The allowed values, where it is one of some words."""
    unit: str | None
    may_be_empty: bool
    default: str | None
    meaning: str
    privacy: Privacy
    sections: tuple[str, ...]
    points_at: tuple[str, ...]
    """Tables one of whose rows it names."""
    read_by: tuple[str, ...]
    added_by: tuple[str, ...]
    changed_by: tuple[str, ...]

    @property
    def written_by(self) -> tuple[str, ...]:
        return tuple(role for role in ROLES if role in self.added_by or role in self.changed_by)


@dataclass(frozen=True)
class DescribedTable:
    schema: str
    name: str
    meaning: str
    privacy: Privacy
    sections: tuple[str, ...]
    columns: tuple[DescribedColumn, ...]
    key: tuple[str, ...]
    checks: dict[str, str]
    unique: tuple[str, ...]
    exclusions: tuple[str, ...]
    rights: dict[str, str]
    topic: str
    """The module of the models that it stands in."""

    @property
    def fullname(self) -> str:
        return f"{self.schema}.{self.name}"


def described() -> list[DescribedTable]:
    """Every table, in the order of its name."""
    topics = {str(one.local_table): one.class_.__module__.rpartition(".")[2] for one in Base.registry.mappers}
    tables = sorted(metadata.tables.values(), key=lambda table: table.fullname)
    return [_table(table, topics[table.fullname]) for table in tables]


def undecided() -> list[str]:
    """What somebody has to decide and write into a model, in words that say how."""
    return [said for table in metadata.tables.values() for said in _undecided(table)]


def cited(section: str) -> str:
    """A section as it is quoted: chapter 90 is the city code's, the rest are Minnesota's statutes."""
    return section if section.startswith("90.") else f"Minn. Stat. {section}"


def _undecided(table: Table) -> Iterator[str]:
    module = f"the __table_args__ of {table.fullname}"
    if not {"privacy", "section"} <= set(table.info):
        yield (
            f'{module}: add "info": private("90.04") with the section it is about (public and confidential are the '
            "other classes; all three are in portal.schema.base)"
        )
    for name in set(_but_public(table)) - set(table.columns.keys()):
        yield f"{module}: but_public names {name}, which is no column"
    for column in table.columns:
        if isinstance(column.type, NUMBERS) and _unit(column) is None:
            yield f'{table.fullname}.{column.name}: in what is it counted? Add info=counted_in("days") to the column'
        if not column.comment:
            yield f"{table.fullname}.{column.name}: add its sentence as comment="
    if not table.comment:
        yield f"{module}: add its sentence as comment"
    if table.fullname not in GRANTS:
        yield f"{table.fullname}: say in portal.schema.roles who may use it"


def _table(table: Table, topic: str) -> DescribedTable:
    return DescribedTable(
        schema=str(table.schema),
        name=table.name,
        meaning=table.comment or "",
        privacy=_privacy_of(table),
        sections=tuple(_section_of(table)),
        columns=tuple(_column(column, table) for column in table.columns),
        key=tuple(column.name for column in table.primary_key),
        checks=dict(sorted(_checks(table))),
        unique=tuple(sorted(_unique(table))),
        exclusions=tuple(_exclusions(table)),
        rights={role: said for role in ROLES if (said := _rights(table, role))},
        topic=topic,
    )


def _column(column: Column[Any], table: Table) -> DescribedColumn:
    return DescribedColumn(
        name=column.name,
        type=type_of(column),
        words=tuple(column.type.enums) if isinstance(column.type, Enum) else (),
        unit=_unit(column),
        may_be_empty=bool(column.nullable),
        default=_default(column),
        meaning=column.comment or "",
        privacy=_privacy(column, table),
        sections=_sections(column, table),
        points_at=tuple(sorted(key.column.table.fullname for key in column.foreign_keys)),
        read_by=_allowed("SELECT", column),
        added_by=_allowed("INSERT", column),
        changed_by=_allowed("UPDATE", column),
    )


def type_of(column: Column[Any]) -> str:
    return str(column.type.compile(dialect=DIALECT))


def _default(column: Column[Any]) -> str | None:
    if column.identity is not None:
        return "counted up"
    if column.server_default is None:
        return None
    said = column.server_default.arg  # type: ignore[attr-defined]
    return str(said) if isinstance(said, str) else str(said.compile(dialect=DIALECT))


def _privacy(column: Column[Any], table: Table) -> Privacy:
    if column.name in _but_public(table):
        return Privacy.PUBLIC
    return Privacy(column.info["privacy"]) if "privacy" in column.info else _privacy_of(table)


def _privacy_of(table: Table) -> Privacy:
    """Whatever nobody has classed yet is for nobody."""
    return Privacy(table.info.get("privacy", Privacy.CONFIDENTIAL.value))


def _but_public(table: Table) -> list[str]:
    return str(table.info.get("but_public", "")).split()


def _section_of(table: Table) -> Iterator[str]:
    if "section" in table.info:
        yield str(table.info["section"])


def _rights(table: FromClause, role: str) -> str:
    return GRANTS.get(str(table), {}).get(role, "")


def _sections(column: Column[Any], table: Table) -> tuple[str, ...]:
    """Those its sentence cites, and otherwise that of its table."""
    sentence = column.comment or ""
    of_the_table = tuple(_section_of(table))
    within = [f"{section.partition('(')[0]}{part}" for section in of_the_table for part in WITHIN.findall(sentence)]
    return tuple(dict.fromkeys([*CITED.findall(sentence), *within])) or of_the_table


def _unit(column: Column[Any]) -> str | None:
    if "unit" in column.info:
        return str(column.info["unit"])
    if isinstance(column.type, DateTime):
        return "instant"
    if isinstance(column.type, Date):
        return "day in the city"
    return UNITS.get(column.name.rpartition("_")[2]) if isinstance(column.type, NUMBERS) else None


def _allowed(right: str, column: Column[Any]) -> tuple[str, ...]:
    return tuple(
        role
        for role in ROLES
        for name, columns in RIGHT.findall(_rights(column.table, role))
        if name == right and (not columns or column.name in columns.split(", "))
    )


def _checks(table: Table) -> Iterator[tuple[str, str]]:
    for constraint in table.constraints:
        # The checks of our words are told with their column.
        if isinstance(constraint, CheckConstraint) and not constraint._type_bound:
            yield str(constraint.name), str(constraint.sqltext)


def _unique(table: Table) -> Iterator[str]:
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            alike = constraint.dialect_options["postgresql"]["nulls_not_distinct"]
            yield ", ".join(column.name for column in constraint.columns) + (" (empty ones are alike)" if alike else "")
    for index in (one for one in table.indexes if one.unique):
        where = index.dialect_options["postgresql"]["where"]
        only = f" where {where}" if where is not None else ""
        yield f"{', '.join(str(part.name) for part in index.columns)}{only}"


def _exclusions(table: Table) -> Iterator[str]:
    for exclusion in (one for one in table.constraints if isinstance(one, ExcludeConstraint)):
        agree = " and ".join(f"{part} {operator}" for part, _, operator in exclusion._render_exprs)
        yield f"{agree} where {exclusion.where}"

"""What every table shares: names of constraints, keys, words and instants."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from sqlalchemy import DateTime, Enum, MetaData, Text, func, text
from sqlalchemy.orm import DeclarativeBase, mapped_column

ANIMAL_CONTROL = "animal_control"
CONFIDENTIAL = "confidential"
PORTAL = "portal"
SCHEMAS = (ANIMAL_CONTROL, CONFIDENTIAL, PORTAL)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """One catalog of tables over the three schemas."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {str: Text}  # noqa: RUF012 - SQLAlchemy reads it from the class


Key = Annotated[
    UUID,
    mapped_column(
        primary_key=True,
        server_default=text("gen_random_uuid()"),
        sort_order=-1,
        comment="Unguessable key; safe to show in an address.",
    ),
]
Instant = Annotated[datetime, mapped_column(DateTime(timezone=True))]
Created = Annotated[
    datetime,
    mapped_column(DateTime(timezone=True), server_default=func.now(), sort_order=90, comment="When the row was made."),
]


class Privacy(StrEnum):
    """How software that uses the schema treats what stands in a column (Minn. Stat. 13.02).

    It is about handling and is the same or stricter than the law. What the city answers to somebody who asks for data
    is for its responsible authority to say (13.03).
    """

    PUBLIC = "public"
    """May be shown to anybody."""
    PRIVATE = "private"
    """For whom it is about, and for staff whose work needs it."""
    CONFIDENTIAL = "confidential"
    """For staff whose work needs it, and not even for whom it is about."""


def public(section: str) -> dict[str, str]:
    """Class and section of a table or of a column that differs from its table."""
    return {"privacy": Privacy.PUBLIC.value, "section": section}


def private(section: str, *, but_public: str = "") -> dict[str, str]:
    """The same. A table has the class of its strictest column; it names those that anybody may see."""
    return {"privacy": Privacy.PRIVATE.value, "section": section, "but_public": but_public}


def confidential(section: str) -> dict[str, str]:
    return {"privacy": Privacy.CONFIDENTIAL.value, "section": section}


def counted_in(unit: str) -> dict[str, str]:
    """The unit of a number whose name does not say it; the class is that of its table."""
    return {"unit": unit}


def words(enum: type[StrEnum]) -> Enum:
    """A column of fixed words: plain text with a check, readable and extendable by other software."""
    return Enum(
        enum,
        native_enum=False,
        create_constraint=True,
        length=40,
        name=enum.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],
    )

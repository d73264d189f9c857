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

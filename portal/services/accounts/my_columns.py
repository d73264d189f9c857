"""Whose data is asked for, and the two ways it is selected: one's own rows, and those of the animals one keeps."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select

from portal.schema.animals import Animal, Keeper


@dataclass(frozen=True)
class Who:
    """The signed-in person."""

    account_id: UUID
    email: str
    email_key: str
    person_id: UUID | None


def columns_of(model: type[Any], names: str) -> Select[Any]:
    """The named columns of a table."""
    return select(*(getattr(model, name) for name in names.split()))


def kept_now(who: Who) -> tuple[ColumnElement[bool], ...]:
    """Of those who keep an animal, this person, as long as they do."""
    return Keeper.person_id == who.person_id, Keeper.until.is_(None)


def of_my_animals(found: Select[Any], animal_id: Any, who: Who) -> Select[Any]:
    """With the animal's name, for those this person keeps now."""
    named = found.add_columns(Animal.name.label("animal")).join(Animal, Animal.id == animal_id)
    return named.join(Keeper, Keeper.animal_id == Animal.id).where(*kept_now(who)).order_by(Animal.name)

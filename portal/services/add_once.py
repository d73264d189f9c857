"""Add a row under a key that is known before, like that of its form: the same again adds nothing (R1)."""

from typing import Any, TypeVar

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.base import Base

Row = TypeVar("Row", bound=Base)


def add_once(session: Session, model: type[Row], **values: Any) -> Row | None:
    """The row as it was added; None when one with its key is there. A twin waits here for the first."""
    added = insert(model).values(**values).on_conflict_do_nothing().returning(model)
    return session.scalar(added)

"""For machines: is the process alive, and can it do its work."""

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from portal.schema import migrate
from portal.views.access import Access, open_to
from portal.views.work import reading

blueprint = Blueprint("health", __name__)

VERSION = text("SELECT version_num FROM portal.alembic_version")


@blueprint.get("/health/live")
@open_to(Access.MACHINE)
def live() -> ResponseReturnValue:
    """The process answers."""
    return {"status": "ok"}


@blueprint.get("/health/ready")
@open_to(Access.MACHINE)
def ready() -> ResponseReturnValue:
    """The database answers and has a schema this code can work with; 503 says what is wrong."""
    try:
        found = _schema_found()
    except SQLAlchemyError:
        return {"status": "unavailable", "database": "does not answer"}, 503
    if not migrate.standing(found).can_be_worked_with:
        return {"status": "unavailable", "database": migrate.in_words(found)}, 503
    return {"status": "ok", "database": migrate.in_words(found)}


def _schema_found() -> str | None:
    """The revision on record; a database that was never migrated has none."""
    try:
        found: str | None = reading().scalar(VERSION)
    except ProgrammingError:
        return None
    return found

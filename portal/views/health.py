"""For machines: is the process alive, and can it do its work."""

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

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
    """The database answers and has the schema this code expects; 503 says what is wrong."""
    try:
        found = reading().scalar(VERSION)
    except SQLAlchemyError:
        return {"status": "unavailable", "database": "does not answer"}, 503
    if found != migrate.head():
        return {"status": "unavailable", "database": f"schema {found}, expected {migrate.head()}"}, 503
    return {"status": "ok"}

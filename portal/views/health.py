"""For machines: is the process alive, and can it do its work."""

from typing import cast

from flask import Blueprint, Flask, current_app
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from portal.gateways.storage.probe import StorageProbe
from portal.gateways.storage.store import Storage
from portal.schema import migrate
from portal.services.watching.measuring import measure
from portal.services.watching.readiness import Readiness, shared_parts
from portal.views.access import Access, open_to
from portal.views.work import gateways, reading

blueprint = Blueprint("health", __name__)

PROBE = "portal_storage_probe"
VERSION = text("SELECT version_num FROM portal.alembic_version")


@blueprint.get("/health/live")
@open_to(Access.MACHINE)
def live() -> ResponseReturnValue:
    """The process answers."""
    return alive()


@blueprint.get("/health/ready")
@open_to(Access.MACHINE)
def ready() -> ResponseReturnValue:
    """200 while this process can answer people, also where something that all share does not work; 503 if it can't."""
    return as_answer(readiness())


def alive() -> ResponseReturnValue:
    return {"status": "ok"}


def as_answer(found: Readiness) -> ResponseReturnValue:
    return {"status": found.status, "database": found.database, **found.shared}, 200 if found.is_able else 503


def init_app(app: Flask, storage: Storage) -> None:
    app.extensions[PROBE] = StorageProbe(storage)


def readiness() -> Readiness:
    """How this application stands."""
    try:
        schema = _schema_found()
        if not migrate.standing(schema).can_be_worked_with:
            return Readiness(migrate.in_words(schema), is_able=False)
        measured = measure(reading(), clock=gateways().clock)
    except SQLAlchemyError:
        return Readiness("does not answer", is_able=False)
    probe = cast(StorageProbe, current_app.extensions[PROBE])
    return Readiness(migrate.in_words(schema), shared_parts(measured, probe, clock=gateways().clock))


def _schema_found() -> str | None:
    """The revision on record; a database that was never migrated has none."""
    try:
        found: str | None = reading().scalar(VERSION)
    except ProgrammingError:
        return None
    return found

"""A request's two sessions: one that only reads, and one transaction that commits at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import Flask, current_app, g, request
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.database.connections import reading as reading_engine
from portal.views import replicas

EXTENSION = "portal"


class ForgedForm(Exception):
    """A browser's form reached a transaction without its token having been checked: a mistake of ours."""


def gateways() -> Gateways:
    return cast(Gateways, current_app.extensions[EXTENSION])


def reading() -> Session:
    """The request's session for looking. It holds no transaction; what it loads is not written back.

    A page that only looks may be shown what a replica holds; see `replicas`.
    """
    if "reading" not in g:
        g.reading_connection = replicas.connection(gateways().replica) or _primary().connect()
        g.reading = Session(g.reading_connection, expire_on_commit=False, autoflush=False)
    return cast(Session, g.reading)


@contextmanager
def reading_while_sending() -> Iterator[Session]:
    """A session for looking that outlives the request: an answer that is sent as it is read needs it to its end."""
    engine = current_app.extensions["portal_reading"]
    with engine.connect() as connection, Session(connection, expire_on_commit=False, autoflush=False) as session:
        yield session


@contextmanager
def transaction() -> Iterator[Session]:
    """Commit all of what the block did, or none of it, before the answer leaves."""
    if request.method == "POST" and not g.get("sender_is_known", False):
        raise ForgedForm(request.endpoint)
    with Session(gateways().engine, expire_on_commit=False) as session:
        try:
            yield session
            session.commit()
        except BaseException:
            session.rollback()
            raise
    replicas.remember(gateways().replica)


def _primary() -> Engine:
    return cast(Engine, current_app.extensions["portal_reading"])


def let_go_of_reading() -> None:
    """Give the connection back before something slow, so that nobody waits for it; looking again takes another."""
    _close(None)


def _close(_failure: BaseException | None) -> None:
    if session := g.pop("reading", None):
        session.close()
    if connection := g.pop("reading_connection", None):
        connection.close()


def init_app(app: Flask, parts: Gateways) -> None:
    app.extensions[EXTENSION] = parts
    app.extensions["portal_reading"] = reading_engine(parts.engine)
    app.teardown_request(_close)
    if parts.replica is not None:
        replicas.init_app(app, parts.replica)

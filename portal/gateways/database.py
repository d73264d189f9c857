"""Connections to PostgreSQL, each taking the one role its process has."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, Executable, Row, create_engine, event
from sqlalchemy.orm import Session

CONNECT_TIMEOUT_S = 5
STATEMENT_TIMEOUT_MS = 15_000
LOCK_TIMEOUT_MS = 5_000
IDLE_IN_TRANSACTION_MS = 30_000


def connect(url: str, *, role: str, pool_size: int = 10) -> Engine:
    """An engine whose every connection acts as `role` and never waits without end."""
    options = {
        "role": role,
        "timezone": "UTC",
        "statement_timeout": STATEMENT_TIMEOUT_MS,
        "lock_timeout": LOCK_TIMEOUT_MS,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_MS,
    }
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=5,
        pool_pre_ping=True,
        hide_parameters=True,  # a failure's message goes to the log, and parameters tell of people
        connect_args={
            "connect_timeout": CONNECT_TIMEOUT_S,
            "application_name": role,
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
        },
    )
    event.listen(engine, "handle_error", _keep_rows_out_of_messages)
    return engine


def _keep_rows_out_of_messages(context: ExceptionContext) -> None:
    """PostgreSQL adds the failing row to its message, and the message goes to the log: keep what it says first."""
    primary = getattr(getattr(context.original_exception, "diag", None), "message_primary", None)
    if primary:
        context.original_exception.args = (primary,)
        if context.sqlalchemy_exception:
            context.sqlalchemy_exception.args = (f"({type(context.original_exception).__name__}) {primary}",)


def reading(engine: Engine) -> Engine:
    """The same pool without transactions: half the round trips for pages that only read."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def rows(session: Session, statement: Executable, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
    """What a statement made beforehand finds, as plain rows: half the work of loading objects, on every page."""
    connection = session.bind if isinstance(session.bind, Connection) else session.connection()
    return connection.execute(statement, values).all()

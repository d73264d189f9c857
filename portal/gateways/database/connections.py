"""Connections to PostgreSQL, each taking the one role its process has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Engine, ExceptionContext, Executable, Row, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from portal.schema.roles import DESK, WEB, WORKER
from portal.settings import POOLER

CONNECT_TIMEOUT_S = 5
CONNECTIONS = 17  # at most, for each process; more than it has threads, each of which may hold two
# A host that went away without a word is noticed after about as long as a page may take.
VANISHED = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 15_000}
WHO_AM_I = "SELECT current_user, current_setting('statement_timeout') <> '0'"


@dataclass(frozen=True)
class TimeOuts:
    """How long one process lets a statement run, waits for a lock, and leaves a transaction lying."""

    statement_ms: int
    lock_ms: int
    idle_in_transaction_ms: int = 30_000  # an open transaction holds up everybody who follows the feed

    def settings(self) -> dict[str, str]:
        """The same as settings of PostgreSQL, with what every connection has: the clock, no compiler and no helpers.

        A page's statements take milliseconds: compiling one of many parts took half a second, and starting helpers for
        each of its parts ten milliseconds, of cores that serve others.
        """
        return {
            "timezone": "UTC",
            "jit": "off",
            "max_parallel_workers_per_gather": "0",
            "statement_timeout": str(self.statement_ms),
            "lock_timeout": str(self.lock_ms),
            "idle_in_transaction_session_timeout": str(self.idle_in_transaction_ms),
        }


# Somebody waits for a page; an export of the desk and the worker's sweeping look at everything there is.
TIME_OUTS = {
    WEB: TimeOuts(statement_ms=15_000, lock_ms=5_000),
    DESK: TimeOuts(statement_ms=60_000, lock_ms=5_000),
    WORKER: TimeOuts(statement_ms=120_000, lock_ms=10_000),
}
OF_OTHERS = TIME_OUTS[WEB]


class WrongLogin(SQLAlchemyError):
    """A login behind a pooler that does not act as this process must; it would have other rights, or wait for ever."""


def connect(url: str, *, role: str, pool_size: int = CONNECTIONS) -> Engine:
    """An engine whose every connection acts as `role` and never waits without end.

    Connections stay open once they were needed: each plans its first ten of a page's statements anew, which takes four
    times as long as a statement that is planned.
    """
    address = make_url(url)
    pooler = address.query.get(POOLER)
    arguments = _as_its_login_is(pooler) if pooler else _as_told_here(role)
    engine = create_engine(
        address.difference_update_query([POOLER]),
        pool_size=pool_size,
        max_overflow=CONNECTIONS - pool_size,
        pool_pre_ping=True,
        pool_use_lifo=True,  # the one used last: its statements are prepared and its caches are warm
        hide_parameters=True,  # a failure's message goes to the log, and parameters tell of people
        connect_args={"connect_timeout": CONNECT_TIMEOUT_S, "application_name": role} | VANISHED | arguments,
    )
    event.listen(engine, "handle_error", _keep_rows_out_of_messages)
    if pooler:
        event.listen(engine, "connect", _only_as(role))
    return engine


def is_pooled(url: str) -> bool:
    """Whether a pooler hands out the connections there, a transaction at a time."""
    return POOLER in make_url(url).query


def plain(url: str) -> URL:
    """The address for whoever connects without `connect`."""
    return make_url(url).difference_update_query([POOLER])


def _as_told_here(role: str) -> dict[str, Any]:
    options = {"role": role} | TIME_OUTS.get(role, OF_OTHERS).settings()
    return {"options": " ".join(f"-c {name}={value}" for name, value in options.items())}


def _as_its_login_is(pooler: str | tuple[str, ...]) -> dict[str, Any]:
    """A pooler in transaction mode takes no options: role and time-outs belong to the login (`schema.logins`)."""
    return {} if pooler == "transaction-prepared" else {"prepare_threshold": None}


def _only_as(role: str) -> Any:
    def look(connection: Any, _record: object) -> None:
        name, has_time_outs = connection.execute(WHO_AM_I).fetchone()
        connection.rollback()
        if name != role or not has_time_outs:
            raise WrongLogin(f"Behind the pooler this login acts as {name}; make one with `portal login` for {role}")

    return look


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

"""What the application does with its database: how many statements, whether what it writes is committed, and how many
connections a request holds at once."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from portal.composition import Gateways

WRITES = ("INSERT", "UPDATE", "DELETE", "MERGE")
# Counted at once and kept even when the request fails: attempts are what is counted.
COUNTED_AT_ONCE = "rate_limit"
# What it looks with, and its transaction; `portal.serving.server.THREADS` counts on it.
HELD_AT_MOST = 2
HOLDER = "held by the thread"


@dataclass
class Statements:
    """The statements sent while watching, in order."""

    sent: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sent)


@dataclass
class Watch:
    """Listens to one engine and everything derived from it."""

    listeners: list[Statements] = field(default_factory=list)
    unguarded: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    held_most: int = 0
    _written: dict[int, list[str]] = field(default_factory=dict)
    _held: Counter[int] = field(default_factory=Counter)

    def attach(self, engine: Engine) -> None:
        event.listen(engine, "checkout", self._on_checkout)
        event.listen(engine, "checkin", self._on_checkin)
        event.listen(engine, "before_cursor_execute", self._on_statement)
        event.listen(engine, "commit", self._on_commit)
        event.listen(engine, "rollback", self._on_rollback)

    @contextmanager
    def counting(self) -> Iterator[Statements]:
        """Collect the statements sent meanwhile."""
        statements = Statements()
        self.listeners.append(statements)
        try:
            yield statements
        finally:
            self.listeners.remove(statements)

    def check(self, *, status: int) -> None:
        """After an answer: all that was written went through `transaction()`, and a good answer means it is kept."""
        unguarded, lost, held_most = self.unguarded[:], self.lost[:], self.held_most
        self.clear()
        assert held_most <= HELD_AT_MOST, "more connections at once than threads may count on"
        assert unguarded == [], "written through the session that only reads"
        assert status >= 400 or lost == [], f"answered {status}, but what was written was not committed"

    def clear(self) -> None:
        self.unguarded.clear()
        self.lost.clear()
        self.held_most = 0

    def _on_checkout(self, _dbapi: object, record: ConnectionPoolEntry, _proxy: object) -> None:
        holder = record.record_info[HOLDER] = threading.get_ident()
        self._held[holder] += 1
        self.held_most = max(self.held_most, self._held[holder])

    def _on_checkin(self, _dbapi: object, record: ConnectionPoolEntry) -> None:
        self._held[record.record_info.pop(HOLDER)] -= 1

    def _on_statement(self, connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        for listener in self.listeners:
            listener.sent.append(statement)
        if not statement.lstrip().upper().startswith(WRITES) or COUNTED_AT_ONCE in statement:
            return
        if connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT":
            self.unguarded.append(statement)
        else:
            self._written.setdefault(id(connection), []).append(statement)

    def _on_commit(self, connection: Connection) -> None:
        self._written.pop(id(connection), None)

    def _on_rollback(self, connection: Connection) -> None:
        self.lost += self._written.pop(id(connection), [])


@pytest.fixture(scope="session")
def session_watch() -> Watch:
    return Watch()


@pytest.fixture
def watch(gateways: Gateways, session_watch: Watch) -> Iterator[Watch]:
    """What the application's engine does during this test."""
    session_watch.clear()
    yield session_watch
    assert session_watch.unguarded == [], "written through the session that only reads"


@pytest.fixture
def queries(watch: Watch) -> Callable[[], AbstractContextManager[Statements]]:
    """`with queries() as counted: ...` and then `len(counted)`, `counted.sent`."""
    return watch.counting

"""A copy of the database for pages that only read: used while it is known to hold what its reader must see.

PostgreSQL numbers all that it writes (the LSN). A thread asks the primary how far it is and the copy how far it has
come. The copy is used while it holds all that was committed a few seconds ago, and for whoever wrote something
themselves only once it holds that too. When in doubt, and when it does not answer, the primary is read.
"""

import logging
import threading
import time
from contextlib import suppress

from sqlalchemy import Connection, Engine, TextClause, text
from sqlalchemy.exc import SQLAlchemyError

from portal.gateways.database.connections import connect, reading

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
MOST_BEHIND_SECONDS = 5.0
# Of what a copy may be behind, how much passes before the primary is nudged.
PATIENCE = 0.3

# What is committed is flushed, and what is flushed goes out. What was written and not committed, or only tidies up, may
# lie there unflushed: nobody misses it, so a copy without it is up to date.
FLUSHED = text("SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint")
# Where commits wait for no disk one's own may lie beyond what is flushed.
WRITTEN = text(
    "SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()"
    " ELSE pg_current_wal_flush_lsn() END - '0/0')::bigint"
)
# Full pages are flushed early, and the last of them may end amid what nobody has committed: the copy can't replay half
# of it, and the rest would go out only with the next snapshot, up to 15 s later. A transaction with a number of its own
# ends with a line of its own, and takes all before it along.
NUDGE = text("SELECT pg_current_xact_id()")
# A copy that was made the primary is one no more.
REPLAYED = text("SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END")


class Replica:
    """One process's view of the copy."""

    def __init__(
        self, primary: Engine, url: str, *, role: str, most_behind_seconds: float = MOST_BEHIND_SECONDS
    ) -> None:
        self._primary = reading(primary)
        self._engine = reading(connect(url, role=role))
        self._most_behind_seconds = most_behind_seconds
        self._replayed = 0
        self._mark: tuple[float, int] | None = None
        self._is_nudged = False
        self._held_at = float("-inf")
        self._is_in_doubt = True
        self._stopping = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="replica", daemon=True)
        self._watching.start()

    def connection(self, *, holding: int) -> Connection | None:
        """A connection to the copy if it holds what was written up to there; None when the primary is to be read."""
        if not self.holds(holding):
            return None
        try:
            return self._engine.connect()
        except SQLAlchemyError:
            self.doubt()
            return None

    def holds(self, position: int) -> bool:
        """Whether the copy may be read by somebody who has seen what was written up to there."""
        is_fresh = time.monotonic() - self._held_at <= self._most_behind_seconds
        return is_fresh and not self._is_in_doubt and position <= self._replayed

    def doubt(self) -> None:
        """It failed: leave it alone until it answers again."""
        self._is_in_doubt = True

    def written(self) -> int:
        """How far the primary is now: what was committed before lies below."""
        return self._told(WRITTEN)

    def close(self) -> None:
        """Stop looking, and let go of the copy."""
        self._stopping.set()
        self._watching.join()
        self._engine.dispose()

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            try:
                self._look()
            except SQLAlchemyError as failure:
                if not self._is_in_doubt:
                    log.warning("the replica is left alone: %s", failure)
                self.doubt()

    def _look(self) -> None:
        if self._mark is None:
            now = time.monotonic()
            # While the primary does not answer nothing is accepted, so what the copy holds stays the newest there is.
            with suppress(SQLAlchemyError):
                self._mark = (now, self._told(FLUSHED))
        with self._engine.connect() as connection:
            replayed = connection.scalar(REPLAYED)
        if replayed is None:
            self.doubt()
            return
        self._replayed = int(replayed)
        if self._mark is None:
            self._held_at = time.monotonic() if self.holds(0) else self._held_at
        elif self._replayed >= self._mark[1]:
            (self._held_at, _), self._mark, self._is_nudged = self._mark, None, False
        elif not self._is_nudged and time.monotonic() - self._mark[0] > PATIENCE * self._most_behind_seconds:
            self._nudge()
        self._is_in_doubt = False

    def _nudge(self) -> None:
        """Once for each mark: a copy that is really behind is not helped by more."""
        self._is_nudged = True
        with suppress(SQLAlchemyError), self._primary.connect() as connection:
            connection.execute(NUDGE)

    def _told(self, position: TextClause) -> int:
        with self._primary.connect() as connection:
            return int(connection.scalar(position))

"""An example of city software that follows the portal: its own list of the dog licenses that are in force.

    pip install "psycopg[binary]"
    python follow_licenses.py postgresql://city_software@database/portal licenses.sqlite

The account it signs in with is a member of the role `city_desk`, and only reads. What it keeps stands in a database of
its own, here SQLite, together with the cursor of the last event it dealt with, in one transaction. So it may be killed
at any moment and started again: it goes on where it was, misses nothing and does nothing twice.
"""

import sqlite3
import sys
from typing import NamedTuple

import psycopg
from psycopg.rows import namedtuple_row

# Events are read in the order of their transactions, and only those before which nothing more can come.
NEXT_EVENTS = """
    SELECT id, kind, subject_id FROM animal_control.event
    WHERE transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    AND (transaction_id, id) > (coalesce((SELECT transaction_id FROM animal_control.event WHERE id = %(cursor)s),
                                         -9223372036854775808), %(cursor)s)
    ORDER BY transaction_id, id LIMIT 500
"""
# An event says that something happened. How things stand now is in the row, which may have changed again since.
LICENSE = "SELECT id, year, number, state, valid_until FROM animal_control.license WHERE id = %s"
OWN_TABLES = """
    CREATE TABLE IF NOT EXISTS license (id TEXT PRIMARY KEY, year INTEGER, number INTEGER, valid_until TEXT);
    CREATE TABLE IF NOT EXISTS progress (only INTEGER PRIMARY KEY CHECK (only = 1), cursor INTEGER);
    INSERT OR IGNORE INTO progress VALUES (1, 0);
"""
# Nobody announces that the last earlier transaction has ended: look again after a second.
LOOK_SECONDS = 1


def follow(portal: psycopg.Connection, own: sqlite3.Connection) -> None:
    """Keep the list up to date until interrupted."""
    own.executescript(OWN_TABLES)
    portal.execute("LISTEN animal_control_event")
    while True:
        while take_next(portal, own):
            pass
        for _ in portal.notifies(timeout=LOOK_SECONDS, stop_after=1):
            pass


def take_next(portal: psycopg.Connection, own: sqlite3.Connection) -> bool:
    """Deal with the next events, if there are any: what they change and how far we are, or neither."""
    (cursor,) = own.execute("SELECT cursor FROM progress").fetchone()
    events = portal.execute(NEXT_EVENTS, {"cursor": cursor}).fetchall()
    with own:
        for event in events:
            if event.kind.startswith("license."):
                write_down(own, portal.execute(LICENSE, [event.subject_id]).fetchone())
            own.execute("UPDATE progress SET cursor = ?", [event.id])
    return bool(events)


def write_down(own: sqlite3.Connection, row: NamedTuple) -> None:
    """Doing it twice does it once."""
    own.execute("DELETE FROM license WHERE id = ?", [str(row.id)])
    if row.state == "issued":
        known = [str(row.id), row.year, row.number, row.valid_until.isoformat()]
        own.execute("INSERT INTO license VALUES (?, ?, ?, ?)", known)


if __name__ == "__main__":
    database, file = sys.argv[1:]
    with psycopg.connect(database, autocommit=True, row_factory=namedtuple_row) as portal, sqlite3.connect(file) as own:
        try:
            follow(portal, own)
        except KeyboardInterrupt:
            sys.exit(0)

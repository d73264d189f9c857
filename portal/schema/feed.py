"""The order of the feed after a database was restored from a dump.

Events are read in the order of their transactions. A restored database counts its transactions anew, so what happens
in it would come before what is on record and be missed by whoever follows. All numbers on record are therefore moved
below the new ones, by the same amount: the order stays, and with it every cursor, which is the `id` of an event.
"""

from sqlalchemy import Connection, text

COMES_FROM_ELSEWHERE = text("""
    SELECT max(transaction_id) > greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id())::text::bigint
    FROM animal_control.event
""")
MOVE_BELOW = (
    "ALTER TABLE animal_control.event DISABLE TRIGGER event_is_append_only",
    "UPDATE animal_control.event SET transaction_id = transaction_id - 1 - (SELECT max(transaction_id) "
    "FROM animal_control.event)",
    "ALTER TABLE animal_control.event ENABLE TRIGGER event_is_append_only",
)


def settle(connection: Connection) -> None:
    """Part of every migration; does nothing but in a database that was restored."""
    if not connection.scalar(text("SELECT to_regclass('animal_control.event')")):
        return
    if connection.scalar(COMES_FROM_ELSEWHERE):
        for statement in MOVE_BELOW:
            connection.execute(text(statement))

"""The feed as other software follows it: whoever reads on from the last event they have misses none and has none twice.

The writers are connections in the portal's own roles, the reader is one in the city's.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from portal.gateways.database.connections import connect
from portal.schema.migrate import upgrade
from portal.schema.roles import DESK, ROLES, WEB, WORKER
from portal.services.read_events import RestoredFeed, UnknownCursor, check_cursor, events_after, newest

EVENT = "(kind, subject_table, subject_id, actor) VALUES ('tried', 'animal', gen_random_uuid(), '{0}')"
WRITE = f"INSERT INTO animal_control.event {EVENT}"
WRITES = 10_400  # of which one in a hundred is taken back
WRITERS = 8
# One transaction each, done by the server itself. Some take their number early, some late, and some take their time.
MANY_WRITES = """
DO $$
DECLARE how float;
BEGIN
    FOR turn IN 1..{writes} LOOP
        how := random();
        IF how < 0.3 THEN PERFORM pg_current_xact_id(); END IF;
        IF how < 0.01 THEN PERFORM pg_sleep(random() * 0.01); END IF;
        INSERT INTO animal_control.event (kind, subject_table, subject_id, actor)
            VALUES ('tried', 'animal', gen_random_uuid(), '{name}:' || turn);
        IF how > 0.99 THEN PERFORM pg_sleep(random() * 0.01); END IF;
        IF how > 0.95 AND how < 0.96 THEN ROLLBACK; ELSE COMMIT; END IF;
    END LOOP;
END $$
"""


@pytest.fixture
def reader(database) -> Iterator[Engine]:
    engine = connect(database.url, role=DESK, pool_size=1)
    yield engine
    engine.dispose()


@contextmanager
def writing(database, role: str = WEB) -> Iterator[psycopg.Connection]:
    """A connection of another program, with a transaction it ends when it likes."""
    with psycopg.connect(database.url.replace("+psycopg", ""), options=f"-c role={role}") as connection:
        yield connection
        connection.rollback()


def read_on(reader: Engine, cursor: int = 0, limit: int = 500) -> list:
    with Session(reader) as session:
        return list(events_after(session, cursor, limit=limit))


def test_a_reader_misses_none_of_ten_thousand_events_that_are_written_meanwhile(database, reader):
    def write(number: int) -> None:
        with psycopg.connect(database.url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f"SET ROLE {ROLES[number % len(ROLES)]}")
            connection.execute(MANY_WRITES.format(writes=WRITES // WRITERS, name=f"writer {number}"))

    read: list[int] = []
    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(write, number) for number in range(WRITERS)]
        while not all(writer.done() for writer in writers):
            read += [event.id for event in read_on(reader, read[-1] if read else 0, limit=97)]
        for writer in writers:
            writer.result()
    before_the_end = len(read)
    while found := read_on(reader, read[-1] if read else 0):
        read += [event.id for event in found]
    kept = [row.id for row in database.rows("SELECT id FROM animal_control.event")]
    assert len(kept) > 10_000
    assert sorted(read) == sorted(kept)
    assert before_the_end > 100, "the reader was to read while it was written"
    assert read != sorted(read), "some were to be read out of the order of their numbers"


def test_an_event_that_is_committed_after_a_later_number_is_not_missed(database, reader):
    """Whoever remembers the highest `id` alone would pass over it."""
    with writing(database) as slow, writing(database) as quick:
        slow.execute(WRITE.format("slow"))
        quick.execute(WRITE.format("quick"))
        quick.commit()
        assert read_on(reader) == []
        slow.commit()
    assert [event.actor for event in read_on(reader)] == ["slow", "quick"]


def test_the_order_is_that_of_transactions_and_a_cursor_goes_on_within_it(database, reader):
    """The one that began first took its number last, and a third is still under way while the reader reads."""
    with writing(database) as first, writing(database) as second, writing(database) as third:
        first.execute("SELECT pg_current_xact_id()")
        second.execute("SELECT pg_current_xact_id()")
        third.execute("SELECT pg_current_xact_id()")
        third.execute(WRITE.format("third"))
        second.execute(WRITE.format("second"))
        first.execute(WRITE.format("first"))
        first.commit()
        (read,) = read_on(reader)
        assert read.actor == "first"
        third.commit()
        assert read_on(reader, read.id) == []
        second.commit()
    (next_one, last) = read_on(reader, read.id)
    assert [next_one.actor, last.actor] == ["second", "third"]
    assert last.id < next_one.id < read.id
    assert [event.actor for event in read_on(reader, next_one.id)] == ["third"]
    assert read_on(reader, last.id) == []


def test_what_is_taken_back_is_never_read(database, reader):
    with writing(database) as one:
        one.execute(WRITE.format("taken back"))
    assert read_on(reader) == []


def test_whoever_wants_only_what_comes_begins_at_the_newest(database, reader):
    database.run(WRITE.format("before"))
    with Session(reader) as session:
        cursor = newest(session)
    database.run(WRITE.format("after"))
    assert [event.actor for event in read_on(reader, cursor)] == ["after"]


@pytest.mark.parametrize("column", ["id", "transaction_id", "happened_at"])
@pytest.mark.parametrize("role", ROLES)
def test_no_writer_chooses_where_in_the_feed_an_event_stands(database, role, column):
    """One with a number of long ago would be written behind every reader."""
    value = "now()" if column == "happened_at" else "1"
    engine = connect(database.url, role=role, pool_size=1)
    behind = WRITE.format("x").replace("actor)", f"actor, {column})").replace("'x')", f"'x', {value})")
    with engine.connect() as connection, pytest.raises(ProgrammingError, match=r"permission denied|non-DEFAULT"):
        connection.execute(text(behind))
    engine.dispose()


def test_a_cursor_of_another_database_is_told_apart(reader):
    with Session(reader) as session, pytest.raises(UnknownCursor, match="no event 7 here"):
        check_cursor(session, 7)


def test_after_a_dump_was_restored_every_cursor_goes_on_where_it_was(database, reader):
    """A restored database counts its transactions anew: what happens in it would seem to be long ago."""
    for actor in ("one", "two", "three"):
        database.run(WRITE.format(actor))
    one, two, three = read_on(reader)
    database.run(
        "SET LOCAL session_replication_role = replica; "
        "UPDATE animal_control.event SET transaction_id = transaction_id + 1000000 - 2 * id"
    )
    with Session(reader) as session, pytest.raises(RestoredFeed, match="portal migrate"):
        check_cursor(session, one.id)
    upgrade(database.url)
    database.run(WRITE.format("since"))
    assert [event.actor for event in read_on(reader)] == ["three", "two", "one", "since"]
    assert [event.actor for event in read_on(reader, two.id)] == ["one", "since"]
    with Session(reader) as session:
        check_cursor(session, three.id)
    with pytest.raises(ProgrammingError, match="append-only"):
        database.run("UPDATE animal_control.event SET actor = 'x'")


def test_the_next_events_are_found_without_looking_at_all_of_them(database, reader):
    database.run(
        "INSERT INTO animal_control.event (kind, subject_table, subject_id, actor) "
        "SELECT 'tried', 'animal', gen_random_uuid(), 'x' FROM generate_series(1, 20000)"
    )
    database.run("ANALYZE animal_control.event")
    with Session(reader) as session:
        plan = "\n".join(
            session.scalars(
                text(
                    "EXPLAIN SELECT id FROM animal_control.event WHERE transaction_id < "
                    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint AND (transaction_id, id) > "
                    "((SELECT transaction_id FROM animal_control.event WHERE id = 19000), 19000) "
                    "ORDER BY transaction_id, id LIMIT 500"
                )
            )
        )
    assert "ix_event_transaction_id_id" in plan
    assert "Sort" not in plan


@pytest.mark.parametrize("role", [WEB, WORKER])
def test_only_the_city_follows(database, role):
    engine = connect(database.url, role=role, pool_size=1)
    with Session(engine) as session, pytest.raises(ProgrammingError, match="permission denied"):
        events_after(session, 0)
    engine.dispose()

"""The PostgreSQL that comes with the portal: it keeps what it was given, and nothing of it is left running."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from portal.gateways.postgres.embedded import EmbeddedPostgres, PostgresFailed
from portal.gateways.postgres.home import UnusableHome
from tests.support.cluster import MAY_BE_LOST, Cluster, running_cluster

WAIT_SECONDS = 60

USE_UNTIL_TOLD = f"""
import sys
from pathlib import Path
from portal.gateways.postgres.embedded import EmbeddedPostgres

with EmbeddedPostgres(Path(sys.argv[1]), settings={MAY_BE_LOST}) as postgres:
    postgres.ensure_database("shared")
    print(postgres.url("shared"), flush=True)
    sys.stdin.read()
"""


@contextmanager
def passable_folder() -> Iterator[Path]:
    """Not pytest's own: under root the server's account has to pass through."""
    made = Path(tempfile.mkdtemp(prefix="animal-portal-test-", dir="/tmp"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where a first start has still to make everything."""
    with passable_folder() as parent:
        yield parent / "postgres"


@pytest.fixture(scope="module")
def first_data() -> Iterator[Path]:
    """What a first start makes, once: making it takes longer than all the rest."""
    with passable_folder() as parent:
        with EmbeddedPostgres(parent / "postgres", settings=MAY_BE_LOST):
            pass
        yield parent / "postgres" / "data"


@pytest.fixture
def not_the_first_time(folder: Path, first_data: Path) -> None:
    folder.mkdir()
    folder.chmod(0o711)
    subprocess.run(["cp", "-a", str(first_data), str(folder / "data")], check=True)


@pytest.fixture
def postgres(folder: Path, not_the_first_time: None) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(folder, settings=MAY_BE_LOST) as running:
        running.ensure_database("portal")
        yield running


@pytest.fixture
def another_command(folder: Path, not_the_first_time: None) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Another process that uses the same server until its input is closed."""
    started: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", USE_UNTIL_TOLD, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("postgresql+psycopg://")
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()
    wait_until(lambda: not processes_of(folder))


def run(postgres: EmbeddedPostgres, statement: str) -> list[tuple[object, ...]]:
    address = postgres.url().replace("+psycopg", "")
    with psycopg.connect(address, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def processes_of(folder: Path) -> list[psutil.Process]:
    """The keeper and the server of this folder, by their command lines."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        if any(str(folder) in word for word in words) and ("-D" in words or "-I" in words):
            found.append(process)
    return found


def server_of(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "data" / "postmaster.pid").read_text().splitlines()[0]))


def keeper_of(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "keeper.lock").read_text()))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "It did not happen in time"
        time.sleep(0.02)


def test_what_was_written_is_there_after_a_stop_and_a_start(postgres: EmbeddedPostgres, folder: Path) -> None:
    run(postgres, "CREATE TABLE dog AS SELECT 'Bailey' AS name")
    postgres.stop()
    assert processes_of(folder) == []
    postgres.start()
    assert run(postgres, "SELECT name FROM dog") == [("Bailey",)]


def test_starting_twice_and_making_a_database_twice_changes_nothing(postgres: EmbeddedPostgres, folder: Path) -> None:
    pid = server_of(folder).pid
    postgres.start()
    postgres.ensure_database("portal")
    assert server_of(folder).pid == pid


@pytest.mark.usefixtures("not_the_first_time")
def test_without_further_settings_it_is_durable_and_only_its_own_account_can_reach_it(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        postgres.ensure_database("portal")
        assert run(postgres, "SHOW listen_addresses") == [("",)]
        assert run(postgres, "SHOW fsync") == [("on",)]
        assert run(postgres, "SHOW synchronous_commit") == [("on",)]
    for closed in ("data", "socket"):
        assert (folder / closed).stat().st_mode & 0o077 == 0


def test_a_server_killed_with_9_comes_back_by_itself_with_its_data(postgres: EmbeddedPostgres, folder: Path) -> None:
    run(postgres, "CREATE TABLE dog AS SELECT 'Bailey' AS name")
    run(postgres, "CHECKPOINT")
    killed = server_of(folder)
    killed.kill()
    wait_until(lambda: not killed.is_running())
    wait_until(postgres.is_answering)
    assert run(postgres, "SELECT name FROM dog") == [("Bailey",)]


def test_a_keeper_killed_with_9_takes_its_server_along_and_the_next_start_heals(
    postgres: EmbeddedPostgres, folder: Path
) -> None:
    run(postgres, "CREATE TABLE dog AS SELECT 'Bailey' AS name")
    keeper_of(folder).kill()
    wait_until(lambda: not postgres.is_answering())
    postgres.start()
    assert run(postgres, "SELECT name FROM dog") == [("Bailey",)]


@pytest.fixture
def somebody_else(first_data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another program of the server's account: PostgreSQL itself takes such a one for a server."""
    account = first_data.stat()
    process = subprocess.Popen(["sleep", "600"], user=account.st_uid, group=account.st_gid)
    yield process
    process.kill()
    process.wait()


def test_the_mark_of_a_dead_server_whose_number_somebody_else_has_now_is_not_believed(
    postgres: EmbeddedPostgres, folder: Path, somebody_else: subprocess.Popen[bytes]
) -> None:
    postgres.stop()
    mark = f"{somebody_else.pid}\n{folder / 'data'}\n1\n5432\n{folder / 'socket'}\n\n0 0\nready\n"
    (folder / "data" / "postmaster.pid").write_text(mark)
    (folder / "socket" / ".s.PGSQL.5432.lock").write_text(mark)
    postgres.start()
    assert postgres.is_answering()


def test_two_commands_share_one_server_and_the_last_to_leave_stops_it(
    folder: Path, another_command: Callable[[], subprocess.Popen[str]]
) -> None:
    first = another_command()
    pid = server_of(folder).pid
    with EmbeddedPostgres(folder) as second:
        first.communicate("")
        assert second.is_answering()
        assert server_of(folder).pid == pid
    wait_until(lambda: not processes_of(folder))


def test_commands_that_start_at_the_same_moment_end_up_with_one_server(folder: Path) -> None:
    together = [
        subprocess.Popen(
            [sys.executable, "-c", USE_UNTIL_TOLD, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    answers = [process.communicate("") for process in together]
    assert [error for _, error in answers] == ["", "", ""]
    assert len({output for output, _ in answers}) == 1
    wait_until(lambda: not processes_of(folder))


def test_when_every_command_is_killed_with_9_nothing_is_left_running(
    folder: Path, another_command: Callable[[], subprocess.Popen[str]]
) -> None:
    process = another_command()
    assert processes_of(folder) != []
    process.send_signal(signal.SIGKILL)
    wait_until(lambda: not processes_of(folder))


def test_an_interrupted_first_start_is_not_taken_for_data(folder: Path) -> None:
    (folder / "data.new" / "base").mkdir(parents=True)
    folder.chmod(0o711)
    with EmbeddedPostgres(folder, settings=MAY_BE_LOST) as postgres:
        assert postgres.is_answering()
    assert not (folder / "data.new").exists()


def test_a_folder_too_deep_for_a_socket_gets_a_short_one(folder: Path) -> None:
    deep = folder.parent / ("d" * 60) / ("e" * 60) / "postgres"
    with EmbeddedPostgres(deep, settings=MAY_BE_LOST) as postgres:
        assert postgres.is_answering()
        sockets = Path(server_of(deep).cmdline()[4])
    assert len(str(sockets)) < 50
    shutil.rmtree(sockets)


@pytest.mark.skipif(os.geteuid() != 0, reason="2026-11: only root has to lend the server an account of its own")
def test_a_folder_below_one_that_the_account_may_not_enter_is_kept_elsewhere(folder: Path) -> None:
    folder.parent.chmod(0o700)
    with EmbeddedPostgres(folder, settings=MAY_BE_LOST) as postgres:
        assert postgres.is_answering()
        assert folder.is_symlink()
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(folder.resolve())


@pytest.mark.usefixtures("not_the_first_time")
def test_a_setting_that_the_server_refuses_is_told_with_its_own_words(folder: Path) -> None:
    with pytest.raises(PostgresFailed, match="shared_buffers"):
        EmbeddedPostgres(folder, settings={"shared_buffers": "much"}).start()


def test_data_of_another_major_version_are_left_alone(postgres: EmbeddedPostgres, folder: Path) -> None:
    postgres.stop()
    (folder / "data" / "PG_VERSION").write_text("12\n")
    with pytest.raises(UnusableHome, match="written by PostgreSQL 12"):
        postgres.start()


@pytest.fixture(scope="module")
def bare_cluster() -> Iterator[Cluster]:
    def migrate(url: str) -> None:
        with psycopg.connect(url.replace("+psycopg", "")) as connection:
            connection.execute("CREATE TABLE dog (name text)")

    with running_cluster() as cluster:
        cluster.make_template(migrate)
        yield cluster


def tables(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        return connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()


def test_every_test_gets_a_database_that_no_other_has_seen(bare_cluster: Cluster) -> None:
    first, second = bare_cluster.fresh_database(), bare_cluster.fresh_database()
    with psycopg.connect(first.replace("+psycopg", "")) as connection:
        connection.execute("INSERT INTO dog VALUES ('Bailey')")
    with psycopg.connect(second.replace("+psycopg", "")) as connection:
        assert connection.execute("SELECT * FROM dog").fetchall() == []
    bare_cluster.drop(first)


def test_a_test_of_migrations_gets_a_database_without_tables(bare_cluster: Cluster) -> None:
    assert tables(bare_cluster.empty_database()) == []
    assert tables(bare_cluster.fresh_database()) == [("dog",)]

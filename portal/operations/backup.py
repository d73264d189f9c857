"""`portal backup`: the database and its files as they were at one moment, while people go on writing.

The moment is a snapshot of the database. Files are written before the rows that mention them and never changed, so each
file that the snapshot mentions is there already; `services.files.hold_files` keeps them there until they are copied.
The snapshot itself is given back once the tables are written, so that a long copying of files does not hold up
PostgreSQL.

The backup is sealed for the operators' public keys, and for one more that is made for this run, never written down, and
used to open and check what was written.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import IO

from sqlalchemy import Connection, Engine, create_engine, pool, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from portal.composition import city_file
from portal.gateways.backups.age_files import AgeKey, BadAgeKey, CannotOpen, check_public, opened, seal
from portal.gateways.backups.place import BackupPlace, PlaceFailed
from portal.gateways.postgres.programs import (
    Program,
    ProgramFailed,
    ProgramMissing,
    dumping,
    find_program,
    server_major,
)
from portal.gateways.storage.store import FileMissing, Storage, StorageUnavailable
from portal.operations.archive import (
    ABOUT,
    CITY,
    DATABASE,
    FILES,
    MISSING,
    README,
    About,
    Member,
    Packing,
    Sums,
    unpacked,
)
from portal.schema.migrate import current, in_words, standing
from portal.services.files.hold_files import hold_files
from portal.services.files.mentioned import mentioned, unmentioned
from portal.services.sweeping.files import FILE_KINDS
from portal.settings import Settings

DISTRIBUTION = "benson-animal-portal"
PART_BYTES = 16 << 20
HOLD_SECONDS = 30.0
ATTEMPTS = 3
HOW_TO_OPEN = b"""A backup of the animal portal. It opens without the portal:

  age --decrypt --identity KEYFILE BACKUP | tar --extract
  sha256sum --check SHA256SUMS
  cat database/* | pg_restore --no-owner --no-privileges --dbname=...   (an empty database of the same PostgreSQL)
  files/ is what goes to STORAGE_URL, each file under its name here.

Then run `portal migrate`, which makes the roles and gives them their rights.
"""
SNAPSHOT = text("SELECT pg_export_snapshot()")
TABLES = text("""
    SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema' ORDER BY 1
""")


class BackupFailed(Exception):
    """No backup was made; the sentence says why."""


class _LetGoMeanwhile(Exception):
    """A file went while it was to be copied, and its row too: a process that does not know of backups let it go."""


@dataclass(frozen=True)
class BackedUp:
    """A backup that was made and read back; `missing` are the files that rows mention and the store does not have."""

    address: str
    about: About
    missing: tuple[str, ...]
    size: int


@dataclass
class _Making:
    """One attempt at a backup."""

    engine: Engine
    url: str
    program: Program
    storage: Storage
    city: bytes
    missing: list[str] = field(default_factory=list)
    about: About | None = None

    def members(self) -> Generator[Member, None, None]:
        """All that goes into the backup, in its order."""
        with tempfile.TemporaryFile("w+") as keys:
            with _snapshot(self.engine, self.program, keys) as (self.about, snapshot):
                yield Member.of(ABOUT, json.dumps(asdict(self.about), indent=1).encode())
                yield Member.of(README, HOW_TO_OPEN)
                yield Member.of(CITY, self.city)
                yield from self._tables(snapshot)
            keys.seek(0)
            for line in keys:
                yield from self._file(line.rstrip("\n"))
        for stored in self.storage.keys(""):
            if stored.key.partition("/")[0] not in FILE_KINDS:  # a kind of file whose rows nobody told us of
                yield from self._file(stored.key)
        if self.missing:
            yield Member.of(MISSING, "".join(f"{key}\n" for key in self.missing).encode())

    def seen(self) -> About:
        """What the snapshot showed, once it was taken."""
        if self.about is None:
            raise BackupFailed("No backup was made: the database was not looked at")
        return self.about

    def _tables(self, snapshot: str) -> Iterator[Member]:
        """The dump in parts, since a tar file wants to know each size beforehand."""
        with dumping(self.url, self.program, snapshot=snapshot) as dump:
            number = 0
            while part := dump.read(PART_BYTES):
                number += 1
                yield Member.of(f"{DATABASE}{number:06d}", part)

    def _file(self, key: str) -> Iterator[Member]:
        try:
            content = self.storage.open(key)
        except FileMissing:
            with Session(self.engine) as session:
                if unmentioned(session, [key]):
                    raise _LetGoMeanwhile(key) from None
            self.missing.append(key)
            return
        with content:
            size = content.seek(0, os.SEEK_END)
            content.seek(0)
            yield Member(f"{FILES}{key}", size, content)


def back_up(
    settings: Settings,
    database_url: str,
    place: BackupPlace,
    *,
    storage: Storage,
    say: Callable[[str], None] = lambda _: None,
) -> BackedUp:
    """Write a backup to its place and read it back; raises BackupFailed."""
    if not settings.backup_recipients:
        raise BackupFailed(
            "Say for whom the backup is sealed: BACKUP_RECIPIENTS must hold a public key of age. "
            "portal backup-key FILE makes a pair."
        )
    engine = create_engine(
        database_url,
        poolclass=pool.NullPool,
        hide_parameters=True,
        connect_args={"options": "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c timezone=UTC"},
    )
    try:
        with _in_one_sentence(place):
            if place.is_there():
                raise BackupFailed(f"{place} is there already, and a backup is never written over")
        with _cleared(place), _in_one_sentence(place), _files_held(engine) as still_held:
            making = _written(settings, database_url, engine, place, storage=storage, say=say)
            still_held()
            size = place.keep()
    finally:
        engine.dispose()
    return BackedUp(str(place), making.seen(), tuple(making.missing), size)


@contextmanager
def _in_one_sentence(place: BackupPlace) -> Iterator[None]:
    """What of the many that have a part in it did not do it, as BackupFailed."""
    try:
        yield
    except (BadAgeKey, CannotOpen, ProgramMissing, ProgramFailed) as failure:
        raise BackupFailed(f"No backup was made: {failure}") from failure
    except PlaceFailed as failure:
        raise BackupFailed(f"No backup was made at {place}: {failure}") from failure
    except StorageUnavailable as failure:
        raise BackupFailed(f"No backup was made: the file store did not give {failure}: {failure.why}") from failure
    except OSError as failure:
        raise BackupFailed(f"No backup was made: {failure}") from failure
    except SQLAlchemyError as failure:
        kind = type(getattr(failure, "orig", failure)).__name__
        raise BackupFailed(f"No backup was made: the database did not do its part ({kind})") from failure


@contextmanager
def _cleared(place: BackupPlace) -> Iterator[None]:
    """What was written and not kept does not stay. Keys may have no right to delete: that is told as well."""
    try:
        yield
    except BaseException as failure:
        try:
            place.clear()
        except PlaceFailed as stays:
            left = f"What may lie at {place} is no backup, and could not be deleted: {stays}"
            raise BackupFailed(f"{failure}. {left}") from failure
        raise


def _written(
    settings: Settings, url: str, engine: Engine, place: BackupPlace, *, storage: Storage, say: Callable[[str], None]
) -> _Making:
    """The backup in its place, read back; made anew from a newer snapshot where a file went meanwhile."""
    for public in settings.backup_recipients:
        check_public(public)
    program, once = find_program("pg_dump", server_major=server_major(engine)), AgeKey.new()
    city = city_file(settings.city).read_bytes()
    for attempt in range(ATTEMPTS):
        making = _Making(engine, url, program, storage, city)
        try:
            sums = _sealed(making, place, for_keys=[*settings.backup_recipients, once.public])
        except _LetGoMeanwhile as gone:
            say(f"The file {gone} was let go while it was to be copied: beginning again ({attempt + 1}).")
            continue
        _read_back(place, once, sums)
        return making
    raise BackupFailed("No backup was made: files are being deleted from the store. Is an older release still running?")


def _sealed(making: _Making, place: BackupPlace, *, for_keys: Sequence[str]) -> Sums:
    with closing(making.members()) as members, closing(Packing(members)) as packing, place.new() as file:
        seal(packing, file, for_keys=for_keys)
    return packing.sums


def _read_back(place: BackupPlace, once: AgeKey, written: Sums) -> None:
    """Open what lies there, and compare each file in it with what went in."""
    found = Sums()
    with place.written() as file, opened(file, once) as plain:
        for _ in unpacked(plain, found):
            pass
    if found.digest != written.digest:
        raise CannotOpen("what was read back is not what was written: look at the disk")


@contextmanager
def _files_held(engine: Engine) -> Iterator[Callable[[], None]]:
    """No file is let go inside; the answer makes sure of it once more, at the end."""
    with Session(engine) as session:
        until = time.monotonic() + HOLD_SECONDS
        while not hold_files(session):
            session.rollback()
            if time.monotonic() > until:
                raise BackupFailed("Another backup is being made: let it end first")
            time.sleep(0.2)
        yield lambda: session.scalar(text("SELECT 1"))  # fails where the connection was lost, and the hold with it


@contextmanager
def _snapshot(engine: Engine, program: Program, keys: IO[str]) -> Iterator[tuple[About, str]]:
    """The database at one moment, as long as the block lasts; writes the keys that its rows mention, a line each."""
    with engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as connection:
        snapshot = str(connection.scalar(SNAPSHOT))
        if not standing(found := current(connection)).can_be_worked_with:
            raise BackupFailed(
                f"The database has {in_words(found)}. Or back it up with the release that works with it."
            )
        with Session(connection) as session:
            files = sum(keys.write(f"{key}\n") > 0 for key in mentioned(session))
        about = About(
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            schema=found or "",
            release=version(DISTRIBUTION),
            postgres=program.major,
            tables=rows_by_table(connection),
            files=files,
        )
        yield about, snapshot


def rows_by_table(connection: Connection) -> dict[str, int]:
    """How many rows each table has, those of other software included."""
    return {
        name: connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0  # noqa: S608 - quoted by the database
        for name in connection.scalars(TABLES).all()
    }

"""`portal restore`: a backup, checked whole, put into a database and a file store of its own.

First all of it is read and every hash compared; only then is anything changed. Files come before the rows that mention
them. The tables are written in one transaction, which ends by counting them and drops what is to be replaced. Then the
migrations make the roles, give them their rights, bring an older backup to this release's schema, and settle the feed.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Engine, create_engine, pool, text
from sqlalchemy.exc import SQLAlchemyError

from portal.gateways.backups.age_files import AgeKey, BadAgeKey, CannotOpen, opened
from portal.gateways.backups.place import BackupPlace, PlaceFailed
from portal.gateways.postgres.programs import ProgramFailed, ProgramMissing, find_program, restoring, server_major
from portal.gateways.storage.store import InvalidKey, Storage, StorageUnavailable
from portal.operations.archive import ABOUT, DATABASE, FILES, FORM, PIECE_BYTES, About, Member, Sums, unpacked
from portal.schema.migrate import Standing, StillHeld, found_at, head, standing, upgrade
from portal.schema.roles import ROLES

DATABASE_AS_IT_WAS = "The database is as it was"
SCHEMAS = text("""
    SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
    ORDER BY nspname
""")
IN_PUBLIC = text("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
OTHER_ROWS = """
DO $check$ BEGIN
  IF (SELECT count(*) FROM {table}) <> {rows} THEN
    RAISE EXCEPTION '{name} has other rows than the backup says';
  END IF;
END $check$;
"""
RUNNING = text("""
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ANY(:roles) ORDER BY 1
""")


class RestoreFailed(Exception):
    """The backup was not restored; the sentence says why, and what was changed if anything was."""


@dataclass(frozen=True)
class Checked:
    """A backup that was read from its start to its end and is whole."""

    about: About
    files: int
    sums: bytes


@dataclass(frozen=True)
class Restored:
    """A backup that is in the database and the file store now."""

    about: About
    files: int
    schema: str


def check(source: BackupPlace, key: AgeKey) -> Checked:
    """Read a backup whole and compare every hash; changes nothing, and needs no database."""
    about, files, sums = None, 0, Sums()
    with _members(source, key, sums) as members:
        for member in members:
            if member.name == ABOUT:
                about = _about(member)
            files += member.name.startswith(FILES)
    if about is None:
        raise RestoreFailed(f"{source} can't be restored: it does not say what it holds")
    return Checked(about, files, sums.digest)


def restore(
    database_url: str,
    source: BackupPlace,
    key: AgeKey,
    *,
    storage: Storage,
    replace: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Put a backup into this database and this file store; raises RestoreFailed."""
    checked = check(source, key)
    about = checked.about
    say(f"The backup of {about.made_at} is whole: {about.rows} rows, {checked.files} files, schema {about.schema}.")
    if standing(about.schema) in (Standing.NEWER, Standing.FOREIGN):
        raise RestoreFailed(
            f"It has schema {about.schema}, and this release knows those up to {head()}: "
            "install the release that made it, or a later one. Nothing was changed."
        )
    engine = create_engine(database_url, poolclass=pool.NullPool, hide_parameters=True)
    try:
        lost = _what_is_lost(engine, replace=replace)
        files = _put_files(storage, source, key, checked)
        say(f"{files} files are in the store.")
        _put_tables(database_url, engine, source, key, checked, lost=lost)
        say(f"{about.rows} rows are in the database, as many in each table as in the backup.")
    except SQLAlchemyError as failure:
        raise RestoreFailed(f"The database did not do its part ({_kind(failure)}): it is as it was") from failure
    finally:
        engine.dispose()
    return Restored(about, files, _brought_to_this_release(database_url, say))


def _brought_to_this_release(database_url: str, say: Callable[[str], None]) -> str:
    """Which schema the restored database has then."""
    try:
        upgrade(database_url, say=say)
        return found_at(database_url) or ""
    except (StillHeld, SQLAlchemyError) as failure:
        said = failure if isinstance(failure, StillHeld) else f"the database did not do its part ({_kind(failure)})"
        raise RestoreFailed(
            f"The tables are restored, but not brought to this release: {said}. Run portal migrate."
        ) from failure


def _kind(failure: SQLAlchemyError) -> str:
    """What went wrong, in a word: the message of a failure may quote rows."""
    return type(getattr(failure, "orig", failure)).__name__


def _about(member: Member) -> About:
    try:
        told = json.loads(member.content.read(member.size))
        if told.get("form") != FORM:
            raise RestoreFailed("It was made by another release of the portal, which wrote backups in another form")
        return About(**told)
    except (ValueError, TypeError, AttributeError) as failure:
        raise RestoreFailed("It can't be restored: what it says of itself can't be read") from failure


@contextmanager
def _members(
    source: BackupPlace, key: AgeKey, sums: Sums, *, left: str = "Nothing was changed"
) -> Iterator[Iterator[Member]]:
    """What is in the backup; damage shows at the end at the latest. `left` says what a failure leaves behind."""
    try:
        with source.kept() as sealed, opened(sealed, key) as plain:
            yield unpacked(plain, sums)
    except (CannotOpen, BadAgeKey, PlaceFailed) as failure:
        raise RestoreFailed(f"{source} can't be opened: {failure}. {left}.") from failure


def _what_is_lost(engine: Engine, *, replace: bool) -> Sequence[str]:
    """The schemas that are in the way and may go; raises RestoreFailed when they may not."""
    with engine.connect() as connection:
        if running := connection.scalars(RUNNING, {"roles": list(ROLES)}).all():
            raise RestoreFailed(f"The portal is running on this database ({', '.join(running)}): stop it first")
        if connection.scalar(IN_PUBLIC):
            raise RestoreFailed("There are tables in the schema public of this database: restore into another one")
        schemas = connection.scalars(SCHEMAS).all()
    if schemas and not replace:
        raise RestoreFailed(
            f"The database is not empty: it has {', '.join(schemas)}. Restore into an empty one, "
            "or say --replace to lose what is there."
        )
    return schemas


def _put_files(storage: Storage, source: BackupPlace, key: AgeKey, checked: Checked) -> int:
    put, sums = 0, Sums()
    try:
        with _members(source, key, sums, left=DATABASE_AS_IT_WAS) as members:
            for member in members:
                if member.name.startswith(FILES):
                    storage.put(member.name.removeprefix(FILES), _AsFile(member))  # type: ignore[arg-type]
                    put += 1
    except StorageUnavailable as failure:
        raise RestoreFailed(
            f"The file store did not take {failure}: {failure.why}. {put} files are there, and the database was not "
            "changed."
        ) from failure
    except InvalidKey as failure:
        raise RestoreFailed(f"{failure} is no name of a file of the portal. The database was not changed.") from failure
    _must_be_the_same(sums, checked)
    return put


def _put_tables(
    url: str, engine: Engine, source: BackupPlace, key: AgeKey, checked: Checked, *, lost: Sequence[str]
) -> None:
    quote = engine.dialect.identifier_preparer.quote
    before = "".join(f"DROP SCHEMA {quote(schema)} CASCADE;\n" for schema in lost)
    after = "".join(
        OTHER_ROWS.format(table=table, rows=int(rows), name=table.replace("'", "''"))
        for table, rows in checked.about.tables.items()
    )
    sums = Sums()
    try:
        program = find_program("pg_restore", server_major=max(server_major(engine), checked.about.postgres))
        with (
            restoring(url, program, before=before, after=after) as dump,
            _members(source, key, sums, left=DATABASE_AS_IT_WAS) as members,
        ):
            for member in members:
                if member.name.startswith(DATABASE):
                    while piece := member.content.read(PIECE_BYTES):
                        dump.write(piece)
            _must_be_the_same(sums, checked)
    except (ProgramMissing, ProgramFailed) as failure:
        raise RestoreFailed(f"{failure}. {DATABASE_AS_IT_WAS}.") from failure


def _must_be_the_same(sums: Sums, checked: Checked) -> None:
    if sums.digest != checked.sums:
        raise RestoreFailed(f"The backup was changed while it was read. {DATABASE_AS_IT_WAS}.")


class _AsFile:
    """A member as the file store reads it: once, from where it stands."""

    def __init__(self, member: Member) -> None:
        self._content = member.content

    def read(self, size: int = -1) -> bytes:
        return self._content.read(size)

    def seekable(self) -> bool:
        return False

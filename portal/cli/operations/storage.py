"""`portal storage`: move the files from one store to another while the portal runs, and compare the two."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import click
from sqlalchemy.orm import Session

from portal.cli.environment import read_settings, ready_database
from portal.gateways.database.connections import connect
from portal.gateways.storage.store import Storage, StorageUnavailable
from portal.gateways.storage.url import SETTING, BadStorageUrl, storage_from
from portal.schema.roles import WORKER
from portal.services.files.mentioned import mentioned, unmentioned
from portal.services.files.move_files import (
    ArrivedOtherwise,
    Compared,
    Copied,
    compared,
    copy_file,
    files_in,
    hash_in,
    recorded_hashes,
)

# Most of a copy is waiting for the other side.
AT_ONCE = 8
SHOWN = 20
TOLD_EVERY = 500
# As long as people send files, a pass finds new ones; the last of these are left to the next run.
MOST_PASSES = 5
WORDS = {
    "missing": "missing in the new store",
    "wrong": "different from what they should be",
    "extra": "in the new store alone (left there)",
    "nowhere": "named by the database and in neither store",
}

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Stores:
    """The two stores, the database, and the list of what was proved."""

    database_url: str
    old: Storage
    new: Storage
    proved: Path


@click.group()
def storage() -> None:
    """The files people sent, in the store of STORAGE_URL."""


def both_stores(command: Callable[..., None]) -> Callable[..., None]:
    """Where from and where to, each STORAGE_URL unless it is said."""
    command = click.option("--to", "new_url", metavar="URL", help="The new store; STORAGE_URL if it is left out.")(
        command
    )
    return click.option("--from", "old_url", metavar="URL", help="The old store; STORAGE_URL if it is left out.")(
        command
    )


@storage.command()
@both_stores
def move(old_url: str | None, new_url: str | None) -> None:
    """Copy every file that the new store lacks, and read each back. Deletes nothing; run it as often as you like."""
    with _stores(old_url, new_url) as stores:
        for _ in range(MOST_PASSES):
            if not _pass(stores):
                break
        click.echo("Now compare the two: portal storage compare, with the same --from and --to.")


@storage.command()
@both_stores
def compare(old_url: str | None, new_url: str | None) -> None:
    """Read every file of both stores and tell what is missing, different or extra. Changes nothing."""
    with _stores(old_url, new_url) as stores:
        # What rows mention first: a file always lies in the store before its row is there.
        with _database(stores) as session:
            recorded, in_rows = recorded_hashes(session), set(mentioned(session))
        old, new = files_in(stores.old), files_in(stores.new)
        click.echo(f"{len(old)} files in the old store, {len(new)} in the new one.")
        both = sorted(old.keys() & new.keys())
        hashes = list(_each(both, lambda key: (key, hash_in(stores.old, key), hash_in(stores.new, key))))
        with _database(stores) as session:
            lost = in_rows - old.keys() - new.keys()
            lost -= set(unmentioned(session, lost))  # whose rows went meanwhile
        _tell(compared(old, new, hashes=hashes, recorded=recorded, lost=lost))


def _pass(stores: Stores) -> int:
    """One pass over the old store; how many files it copied."""
    proved, there = _read_proved(stores.proved), files_in(stores.new)
    old = files_in(stores.old)
    wanted = sorted(key for key, size in old.items() if there.get(key) != size or proved.get(key) != size)
    click.echo(f"{len(old)} files in the old store, {len(wanted)} to copy or to prove.")
    stores.proved.parent.mkdir(parents=True, exist_ok=True)
    done = wrong = 0
    with stores.proved.open("a", encoding="ascii") as notes:
        for copied in _each(wanted, lambda key: copy_file(key, old=stores.old, new=stores.new)):
            if copied is None:
                continue
            notes.write(_line(copied))
            notes.flush()
            done, wrong = done + 1, wrong + copied.was_wrong
            if done % TOLD_EVERY == 0:
                click.echo(f"{done} of {len(wanted)}")
    click.echo(
        f"{done} copied or proved by their hash, {wrong} of them replaced because the new store had other bytes."
    )
    return len(wanted)


def _tell(told: Compared) -> None:
    for name, words in WORDS.items():
        keys: tuple[str, ...] = getattr(told, name)
        click.echo(f"{len(keys)} {words}")
        for key in keys[:SHOWN]:
            click.echo(f"  {key}")
        if len(keys) > SHOWN:
            click.echo(f"  and {len(keys) - SHOWN} more")
    if not told.is_whole:
        raise click.ClickException("The new store is not whole: run portal storage move again, and keep the old store.")
    click.echo("Every file of the old store lies in the new one with the same bytes.")


@contextmanager
def _stores(old_url: str | None, new_url: str | None) -> Iterator[Stores]:
    settings = read_settings()
    from_url, to_url = old_url or settings.storage_url, new_url or settings.storage_url
    if from_url == to_url:
        raise click.UsageError("Say --to URL (where the files go) or --from URL (where they come from)")
    # Which pair it was, without the addresses themselves.
    pair = hashlib.sha256(f"{from_url}\n{to_url}".encode()).hexdigest()[:16]
    try:
        old = storage_from(from_url, named="--from" if old_url else SETTING)
        new = storage_from(to_url, named="--to" if new_url else SETTING)
    except BadStorageUrl as wrong:
        raise click.UsageError(str(wrong)) from wrong
    try:
        with ready_database(settings) as database:
            yield Stores(database.url, old, new, settings.data / "storage-move" / f"{pair}.txt")
    except ArrivedOtherwise as otherwise:
        raise click.ClickException(f"{otherwise} came back from the new store with other bytes: don't use it") from None
    except StorageUnavailable as away:
        raise click.ClickException(
            f"A store did not do its part: {away.why}. Once that is mended, run this again: it goes on where it was."
        ) from None


@contextmanager
def _database(stores: Stores) -> Iterator[Session]:
    engine = connect(stores.database_url, role=WORKER)
    try:
        with Session(engine) as session:
            yield session
    finally:
        engine.dispose()


def _each(items: Iterable[Item], do: Callable[[Item], Result]) -> Iterator[Result]:
    """What comes of each, several at once, in the order in which they end; the first failure ends it."""
    waiting = iter(items)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running: set[Future[Result]] = {pool.submit(do, item) for item in islice(waiting, AT_ONCE * 2)}
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for one in ended:
                yield one.result()
            running |= {pool.submit(do, item) for item in islice(waiting, len(ended))}


def _line(copied: Copied) -> str:
    return f"{copied.sha256} {copied.size} {copied.key}\n"


def _read_proved(path: Path) -> dict[str, int]:
    """The files an earlier run proved, with their sizes; a last line cut off by a kill counts for nothing."""
    if not path.exists():
        return {}
    whole = path.read_text(encoding="ascii").rpartition("\n")[0]
    lines = (line.split(" ") for line in whole.splitlines())
    return {parts[2]: int(parts[1]) for parts in lines if len(parts) == 3}

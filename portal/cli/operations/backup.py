"""`portal backup`, `portal restore` and the key between them."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import click

from portal.cli.environment import read_settings, ready_database
from portal.gateways.backups.address import backup_at
from portal.gateways.backups.age_files import AgeKey, BadAgeKey
from portal.gateways.backups.place import PlaceFailed
from portal.gateways.storage.url import storage_from
from portal.operations.backup import BackedUp, BackupFailed, back_up
from portal.operations.restore import RestoreFailed, check
from portal.operations.restore import restore as put_back

FILES_MISSING = 3
MEGABYTE = 1_000_000


@click.command()
@click.argument("target")
def backup(target: str) -> None:
    """Write the database and its files to TARGET, sealed for BACKUP_RECIPIENTS.

    TARGET is a folder or a new file (.age), here or in an S3 store: s3://bucket/folder?endpoint=https://...

    The portal may go on working. What was written is read back and compared. Ends with 3 when the backup is whole but
    files that rows mention are not in the store.
    """
    begun = time.monotonic()
    settings = read_settings()
    with ready_database(settings) as database:
        try:
            place = backup_at(target, at=datetime.now(UTC))
            done = back_up(settings, database.url, place, storage=storage_from(settings.storage_url), say=click.echo)
        except (BackupFailed, PlaceFailed) as failure:
            raise click.ClickException(str(failure)) from failure
    click.echo(_told(done, seconds=time.monotonic() - begun))
    if done.missing:
        click.echo(f"{len(done.missing)} files that rows mention are not in the store:", err=True)
        click.echo("\n".join(done.missing), err=True)
        raise SystemExit(FILES_MISSING)


def _told(done: BackedUp, *, seconds: float) -> str:
    about = done.about
    return (
        f"{done.address}: {about.rows} rows of {len(about.tables)} tables and {about.files - len(done.missing)} files "
        f"at {about.made_at}, {done.size / MEGABYTE:.1f} MB, read back and whole, in {seconds:.0f} s."
    )


@click.command("backup-key")
@click.argument("file", type=click.Path(path_type=Path))
def backup_key(file: Path) -> None:
    """Write a new private key to FILE, and print the public one, which BACKUP_RECIPIENTS wants.

    `age-keygen` makes such keys too. Keep FILE where the portal's server can't reach it: it opens every backup.
    """
    key = AgeKey.new()
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as target:
            target.write(f"# public key: {key.public}\n{key.private}\n")
    except OSError as failure:
        raise click.ClickException(f"{file} can't be written: {failure.strerror}") from failure
    click.echo(key.public)


@click.command()
@click.argument("source")
@click.option("--identity", "key_file", required=True, type=click.File(), help="The file with the private key.")
@click.option("--replace", is_flag=True, help="Lose what is in the database now.")
@click.option("--only-check", is_flag=True, help="Read it whole, compare every hash, and change nothing.")
def restore(source: str, key_file: TextIO, replace: bool, only_check: bool) -> None:
    """Put the backup SOURCE into the database and the file store of the settings. Stop the portal first.

    SOURCE is a file, or the address of one in an S3 store as `portal backup` told it.
    """
    try:
        place = backup_at(source)
        key = AgeKey.from_text(key_file.read())
        if only_check:
            found = check(place, key)
            click.echo(
                f"{source} is whole: {found.about.rows} rows and {found.files} files at {found.about.made_at}, "
                f"schema {found.about.schema}."
            )
            return
        settings = read_settings()
        with ready_database(settings) as database:
            storage = storage_from(settings.storage_url)
            done = put_back(database.url, place, key, storage=storage, replace=replace, say=click.echo)
    except BadAgeKey as failure:
        raise click.ClickException(f"{key_file.name} is no key file of age: {failure}") from failure
    except (RestoreFailed, PlaceFailed) as failure:
        raise click.ClickException(str(failure)) from failure
    click.echo(f"The roles are there with their rights, and the schema is {done.schema}.")
    click.echo(
        "Messages that waited at the time of the backup go out once a worker runs: for a trial, give it no MAIL_URL."
    )

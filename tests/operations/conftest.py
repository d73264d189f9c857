"""Two places that know nothing of each other: one to back up, one to restore into."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import pytest
from sqlalchemy import create_engine, pool, text

from portal.gateways.backups.address import backup_at
from portal.gateways.backups.age_files import AgeKey
from portal.gateways.storage.store import Storage
from portal.gateways.storage.url import storage_from
from portal.operations.backup import BackedUp, back_up
from portal.operations.restore import Restored, restore
from portal.settings import Settings
from tests.support.buckets import Bucket
from tests.support.cluster import Cluster

TABLES = """
    SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema'
"""


@dataclass
class Place:
    """A database and a file store."""

    url: str
    storage_url: str
    settings: Settings

    @cached_property
    def storage(self) -> Storage:
        return storage_from(self.storage_url)

    def value(self, statement: str) -> object:
        engine = create_engine(self.url, poolclass=pool.NullPool)
        with engine.begin() as connection:
            found = connection.execute(text(statement))
            return found.scalar() if found.returns_rows else None

    def rows(self) -> set[tuple[str, str]]:
        """Every row of every table. The feed's own order is counted anew in another database, and compared apart."""
        engine = create_engine(self.url, poolclass=pool.NullPool)
        with engine.connect() as connection:
            tables = list(connection.scalars(text(TABLES)))
            whole = " UNION ALL ".join(
                f"SELECT '{table}', (to_jsonb(r) - 'transaction_id')::text FROM {table} r"  # noqa: S608
                for table in tables
            )
            return {(row[0], row[1]) for row in connection.execute(text(whole))}

    def feed(self) -> list[int]:
        """The events in the order in which they are read."""
        engine = create_engine(self.url, poolclass=pool.NullPool)
        with engine.connect() as connection:
            return list(connection.scalars(text("SELECT id FROM animal_control.event ORDER BY transaction_id, id")))

    def files(self) -> dict[str, str]:
        """The hash of every file in the store."""
        found = {}
        for stored in self.storage.keys(""):
            with self.storage.open(stored.key) as content:
                found[stored.key] = hashlib.sha256(content.read()).hexdigest()
        return found

    def mentioned(self) -> set[str]:
        """The keys of all files that documents and uploads mention."""
        engine = create_engine(self.url, poolclass=pool.NullPool)
        with engine.connect() as connection:
            return set(
                connection.scalars(
                    text("""
                    SELECT original_key FROM animal_control.document UNION SELECT thumbnail_key
                    FROM animal_control.document UNION SELECT key FROM animal_control.document_page
                    UNION SELECT original_key FROM portal.upload UNION SELECT thumbnail_key FROM portal.upload
                    UNION SELECT jsonb_array_elements(pages) ->> 'key' FROM portal.upload
                    """)
                )
            )

    def back_up(self, target: Path | str) -> BackedUp:
        place = backup_at(str(target), at=datetime.now(UTC))
        return back_up(self.settings, self.url, place, storage=self.storage)

    def restore(self, source: Path | str, key: AgeKey, **how: bool) -> Restored:
        return restore(self.url, backup_at(str(source)), key, storage=self.storage, **how)


@pytest.fixture(scope="session")
def age_key() -> AgeKey:
    """The operators' own."""
    return AgeKey.new()


@dataclass(frozen=True)
class Kept:
    """Where files and backups of both places are kept."""

    files: str
    files_elsewhere: str
    backups: str


@pytest.fixture
def kept_in() -> str:
    """What a test may choose: a folder or a bucket."""
    return "folder"


@pytest.fixture
def kept(kept_in: str, request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if kept_in == "folder":
        return Kept(f"file:{tmp_path}/files", f"file:{tmp_path}/elsewhere", str(tmp_path))
    bucket: Bucket = request.getfixturevalue("bucket")
    files, elsewhere, backups = (
        replace(bucket, prefix=f"{bucket.prefix}/{name}").url for name in ("files", "elsewhere", "backups")
    )
    return Kept(files, elsewhere, backups)


@pytest.fixture
def place(cluster: Cluster, settings: Settings, age_key: AgeKey, kept: Kept) -> Iterator[Place]:
    """A portal with nothing in it yet."""
    url = cluster.fresh_database()
    yield Place(url, kept.files, replace(settings, backup_recipients=(age_key.public,)))
    cluster.drop(url)


@pytest.fixture
def elsewhere(cluster: Cluster, settings: Settings, kept: Kept) -> Iterator[Place]:
    """An empty database, and an empty file store."""
    url = cluster.empty_database()
    yield Place(url, kept.files_elsewhere, settings)
    cluster.drop(url)

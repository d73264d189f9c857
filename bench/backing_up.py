"""How long a backup and a restore take, in how much memory, and whether anything differs: `python -m bench.backing_up`.

Events by the hundred thousand and files by the thousand are put into a portal of its own; then the commands of the
console do what they do at night, each in a process of its own. With --buckets files and backup lie in an S3 store
(moto's server, which keeps all of it in its memory: 300 MB or so are enough).
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path

import boto3
from botocore.config import Config
from sqlalchemy import create_engine, pool, text

from portal.gateways.backups.age_files import AgeKey
from portal.gateways.storage.store import new_key
from portal.gateways.storage.url import storage_from
from portal.schema.migrate import upgrade
from portal.settings import Settings
from tests.operations.conftest import Place
from tests.support.cluster import running_cluster

# It takes some seconds to start.
PATIENT = Config(retries={"mode": "standard", "max_attempts": 10})
EVENTS = text("""
    INSERT INTO animal_control.event (kind, subject_table, subject_id, actor, detail)
    SELECT 'tried', 'animal', gen_random_uuid(), 'x', jsonb_build_object('of', md5(n::text), 'and', md5(n::text || 'x'))
    FROM generate_series(1, :rows) n
""")
DOCUMENT = text("""
    INSERT INTO animal_control.document
        (id, kind, original_key, original_name, media_type, size_bytes, sha256, thumbnail_key, uploaded_at)
    VALUES (gen_random_uuid(), 'certificate', :key, 'x.pdf', 'application/pdf', :size, repeat('0', 64), :key, now())
""")


def run(*arguments: object, environment: dict[str, str]) -> tuple[float, int, str]:
    """One command of the console: its seconds, its most memory in MB, what it said."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "portal.cli", *map(str, arguments)]
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    return time.monotonic() - begun, used.ru_maxrss // 1024, said


def fill(place: Place, *, rows: int, files: int, size: int) -> None:
    engine, storage = create_engine(place.url, poolclass=pool.NullPool), storage_from(place.storage_url)
    with engine.begin() as connection:
        connection.execute(EVENTS, {"rows": rows})
        for _ in range(files):
            key = new_key("certificates")
            storage.put(key, BytesIO(os.urandom(size)))
            connection.execute(DOCUMENT, {"key": key, "size": size})


@contextmanager
def in_buckets() -> Iterator[Callable[[str], str]]:
    """An S3 store with a bucket; the address of a folder in it."""
    os.environ |= {"AWS_ACCESS_KEY_ID": "practice", "AWS_SECRET_ACCESS_KEY": "practice"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", str(port)], stderr=subprocess.DEVNULL)
    try:
        endpoint = f"http://127.0.0.1:{port}"
        client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", config=PATIENT)
        client.create_bucket(Bucket="bench")
        yield lambda folder: f"s3://bench/{folder}?endpoint={endpoint}&region=us-east-1"
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=500_000)
    options.add_argument("--files", type=int, default=2_000)
    options.add_argument("--kilobytes", type=int, default=300)
    options.add_argument("--buckets", action="store_true")
    asked = options.parse_args()
    with running_cluster() as cluster, tempfile.TemporaryDirectory() as made, ExitStack() as stack:
        folder, key = Path(made), AgeKey.new()
        place = stack.enter_context(in_buckets()) if asked.buckets else lambda name: f"file:{folder}/{name}"
        cluster.make_template(upgrade)
        settings = Settings.from_environment({"PORTAL_DATA": str(folder / "data")})
        here = Place(cluster.fresh_database(), place("files"), settings)
        there = Place(cluster.empty_database(), place("there"), settings)
        fill(here, rows=asked.rows, files=asked.files, size=asked.kilobytes * 1000)
        (folder / "key").write_text(key.private)
        usual = {"PORTAL_DATA": str(folder / "data"), "BACKUP_RECIPIENTS": key.public}
        at = [{**usual, "DATABASE_URL": one.url, "STORAGE_URL": one.storage_url} for one in (here, there)]
        backup = place("backup.age").removeprefix("file:")
        seconds, memory, said = run("backup", backup, environment=at[0])
        print(f"backup:  {seconds:.1f} s, {memory} MB of memory at most. {said.strip()}")
        seconds, memory, said = run("restore", backup, "--identity", folder / "key", environment=at[1])
        print(f"restore: {seconds:.1f} s, {memory} MB of memory at most.")
        rows, files = here.rows() ^ there.rows(), set(here.files().items()) ^ set(there.files().items())
        print(f"differences: {len(rows)} rows, {len(files)} files")


if __name__ == "__main__":
    main()

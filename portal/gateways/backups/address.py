"""Which backup an address names."""

from datetime import datetime
from pathlib import Path

from portal.gateways.backups.place import ENDING, BackupPlace, FileBackup, PlaceFailed
from portal.gateways.storage.url import BadStorageUrl, s3_address


def backup_at(address: str, *, at: datetime | None = None) -> BackupPlace:
    """The backup that a path or an `s3://` address names; with `at`, one of that moment where a folder is named.

    Raises PlaceFailed.
    """
    name = f"portal-{at:%Y-%m-%dT%H%M%SZ}.tar{ENDING}" if at else None
    if address.startswith("s3://"):
        # boto3 is slow to load, and most keep backups in a folder.
        from portal.gateways.backups.s3 import S3Backup

        try:
            place = s3_address(address, named="The address of a backup")
        except BadStorageUrl as wrong:
            raise PlaceFailed(str(wrong)) from wrong
        return S3Backup.of(place, address, name=name)
    path = Path(address)
    if name and path.is_dir():
        return FileBackup(path / name)
    if path.suffix != ENDING and name:
        raise PlaceFailed(f"There is no folder {path}: make it, or name a file that ends in {ENDING}")
    return FileBackup(path)

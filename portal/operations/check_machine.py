"""This machine and the city's own file: room on the disks, the hours of the city, and whether backups can be made."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import unquote, urlsplit

from portal.city import CityFileError, load_city
from portal.composition import city_file
from portal.gateways.backups.age_files import BadAgeKey, check_public
from portal.operations.findings import Finding, Installation, advice, well, wrong

GIGABYTE = 1_000_000_000
FULL_BYTES = GIGABYTE // 2
LITTLE_BYTES = 5 * GIGABYTE
LITTLE_PART = 0.1


def look_at_city(installation: Installation) -> Iterator[Finding]:
    """Whether the city's file can be read, and its time zone with it."""
    path = city_file(installation.settings.city)
    try:
        city = load_city(path)
    except (CityFileError, OSError) as failure:
        yield wrong("city", f"{path} can't be used: {failure}", "Correct the file, or PORTAL_CITY.")
        return
    yield well("city", f"{city.name} is read from {path.name}")
    now = datetime.now(UTC).astimezone(city.time_zone)
    zones = version("tzdata")
    yield well("time zone", f"In {city.time_zone.key} it is {now:%H:%M} ({now:%Z}), by the zones of {zones}")


def look_at_disk(installation: Installation) -> Iterator[Finding]:
    """Whether there is room where files, letters and the database of our own are kept."""
    settings, places = installation.settings, {installation.settings.data}
    if (parts := urlsplit(settings.storage_url)).scheme == "file":
        places.add(Path(unquote(parts.path)))
    disks = {place.stat().st_dev: place for place in map(_nearest, sorted(places))}
    for place in disks.values():
        total, _, free = shutil.disk_usage(place)
        said = f"{free / GIGABYTE:.1f} GB are free at {place}"
        fix = "Make room: files that people send can't be kept on a full disk."
        if free < FULL_BYTES:
            yield wrong("disk", said, fix)
        elif free < LITTLE_BYTES and free < total * LITTLE_PART:
            yield advice("disk", said, fix)
        else:
            yield well("disk", said)


def look_at_backups(installation: Installation) -> Iterator[Finding]:
    """Whether a backup could be made."""
    recipients = installation.settings.backup_recipients
    try:
        for public in recipients:
            check_public(public)
    except BadAgeKey as failure:
        yield wrong("backups", str(failure), "Copy the public key anew into BACKUP_RECIPIENTS.")
        return
    if recipients:
        yield well("backups", f"They are sealed for {len(recipients)} key{'s' if len(recipients) > 1 else ''}")
    else:
        yield advice("backups", "No backup can be made", "portal backup-key FILE, then set BACKUP_RECIPIENTS.")


def _nearest(place: Path) -> Path:
    """The folder, or the one above it that is there."""
    return next(above for above in (place, *place.parents) if above.exists())

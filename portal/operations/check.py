"""`portal check`: looks at every part of the installation, one after the other, and tells what to put right.

A new part is one more function in LOOKS: it takes the installation and yields findings.
"""

from collections.abc import Iterator

from portal.operations.check_database import look_at_database, look_at_logins, look_at_replica
from portal.operations.check_machine import look_at_backups, look_at_city, look_at_disk
from portal.operations.check_outside import (
    look_at_bounces,
    look_at_mail,
    look_at_processor,
    look_at_scanner,
    look_at_storage,
    look_at_texts,
)
from portal.operations.findings import Finding, Installation, Look, wrong

LOOKS: tuple[Look, ...] = (
    look_at_city,
    look_at_database,
    look_at_logins,
    look_at_replica,
    look_at_storage,
    look_at_mail,
    look_at_bounces,
    look_at_processor,
    look_at_texts,
    look_at_scanner,
    look_at_disk,
    look_at_backups,
)


def look_at_everything(installation: Installation) -> Iterator[Finding]:
    """Every finding; a look that fails itself is one more, and holds up no other."""
    for look in LOOKS:
        name = look.__name__.removeprefix("look_at_")
        try:
            yield from look(installation)
        except Exception as failure:
            kind = type(failure).__name__  # what it says may hold an address with a password
            yield wrong(
                name, f"It could not be looked at ({kind})", "Report this: portal check should have foreseen it."
            )

"""Letters as .eml files in a folder, for a first run without a mail server."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from portal.gateways.mail.letter import Letter, MailDeferred, compose, one_line


@dataclass(frozen=True)
class FileMailer:
    """Keeps each letter as a file, the newest last by name, and says so in one line."""

    folder: Path
    sender: str
    announce: Callable[[str], None]

    def send(self, letter: Letter) -> None:
        """A reader of the folder sees a whole letter or none."""
        now = datetime.now(UTC)
        message = compose(letter, sender=self.sender, sent_at=now)
        path = self.folder / f"{now:%Y%m%dT%H%M%S.%fZ}-{uuid4().hex[:8]}.eml"
        try:
            write_whole(path, message.as_bytes())
        except OSError as problem:
            raise MailDeferred(f"The letter could not be kept in {self.folder}: {problem}") from problem
        self.announce(f"Mail to {one_line(letter.to)}: {one_line(letter.subject)} ({path})")


def write_whole(path: Path, content: bytes) -> None:
    """A file that is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise

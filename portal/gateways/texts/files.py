"""Texts as .txt files in a folder, for a first run without a provider of texts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from portal.gateways.mail.files import write_whole
from portal.gateways.texts.sending import Text, TextDeferred


@dataclass(frozen=True)
class FileTextSender:
    """Keeps each text as a file, the newest last by name, and says so in one line."""

    folder: Path
    announce: Callable[[str], None]

    def send(self, text: Text) -> None:
        """A reader of the folder sees a whole text or none."""
        path = self.folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{text.key[:8]}.txt"
        try:
            write_whole(path, f"To: {text.to}\n\n{text.words}\n".encode())
        except OSError as problem:
            raise TextDeferred(f"The text could not be kept in {self.folder}: {problem}") from problem
        self.announce(f"Text to {text.to}: {text.words} ({path})")

"""Files sealed in the age format (https://age-encryption.org/v1); the only module that knows pyrage.

Whoever seals needs public keys alone, so a server that makes backups can't read them. The command `age` opens them too.
"""

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader, FileIO
from os import pipe
from typing import IO, Any, Protocol, cast

import pyrage

IDENTITY = re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]+")
PIPE_BYTES = 1 << 20


class BadAgeKey(ValueError):
    """What should be a key of age is none; the sentence says which kind was expected."""


class CannotOpen(Exception):
    """A sealed file can't be opened; the sentence says why."""


class Readable(Protocol):
    """Where bytes come from."""

    def read(self, size: int = -1, /) -> bytes: ...


class Writable(Protocol):
    """Where bytes go."""

    def write(self, content: bytes, /) -> int: ...


@dataclass(frozen=True)
class AgeKey:
    """A private key, which opens what is sealed for its public one; `older` ones open what was sealed for theirs."""

    private: str = field(repr=False)
    older: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def new(cls) -> "AgeKey":
        return cls(str(pyrage.x25519.Identity.generate()))

    @property
    def public(self) -> str:
        """What may stand in settings: `age1...`."""
        return str(self._identities()[0].to_public())

    @classmethod
    def from_text(cls, text: str) -> "AgeKey":
        """The keys in a file as `age-keygen` and `portal backup-key` write it, the newest first."""
        found = IDENTITY.findall(text)
        if not found:
            raise BadAgeKey("it holds no line that begins with AGE-SECRET-KEY-1")
        key = cls(found[0], tuple(found[1:]))
        key._identities()
        return key

    def _identities(self) -> list[Any]:
        try:
            return [pyrage.x25519.Identity.from_str(private) for private in (self.private, *self.older)]
        except pyrage.IdentityError as failure:
            raise BadAgeKey("a line that begins with AGE-SECRET-KEY-1 was cut off or mistyped") from failure


def seal(content: Readable, target: Writable, *, for_keys: Iterable[str]) -> None:
    """Write `content` to `target`, so that any of the private keys to these public ones opens it."""
    source, sink = _Remembering(content), _Remembering(target)
    try:
        pyrage.encrypt_io(source, sink, [_recipient(key) for key in for_keys])
    except (pyrage.EncryptError, OSError) as failure:
        raise source.failure or sink.failure or failure from None
    if sink.failure:  # of what is written last, the library says nothing
        raise sink.failure


@contextmanager
def opened(sealed: Readable, key: AgeKey) -> Iterator[IO[bytes]]:
    """What a sealed file holds, to be read once from its start; raises CannotOpen when it was damaged or cut off.

    What was read is good only once the block has ended without that.
    """
    reading, writing = pipe()
    opener = _Opener(sealed, writing, key)
    with BufferedReader(FileIO(reading), PIPE_BYTES) as content:
        opener.start()
        try:
            yield content
            while content.read(PIPE_BYTES):
                pass
        except Exception as failure:
            content.close()
            opener.join()
            raise opener.failure or failure from failure
        finally:
            content.close()
            opener.join()
    if opener.failure:
        raise opener.failure


def _recipient(public: str) -> Any:
    try:
        return pyrage.x25519.Recipient.from_str(public)
    except pyrage.RecipientError as failure:
        raise BadAgeKey(f"“{public}” is no public key of age, which begins with age1") from failure


def check_public(public: str) -> None:
    """Raises BadAgeKey."""
    _recipient(public)


class _Remembering:
    """A source or a target that keeps what went wrong with it, since the library passes on only what it said."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.failure: BaseException | None = None

    def read(self, size: int = -1) -> bytes:
        return cast(bytes, self._do(self._inner.read, size))

    def write(self, content: bytes) -> int:
        return cast(int, self._do(self._inner.write, content))

    def flush(self) -> None:
        """Nothing is held back here."""

    def _do(self, deed: Any, given: Any) -> Any:
        try:
            return deed(given)
        except BaseException as failure:
            self.failure = failure
            raise


class _Opener(threading.Thread):
    """Opens beside whoever reads: the library pushes what it opens, and a reader wants to pull."""

    def __init__(self, sealed: Readable, writing: int, key: AgeKey) -> None:
        super().__init__(name="opening a backup", daemon=True)
        self._sealed, self._writing, self._key = _Remembering(sealed), writing, key
        self.failure: BaseException | None = None

    def run(self) -> None:
        with FileIO(self._writing, "wb") as plain:
            target = _Remembering(_Whole(plain))
            try:
                pyrage.decrypt_io(self._sealed, target, self._key._identities())
            except (pyrage.DecryptError, OSError, ValueError) as failure:
                if not isinstance(target.failure, BrokenPipeError):  # the reader has had enough
                    self.failure = self._sealed.failure or CannotOpen(_why(failure))


class _Whole:
    """A pipe takes what it has room for; the library takes it to have taken all."""

    def __init__(self, plain: FileIO) -> None:
        self._plain = plain

    def write(self, content: bytes) -> int:
        view = memoryview(content)
        while view:
            view = view[self._plain.write(view) or 0 :]
        return len(content)


def _why(failure: BaseException) -> str:
    said = str(failure)
    if "No matching keys" in said:
        return "it was sealed for another key"
    if "Incomplete header" in said or "fill whole buffer" in said or "Header is invalid" in said:
        return "it is no file in the age format, or only the beginning of one"
    return "it was damaged or cut off"

"""A virus scanner: Debian's clamd with one signature of ours, or a double that speaks as much of its protocol.

No signature is downloaded: the only virus either of them knows is a harmless text.
"""

import fcntl
import os
import shutil
import socketserver
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from portal.gateways.scanning import ClamdScanner

VIRUS = b"THIS TEXT PLAYS A VIRUS IN THE TESTS OF THE PORTAL"
NAME = "Portal.Test.Virus"
START_SECONDS = 90.0
LARGEST_BYTES = 2_000_000
CONFIGURATION = """\
LocalSocket {folder}/clamd.ctl
TCPSocket {port}
TCPAddr 127.0.0.1
DatabaseDirectory {folder}/signatures
TemporaryDirectory {folder}
StreamMaxLength 2M
Foreground yes
{as_root}
"""


@dataclass
class ScannerDouble:
    """As much of clamd as PING and INSTREAM; `says` takes the place of its answers."""

    url: str = ""
    says: bytes | None = None
    hangs: bool = False
    scanned: int = 0

    def answer(self, content: bytes) -> bytes:
        self.scanned += 1
        if self.says is not None:
            return self.says
        return f"stream: {NAME} FOUND".encode() if VIRUS in content else b"stream: OK"


@contextmanager
def scanner_double() -> Iterator[ScannerDouble]:
    """It listens on this machine until the block ends."""
    double = ScannerDouble()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            if double.hangs:
                self.rfile.read()
                return
            command = b""
            while not command.endswith(b"\0") and (part := self.rfile.read(1)):
                command += part
            self.wfile.write((b"PONG" if command == b"zPING\0" else double.answer(self._stream())) + b"\0")

        def _stream(self) -> bytes:
            content = b""
            while size := struct.unpack("!L", self.rfile.read(4))[0]:
                content += self.rfile.read(size)
            return content

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Handler) as server:
        double.url = f"tcp://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield double
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def scanner() -> Iterator[ScannerDouble]:
    """The double, by itself."""
    with scanner_double() as double:
        yield double


@pytest.fixture(scope="session")
def clamd_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the socket of a real clamd; skipped where there is none and none can be installed."""
    program = _clamd()
    if program is None:
        pytest.skip("there is no clamd, and only root may install Debian's")
    # The name of a socket may have no more than a hundred characters.
    with tempfile.TemporaryDirectory(prefix="portal-clamd-") as name:
        folder = Path(name)
        (folder / "signatures").mkdir()
        (folder / "signatures" / "portal.ndb").write_text(f"{NAME}:0:*:{VIRUS.hex()}\n")
        as_root = "User root" if os.geteuid() == 0 else ""
        (folder / "clamd.conf").write_text(CONFIGURATION.format(folder=folder, port=_free_port(), as_root=as_root))
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen([program, "--config-file", folder / "clamd.conf"], stdout=log, stderr=log)
        try:
            _wait_for(folder, running)
            yield folder
        finally:
            running.terminate()
            running.wait()


def _wait_for(folder: Path, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while not ClamdScanner(str(folder / "clamd.ctl")).ping():
        said = (folder / "log").read_text()[-1000:]
        assert running.poll() is None, said
        assert time.monotonic() < until, said
        time.sleep(0.02)


def _free_port() -> int:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as probe:
        return int(probe.server_address[1])


def _clamd() -> str | None:
    """The machine's, or Debian's package for root: twenty seconds, once."""
    with Path(tempfile.gettempdir(), f"animal-portal-clamd-{os.geteuid()}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _present() or _from_debian()


def _present() -> str | None:
    return shutil.which("clamd") or shutil.which("clamd", path="/usr/sbin:/usr/local/sbin")


def _from_debian() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "clamav-daemon"]):
        ended = subprocess.run(
            ["apt-get", "--quiet", "--quiet", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if ended.returncode != 0:
            return None
    return _present()

"""Chromium for the browser tests: the machine's own, or one that is installed for them.

`python -m tests.support.browser` prints its path, so that it is there before the tests start in parallel.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

# The shell is the same engine with no window around it: pages take half of the processor's time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowser(Exception):
    """There is no Chromium and none could be installed; the message says what to do."""


def chromium_path() -> Path:
    """The path of a Chromium: $CHROMIUM, the machine's, Debian's package for root, else Playwright's own build."""
    if named := os.environ.get("CHROMIUM"):
        if not Path(named).exists():
            raise NoBrowser(f"CHROMIUM names {named}, which is not there.")
        return Path(named)
    with _one_at_a_time():
        return _present() or _from_debian() or _from_playwright()


def _present() -> Path | None:
    return next((Path(found) for name in NAMES if (found := shutil.which(name))), None)


def _from_debian() -> Path | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (
        ["update"],
        ["install", "--yes", "--no-install-recommends", "chromium-headless-shell", "fonts-liberation"],
    ):
        ended = _run("apt-get", "--quiet", "--quiet", *arguments, environment=environment)
        if ended.returncode != 0:
            sys.stderr.write(ended.stdout[-2000:])
            return None
    return _present()


def _from_playwright() -> Path:
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    if not path.exists():
        ended = _run(sys.executable, "-m", "playwright", "install", "chromium", environment=dict(os.environ))
        if ended.returncode != 0:
            raise NoBrowser(f"Install Chromium, or name it in CHROMIUM. Playwright said: {ended.stdout[-2000:]}")
    return path


def _run(*command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    lock = Path(tempfile.gettempdir(), f"animal-portal-browser-{os.geteuid()}.lock")
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.stdout.write(f"{chromium_path()}\n")

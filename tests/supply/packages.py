"""The packages that the lock files name, and under which license each comes."""

import json
import re
from dataclasses import dataclass, field
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON_LOCK = ROOT / "requirements.lock"
NODE_LOCKS = (ROOT / "portal" / "static" / "package-lock.json", ROOT / "bench" / "package-lock.json")
PINNED = re.compile(r"^([a-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE | re.IGNORECASE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
CLASSIFIER = "License :: OSI Approved :: "
LONGEST_NAME = 60
INSIDE = "node_modules/"
UNKNOWN = "unknown"
# What the packages say of themselves in words, by its SPDX name.
SPOKEN = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache 2": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "MIT license": "MIT",
    "ZPL 2.1": "ZPL-2.1",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
}
# Read by a person, where the package's own words are no name of a license, or it is not installed on every system.
BY_HAND = {
    "@uswds/uswds": "CC0-1.0 AND MIT AND OFL-1.1",
    "brotlicffi": "MIT",
    "colorama": "BSD-3-Clause",
    "parse-cache-control": "BSD-3-Clause",
    "pyrage": "MIT",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "pywin32": "PSF-2.0",
}


@dataclass(frozen=True)
class Package:
    """One pinned package. `license` is an SPDX expression where the package gives one."""

    kind: str  # pypi or npm
    name: str
    version: str
    license: str
    hashes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def address(self) -> str:
        """Its package URL (https://github.com/package-url/purl-spec)."""
        name = self.name.replace("@", "%40", 1) if self.name.startswith("@") else self.name
        return f"pkg:{self.kind}/{name}@{self.version}"


def packages() -> list[Package]:
    """All of them, by kind and name."""
    return sorted({*_python(), *_node()}, key=lambda one: (one.kind, one.name, one.version))


def _python() -> list[Package]:
    """Those of the lock; a package for another system is not installed here, and says nothing of its license."""
    text = PYTHON_LOCK.read_text()
    starts = list(PINNED.finditer(text))
    ends = [one.start() for one in starts[1:]] + [len(text)]
    return [
        Package("pypi", one[1], one[2], _license_of(one[1]), tuple(HASH.findall(text[one.start() : end])))
        for one, end in zip(starts, ends, strict=True)
    ]


def _license_of(name: str) -> str:
    if name in BY_HAND:
        return BY_HAND[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return UNKNOWN
    return said.get("License-Expression") or _spoken(said)


def _spoken(said: PackageMetadata) -> str:
    """In words, of packages that are older than the field for it."""
    short = (said.get("License") or "").strip()
    if short and len(short) <= LONGEST_NAME and "\n" not in short:
        return SPOKEN.get(short, short)
    found = [one.removeprefix(CLASSIFIER) for one in said.get_all("Classifier") or () if one.startswith(CLASSIFIER)]
    return " OR ".join(SPOKEN.get(one, one) for one in found) or UNKNOWN


def _node() -> list[Package]:
    return [
        Package("npm", path.rpartition(INSIDE)[2], entry["version"], _said_by(path, entry))
        for lock in NODE_LOCKS
        for path, entry in json.loads(lock.read_text())["packages"].items()
        if path.startswith(INSIDE)
    ]


def _said_by(path: str, entry: dict[str, str]) -> str:
    return BY_HAND.get(path.rpartition(INSIDE)[2]) or SPOKEN.get(
        entry.get("license", ""), entry.get("license", UNKNOWN)
    )

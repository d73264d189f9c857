"""`python -m tests.supply.licenses` writes docs/licenses.md anew: every package and its license."""

import re
from collections.abc import Sequence

from tests.supply.packages import ROOT, Package, packages

LIST = ROOT / "docs" / "licenses.md"
# Each may be used in, and handed on with, software under any license; MPL, LGPL and ZPL ask that changes to the package
# itself stay open, and the portal changes none.
COMPATIBLE = {
    *("MIT", "MIT-0", "MIT-CMU", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0"),
    *("PSF-2.0", "CNRI-Python", "Zlib", "CC0-1.0", "Unlicense", "OFL-1.1"),
    *("MPL-2.0", "LGPL-3.0-only", "ZPL-2.1"),
}
HEAD = """# Licenses of what the portal is built from

Made by `make licenses` from the lock files; a test keeps it so, and fails for a license that nobody has looked at. For
tests and measuring alone: all of npm but htmx and USWDS, and of Python what the lock lists under `dev`.

| package | from | license |
|---|---|---|
"""


def unfit(package: Package) -> set[str]:
    """Licenses of a package that are not known to be compatible; of several to choose from one is enough."""
    choices = [set(re.split(r"\s+AND\s+", choice)) for choice in _choices(package.license)]
    return set() if any(choice <= COMPATIBLE for choice in choices) else set().union(*choices) - COMPATIBLE


def text(found: Sequence[Package]) -> str:
    """The list."""
    rows = dict.fromkeys(f"| {one.name} | {one.kind} | {one.license} |\n" for one in found)
    return HEAD + "".join(rows)


def _choices(expression: str) -> list[str]:
    return re.split(r"\s+OR\s+", expression.strip("()"))


if __name__ == "__main__":
    LIST.write_text(text(packages()))

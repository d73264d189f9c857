"""`python -m tests.supply.bill FILE` writes a bill of materials: CycloneDX 1.5, both kinds of packages, with hashes."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.supply.packages import Package, packages


def bill(found: Sequence[Package]) -> dict[str, Any]:
    """https://cyclonedx.org/docs/1.5/json/"""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "animal-portal"}},
        "components": [_component(one) for one in found],
    }


def _component(package: Package) -> dict[str, Any]:
    said = package.license
    told = {"expression": said} if " " in said else {"license": {"id": said}}
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.address,
        "name": package.name,
        "version": package.version,
        "purl": package.address,
        "licenses": [told],
    }
    if len(package.hashes) == 1:  # of several files which one was installed depends on the machine
        component["hashes"] = [{"alg": "SHA-256", "content": package.hashes[0]}]
    return component


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(bill(packages()), indent=1))

"""Starting a part of the portal in a process of its own without loading the whole application.

The roots of the package and of its console load all of it, which takes seconds where two cores are busy. Tests that
start many processes put this before their program: the roots are then only folders to import from.
"""

from pathlib import Path

import portal

ROOT = Path(portal.__file__).parent

WITHOUT_THE_APPLICATION = f"""
import sys, types
for name, folder in {{"portal": {str(ROOT)!r}, "portal.cli": {str(ROOT / "cli")!r}}}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
"""

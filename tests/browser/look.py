"""`python -m tests.browser.look FOLDER` draws posters, and the pages that the tests look at, at 390 and 1280 pixels."""

import os
import sys
from pathlib import Path

import pytest

from tests.support.posters import draw_posters

if __name__ == "__main__":
    os.environ["PORTAL_SCREENSHOTS"] = sys.argv[1]
    draw_posters(Path(sys.argv[1]))
    pages = [
        f"tests/browser/test_{name}.py"
        for name in ("every_page", "found_tag", "fee_question", "barking_timer", "boards", "notices", "dangerous_pages")
    ]
    sys.exit(pytest.main(["--quiet", "-p", "no:randomly", *pages]))

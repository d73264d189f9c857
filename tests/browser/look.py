"""`python -m tests.browser.look FOLDER` draws every page that the tests look at, at 390 and at 1280 pixels."""

import os
import sys

import pytest

if __name__ == "__main__":
    os.environ["PORTAL_SCREENSHOTS"] = sys.argv[1]
    pages = [f"tests/browser/test_{name}.py" for name in ("every_page", "found_tag", "fee_question", "barking_timer")]
    sys.exit(pytest.main(["--quiet", "-p", "no:randomly", *pages]))

"""`python -m tests.browser.look FOLDER` draws every page that the tests look at, at 390 and at 1280 pixels."""

import os
import sys

import pytest

if __name__ == "__main__":
    os.environ["PORTAL_SCREENSHOTS"] = sys.argv[1]
    sys.exit(pytest.main(["--quiet", "-p", "no:randomly", "tests/browser/test_every_page.py"]))

"""A form as it arrives: fields of a POST in, data and sentences out."""

from collections.abc import Iterator
from datetime import date

import pytest
from flask import Flask

TODAY = date(2026, 11, 30)


@pytest.fixture
def app() -> Flask:
    """Enough of an application for a form to have a session."""
    app = Flask(__name__)
    app.config.update(SECRET_KEY="only for tests", WTF_CSRF_TIME_LIMIT=None)
    return app


@pytest.fixture
def without_tokens(app: Flask) -> Iterator[Flask]:
    """For tests about answers: the token has tests of its own."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app.test_request_context("/", method="POST"):
        yield app

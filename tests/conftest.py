"""The fixtures that every test may ask for; each lives in the module that is about it."""

import pytest

pytest.register_assert_rewrite("tests.support", "tests.web.things")  # before any of them imports another

pytest_plugins = [
    "tests.support.order",
    "tests.support.properties",
    "tests.support.cluster",
    "tests.support.database",
    "tests.support.portal",
    "tests.support.card_page",
    "tests.support.outbox",
    "tests.support.logs",
    "tests.support.watching",
    "tests.support.page_checker",
    "tests.support.people",
    "tests.support.registrations",
    "tests.support.dangerous",
    "tests.support.filings",
    "tests.support.sample_table",
    "tests.support.household",
    "tests.support.reporting",
    "tests.support.desk",
    "tests.support.walk_in",
    "tests.support.console",
    "tests.support.money",
    "tests.support.buckets",
    "tests.support.clamd",
    "tests.faults.figures",
    "tests.web.things",
]

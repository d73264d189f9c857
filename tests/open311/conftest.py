"""Somebody's software with a key of the city, in either format."""

import pytest
from sqlalchemy import select

from portal.schema.reports import Report
from portal.services.reports.handle_report import close_report
from portal.services.reports.open311_keys import add_key
from tests.open311.client import GeoReport


@pytest.fixture
def key(reporting):
    """A key that the city gave out."""
    with reporting.desk() as session:
        return add_key(session, name="Pothole app", officer="amy@benson.example")


@pytest.fixture(params=["xml", "json"])
def software(request, app):
    """The client, without cookies."""
    return GeoReport(app.test_client(use_cookies=False), request.param)


@pytest.fixture
def in_json(app):
    return GeoReport(app.test_client(use_cookies=False), "json")


@pytest.fixture
def close(reporting):
    """An officer closes the only report there is."""

    def close(reason, report_id=None):
        with reporting.desk() as session:
            chosen = report_id or session.scalars(select(Report.id)).one()
            close_report(session, report_id=chosen, reason=reason, officer="amy", clock=reporting.clock)

    return close

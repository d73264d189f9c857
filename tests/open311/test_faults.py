"""When something of ours fails, software reads of it in its own format."""

import pytest
from sqlalchemy.exc import OperationalError

from portal.views.access import Access, open_to
from tests.open311.client import read

FAULTS = {
    "a fault": (RuntimeError("the private parts"), 500, "reference"),
    "a database that is gone": (OperationalError("SELECT 1", {}, Exception("the private parts")), 503, "busy"),
}


@pytest.mark.parametrize("ending", ["xml", "json"])
@pytest.mark.parametrize(("failure", "status", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_ours_is_an_error_with_a_reference(make_app, ending, failure, status, said):
    def broken():
        raise failure

    app = make_app()
    address = f"/open311/v2/broken.{ending}"
    app.add_url_rule(address, view_func=open_to(Access.ANYONE)(broken))
    answer = app.test_client().get(address)
    [error] = read(ending, "errors", answer.data)
    assert (answer.status_code, error["code"]) == (status, str(status))
    assert said in error["description"].lower()
    assert "private" not in answer.text
    assert ("Retry-After" in answer.headers) is (status == 503)


def test_a_format_that_there_is_not_is_not_there(app):
    for ending in (".html", "", ".xml.json", ".XML"):
        answer = app.test_client().get(f"/open311/v2/services{ending}")
        assert answer.status_code == 404
        assert read("json" if ending.endswith("json") else "xml", "errors", answer.data)


def test_what_is_the_same_for_everybody_may_be_kept_and_what_is_ones_own_may_not(app, key, in_json):
    sent = in_json.send(api_key=key, service_code="barking", address_string="1312 Idaho Ave")
    for what, kept in [("services", "no-cache"), ("requests", "no-cache"), (None, "no-store")]:
        address = what or f"requests/{sent['service_request_id']}"
        answer = app.test_client().get(f"/open311/v2/{address}.json")
        assert answer.headers["Cache-Control"] == kept
        assert "Set-Cookie" not in answer.headers
        assert "Access-Control-Allow-Origin" not in answer.headers

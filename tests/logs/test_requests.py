"""Each request has an id and one line: the route and never the address, and nothing of who asked."""

import json
import re

import pytest

from portal.views.access import Access, open_to
from tests.web.routes import endpoints_of, methods_of
from tests.web.things import things  # noqa: F401 - what every address is about

ID = "5f0c1a2b3c4d5e6f"
MARK = "Zaphod-Marked"


def test_a_request_leaves_one_line_and_the_answer_carries_its_id(app, log):
    answer = app.test_client().get(f"/tags/2026-7?q={MARK}", headers={"User-Agent": MARK, "Cookie": f"a={MARK}"})
    [line] = log.requests
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert line["ms"] > 0
    told = {name: line[name] for name in ("level", "method", "route", "status", "bytes", "message")}
    assert told == {
        "level": "INFO",
        "method": "GET",
        "route": "/tags/<number>",
        "status": 200,
        "bytes": len(answer.data),
        "message": "GET /tags/<number> 200",
    }
    assert MARK not in "".join(log.lines)


def test_what_is_nowhere_and_built_files_leave_no_address_either(app, log):
    client = app.test_client()
    client.get(f"/nowhere/{MARK}")
    client.get(f"/static/{MARK}.css")
    client.open("/", method="ROBIN")
    assert [(line["method"], line["route"], line["status"]) for line in log.requests] == [
        ("GET", "none", 404),
        ("GET", "/static/<file>", 404),
        ("other", "none", 405),
    ]
    assert MARK not in "".join(log.lines)


@pytest.mark.parametrize(
    ("trusted_proxies", "given", "is_taken"),
    [
        pytest.param(1, ID, True, id="of our proxy"),
        pytest.param(1, "0b8f1f0e-9a53-4d10-8a56-0f2b9f2f3c11", True, id="a UUID of our proxy"),
        pytest.param(0, ID, False, id="of anybody"),
        pytest.param(1, "robin@example.com", False, id="not an id"),
        pytest.param(1, f"{ID}\x85", False, id="with more behind it"),
        pytest.param(1, "ab" * 40, False, id="too long"),
        pytest.param(1, "", False, id="empty"),
    ],
)
def test_an_id_is_taken_from_our_own_proxy_alone_and_only_if_it_is_one(make_app, log, trusted_proxies, given, is_taken):
    app = make_app(trusted_proxies=trusted_proxies)
    answer = app.test_client().get("/health/live", headers={"X-Request-ID": given})
    assert (answer.headers["X-Request-ID"] == given) is is_taken
    assert log.requests[0]["request_id"] == answer.headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f-]{16,64}", answer.headers["X-Request-ID"])


def test_the_reference_on_an_error_page_leads_to_the_request_and_the_failure(make_app, log):
    app = make_app()

    def failing():
        raise ValueError(MARK)

    app.add_url_rule("/failing", view_func=open_to(Access.ANYONE)(failing))
    answer = app.test_client().get("/failing")
    fault = next(line for line in log.told if "trace" in line)
    reference = fault["message"].removeprefix("fault ")
    assert (answer.status_code, reference in answer.text) == (500, True)
    assert fault["request_id"] == log.requests[0]["request_id"] == answer.headers["X-Request-ID"]
    assert MARK not in "".join(log.lines)


def test_no_address_of_the_portal_leaves_a_token_or_a_name_in_the_log(app, resident, visitor, things, log):  # noqa: F811
    """Every route, by somebody signed in and by nobody, each with marked data in its query and in what it posts."""
    values = {str(value) for told in (things.usual, *things.instead.values()) for value in told.values()}
    secrets = {value for value in values if len(value) >= 8} | {MARK, "the link of a finder"}
    for person in (resident, visitor):
        for endpoint in endpoints_of(Access.ANYONE, Access.RESIDENT, Access.MACHINE):
            address = f"{things.address(app, endpoint)}?q={MARK}&email={MARK}"
            for method in methods_of(app, endpoint) & {"GET", "POST"}:
                person.client.open(address, method=method, data={"name": MARK, "email": f"{MARK}@example.com"}).close()
    assert len(log.requests) > 300
    assert [line for line in log.lines for secret in secrets if secret in line] == []
    assert not [name for line in log.requests for name in line if name not in json.loads(log.lines[-1])]

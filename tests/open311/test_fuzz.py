"""Whatever is sent: no fault of ours, and an answer that the specification knows."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.open311.client import read
from tests.open311.description import DOCUMENT

OPERATIONS = sorted((method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods)
# Where every text is allowed, nothing can be sent that the document forbids.
WAYS = [(method, path, GenerationMode.POSITIVE) for method, path in OPERATIONS]
WAYS += [(method, "/open311/v2/requests.json", GenerationMode.NEGATIVE) for method in ("GET", "POST")]
CASES_EACH = 15
QUICKLY = settings(
    max_examples=CASES_EACH,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# What breaks parsers and addresses: control characters, halves of characters, markup, numbers without end.
NASTY = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        ["\x00", "\ud800", "]]>", "&x;", "%s", "9" * 5000, "-0", "1e999", "nan", "٣", "0001-01-01", "🐶" * 99]
    ),
)
NAMES = ("lat", "long", "address_string", "address_id", "description", "email", "first_name", "phone", "media_url")
ATTRIBUTES = ("animal", "happened_at", "is_again", "species", "tag", "", "x", "animal][", "[")
SENT = st.dictionaries(
    st.sampled_from([*NAMES, *(f"attribute[{code}]" for code in ATTRIBUTES)]), NASTY, min_size=1, max_size=8
)


@pytest.mark.parametrize(("method", "path", "mode"), WAYS)
def test_the_portal_answers_as_the_specification_says(app, key, in_json, method, path, mode):
    described = schemathesis.openapi.from_dict(DOCUMENT)
    described.app = app
    operation = described[path][method]
    known = in_json.send(api_key=key, service_code="stray", address_string="Park")["service_request_id"]
    sent = []

    @QUICKLY
    @given(case=operation.as_strategy(generation_mode=mode), is_known=st.booleans())
    def send(case, is_known):
        if is_known and case.path_parameters:
            case.path_parameters = dict.fromkeys(case.path_parameters, known)
        if is_known and isinstance(case.body, dict):
            case.body = {**case.body, "api_key": key}
        answer = case.call(headers={"Accept-Encoding": "identity"})
        sent.append(answer.status_code)
        assert answer.status_code < 500, answer.text
        operation.validate_response(answer)

    send()
    assert len(sent) >= 1


@pytest.mark.parametrize("ending", ["xml", "json"])
def test_whatever_is_typed_is_taken_or_explained(app, key, database, ending):
    client = app.test_client(use_cookies=False)
    seen = set()

    @settings(QUICKLY, max_examples=60)
    @given(sent=SENT, kind=st.sampled_from(["barking", "dead_animal", "other"]))
    def send(sent, kind):
        database.run("DELETE FROM portal.rate_limit")
        typed = {name: value.encode("utf-8", "surrogatepass") for name, value in sent.items()}
        address = f"/open311/v2/requests.{ending}"
        answer = client.post(address, data={**typed, "api_key": key, "service_code": kind})
        seen.add(answer.status_code)
        assert answer.status_code in {200, 400}, answer.text
        root = "errors" if answer.status_code == 400 else "service_requests"
        assert read(ending, root, answer.data)

    send()
    assert seen == {200, 400}


@pytest.mark.parametrize("ending", ["xml", "json"])
def test_whatever_is_asked_for_is_found_or_is_not_there(app, database, ending):
    client = app.test_client(use_cookies=False)

    @settings(QUICKLY, max_examples=60)
    @given(what=st.sampled_from(["services/{}", "requests/{}", "tokens/{}"]), asked=st.text(max_size=100), more=NASTY)
    def ask(what, asked, more):
        database.run("DELETE FROM portal.rate_limit")
        one = asked.encode("utf-8", "replace").decode()
        assert client.get(f"/open311/v2/{what.format(one)}.{ending}").status_code in {200, 400, 404, 308}
        for name in ("service_request_id", "service_code", "status", "start_date", "end_date"):
            value = more.encode("utf-8", "surrogatepass")
            answer = client.get(f"/open311/v2/requests.{ending}", query_string={name: value})
            assert answer.status_code in {200, 400, 404}, answer.text
            read(ending, "service_requests" if answer.status_code == 200 else "errors", answer.data)

    ask()

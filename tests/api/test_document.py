"""The OpenAPI document, and whether the application does what it says."""

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.api.conftest import ADDRESS, Software

DOCUMENT = "/api/v1/openapi.json"
OPERATIONS = {
    ("POST", ADDRESS),
    ("GET", ADDRESS),
    ("GET", f"{ADDRESS}/{{filing_id}}"),
    ("DELETE", f"{ADDRESS}/{{filing_id}}"),
    ("PUT", f"{ADDRESS}/{{filing_id}}/file"),
}
CASES_EACH = 12


def operations(app: Flask) -> dict[tuple[str, str], Any]:
    described = schemathesis.openapi.from_wsgi(DOCUMENT, app)
    return {(one.ok().method.upper(), one.ok().path): one.ok() for one in described.get_all_operations()}


def test_the_document_is_for_everybody_and_names_every_operation(app: Flask) -> None:
    answer = app.test_client().get(DOCUMENT)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
    assert answer.json is not None
    assert answer.json["openapi"] == "3.1.0"
    assert answer.json["security"] == [{"token": []}]
    assert set(operations(app)) == OPERATIONS


def test_every_operation_describes_its_errors_as_problems(app: Flask) -> None:
    told = app.test_client().get(DOCUMENT).json
    assert told is not None
    for path in told["paths"].values():
        for operation in (one for one in path.values() if "responses" in one):
            assert {"400", "401", "429", "500"} <= set(operation["responses"])
    for problem in told["components"]["responses"].values():
        assert list(problem["content"]) == ["application/problem+json"]


def test_the_documents_own_example_is_taken(app: Flask, software: Software) -> None:
    told = app.test_client().get(DOCUMENT).json
    assert told is not None
    content = told["paths"][ADDRESS]["post"]["requestBody"]["content"]["application/json"]
    assert "555" in content["example"]["owner_phone"]
    software.file(**content["example"])


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
@pytest.mark.parametrize(("method", "path"), sorted(OPERATIONS))
def test_the_application_answers_as_described(
    app: Flask, software: Software, method: str, path: str, mode: GenerationMode
) -> None:
    """Whatever is sent: no fault of ours, a status and a content the document knows, and those headers."""
    operation = operations(app)[method, path]
    filed = software.file()["id"]
    sent: list[int] = []

    @settings(
        max_examples=CASES_EACH,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), is_there=st.booleans())
    def send(case: Any, is_there: bool) -> None:
        if is_there and case.path_parameters:
            case.path_parameters = {"filing_id": filed}
        answer = case.call(headers=software.headers | {"Accept-Encoding": "identity"})
        sent.append(answer.status_code)
        assert answer.status_code < 500, answer.text
        operation.validate_response(answer)

    send()
    assert len(sent) >= CASES_EACH

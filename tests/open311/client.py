"""A client of GeoReport v2, written from its specification: of the portal it knows the address of discovery alone.

https://wiki.open311.org/GeoReport_v2, https://wiki.open311.org/Service_Discovery. What it reads is text in both
formats, so that the two can be compared.
"""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

DISCOVERY = "/open311/v2/discovery"
SPECIFICATION = "http://wiki.open311.org/GeoReport_v2"
MEDIA_TYPES = {"xml": "text/xml", "json": "application/json"}
# Elements that hold a list, and what each of it is called (the Spark convention drops that name in JSON).
LISTS = {
    "endpoints": "endpoint",
    "formats": "format",
    "services": "service",
    "attributes": "attribute",
    "values": "value",
    "service_requests": "request",
    "errors": "error",
}


class Refusal(Exception):
    """The server's errors."""

    def __init__(self, status: int, errors: list[dict[str, str]], answer: TestResponse) -> None:
        super().__init__(status, errors)
        self.status = status
        self.errors = errors
        self.answer = answer

    @property
    def said(self) -> str:
        return " ".join(error["description"] for error in self.errors)


@dataclass
class GeoReport:
    """The client, in one format."""

    http: FlaskClient
    ending: str
    endpoint: str = ""

    def discover(self) -> dict[str, Any]:
        """Find the endpoint that speaks this version in this format."""
        found = self._read("discovery", self.http.get(f"{DISCOVERY}.{self.ending}"))
        (endpoint,) = [one for one in found["endpoints"] if one["specification"] == SPECIFICATION]
        assert MEDIA_TYPES[self.ending] in endpoint["formats"]
        self.endpoint = urlsplit(endpoint["url"]).path
        return found

    def services(self) -> list[dict[str, Any]]:
        return self._get("services", "services")

    def definition(self, code: str) -> dict[str, Any]:
        return self._get("service_definition", f"services/{code}")

    def requests(self, **arguments: str) -> list[dict[str, Any]]:
        return self._get("service_requests", "requests", **arguments)

    def request(self, request_id: str) -> dict[str, Any]:
        (found,) = self._get("service_requests", f"requests/{request_id}")
        return dict(found)

    def id_of_token(self, token: str) -> str:
        (found,) = self._get("service_requests", f"tokens/{token}")
        return str(found["service_request_id"])

    def send(self, attributes: dict[str, str] | None = None, /, **arguments: str) -> dict[str, Any]:
        """Create a service request; the id at once, or by its token."""
        fields = arguments | {f"attribute[{code}]": value for code, value in (attributes or {}).items()}
        answer = self.http.post(
            f"{self._at('requests')}",
            data=urlencode(fields),
            content_type="application/x-www-form-urlencoded; charset=utf-8",
        )
        (made,) = self._read("service_requests", answer)
        assert ("service_request_id" in made) != ("token" in made)
        if "token" in made:
            made["service_request_id"] = self.id_of_token(made["token"])
        return dict(made)

    def _at(self, resource: str) -> str:
        if not self.endpoint:
            self.discover()
        return f"{self.endpoint}/{resource}.{self.ending}"

    def _get(self, root: str, resource: str, **arguments: str) -> Any:
        return self._read(root, self.http.get(self._at(resource), query_string=arguments))

    def _read(self, root: str, answer: TestResponse) -> Any:
        assert answer.content_type == f"{MEDIA_TYPES[self.ending]}; charset=utf-8", answer.text
        if answer.status_code >= 400:
            raise Refusal(answer.status_code, read(self.ending, "errors", answer.data), answer)
        return read(self.ending, root, answer.data)


def read(ending: str, root: str, content: bytes) -> Any:
    """What stands in an answer whose root is called so."""
    if ending == "json":
        return _plain(json.loads(content))
    assert content.startswith(b"<?xml"), "the XML declaration comes first"
    assert b"utf-8" in content.partition(b"?>")[0].lower()
    element = ElementTree.fromstring(content)  # noqa: S314 - our own answers
    assert element.tag == root
    return _content(element)


def _content(element: ElementTree.Element) -> Any:
    if element.tag in LISTS:
        assert {one.tag for one in element} <= {LISTS[element.tag]}
        return [_content(one) for one in element]
    if len(element):
        return {one.tag: _content(one) for one in element}
    return element.text or ""


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)

"""Answers in the two formats of Open311 GeoReport v2, and its errors (https://wiki.open311.org/GeoReport_v2).

JSON is the XML by the Spark convention: a list is an array, without the name of what it lists.
"""

import re
from http import HTTPStatus
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Response, json, request

PATH = "/open311/"
XML, JSON = "text/xml; charset=utf-8", "application/json; charset=utf-8"
ONE_OF = {
    "endpoints": "endpoint",
    "formats": "format",
    "services": "service",
    "attributes": "attribute",
    "values": "value",
    "service_requests": "request",
    "errors": "error",
}
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TOLD = {
    400: "We could not read this request.",
    403: "Send a valid api_key, or sign in. The city gives keys out; discovery says how to ask for one.",
    404: "There is nothing here.",
    405: "This address does not take this method. The Allow header lists those it takes.",
    413: "This is larger than we take.",
    415: "Send application/x-www-form-urlencoded.",
    429: "Too many requests. Try again after the seconds in Retry-After.",
    500: "The fault is ours. If it happens again, call the city and quote the reference.",
    503: "We are busy. Try again after the seconds in Retry-After.",
}

Plain = dict[str, Any] | list[Any]


def is_for_georeport() -> bool:
    """Whether this request is one of Open311's."""
    return request.path.startswith(PATH)


def told(root: str, content: Plain, *, status: int = 200) -> Response:
    """Content under the name of its root, in the format that the address ends in; XML where it ends in none."""
    if request.path.endswith(".json"):
        return Response(json.dumps(content, sort_keys=False), status, content_type=JSON)
    return Response(_document(root, content), status, content_type=XML)


def refused(status: int, *sentences: str, reference: str | None = None) -> Response:
    """One error or several, as the specification writes them."""
    said = sentences or (TOLD.get(status, f"{HTTPStatus(status).phrase}."),)
    more = f" Reference: {reference}" if reference else ""
    return told("errors", [{"code": status, "description": f"{one}{more}"} for one in said], status=status)


def _document(root: str, content: Plain) -> bytes:
    element = Element(root)
    _fill(element, root, content)
    return bytes(tostring(element, encoding="UTF-8", xml_declaration=True))


def _fill(element: Element, name: str, content: Any) -> None:
    if isinstance(content, dict):
        for key, value in content.items():
            _fill(SubElement(element, key), key, value)
    elif isinstance(content, list):
        for value in content:
            _fill(SubElement(element, ONE_OF[name]), ONE_OF[name], value)
    elif content is not None:
        element.text = _text(content)


def _text(value: Any) -> str:
    """Characters that XML cannot hold even when they are escaped are left out."""
    return str(value).lower() if isinstance(value, bool) else NOT_IN_XML.sub("", str(value))

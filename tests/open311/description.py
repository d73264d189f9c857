"""GeoReport v2 as an OpenAPI document, written from the specification: what any server of it may answer, in JSON."""

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
EMPTY: dict[str, Any] = {"type": "null"}
INSTANT = {"type": "string", "format": "date-time"}
FLAG = {"type": "boolean"}
FORM = "application/x-www-form-urlencoded"


def thing(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object that holds these and nothing else."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def several(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


SERVICE = thing(
    {
        **dict.fromkeys(("service_code", "service_name", "description", "keywords", "group"), TEXT),
        "metadata": FLAG,
        "type": {"enum": ["realtime", "batch", "blackbox"]},
    }
)
ATTRIBUTE = thing(
    {
        "variable": FLAG,
        "code": TEXT,
        "datatype": {"enum": ["string", "number", "datetime", "text", "singlevaluelist", "multivaluelist"]},
        "required": FLAG,
        "datatype_description": {"type": ["string", "null"]},
        "order": {"type": "integer", "minimum": 1},
        "description": TEXT,
    },
    {"values": several(thing({"key": TEXT, "name": TEXT}))},
)
# Stricter than the specification in one thing: what would tell of words or a place is empty (13.44, 13.82).
REQUEST = thing(
    {
        **dict.fromkeys(("service_request_id", "status_notes", "service_name", "service_code"), TEXT),
        "status": {"enum": ["open", "closed"]},
        "agency_responsible": TEXT,
        "requested_datetime": INSTANT,
        "updated_datetime": INSTANT,
        **dict.fromkeys(("description", "address", "address_id", "zipcode", "lat", "long", "media_url"), EMPTY),
        **dict.fromkeys(("service_notice", "expected_datetime"), EMPTY),
    }
)
ERRORS = {**several(thing({"code": {"type": "integer"}, "description": TEXT})), "minItems": 1}
ENDPOINT = thing(
    {
        **dict.fromkeys(("specification", "url", "changeset"), TEXT),
        "type": {"enum": ["production", "test"]},
        "formats": several(TEXT),
    }
)
DISCOVERY = thing({**dict.fromkeys(("changeset", "contact", "key_service"), TEXT), "endpoints": several(ENDPOINT)})
SENT = {
    "type": "object",
    "properties": {
        "service_code": {
            "enum": [
                *("barking", "damage", "chasing", "bite", "litter", "at_large", "neglect"),
                *("dead_animal", "stray", "other"),
            ]
        },
        **dict.fromkeys(("address_string", "address_id", "description", "first_name", "last_name", "phone"), TEXT),
        **dict.fromkeys(("email", "media_url", "device_id", "account_id", "jurisdiction_id", "api_key"), TEXT),
        "lat": {"type": "number"},
        "long": {"type": "number"},
        "attribute[animal]": TEXT,
        "attribute[happened_at]": {"type": "string"},
        "attribute[is_again]": TEXT,
    },
    "required": ["service_code"],
}
MADE = several(thing({"service_request_id": TEXT, "service_notice": TEXT, "account_id": EMPTY}))


def answers(schema: dict[str, Any], *refused: int) -> dict[str, Any]:
    """What is answered when it goes well, and the errors it may be refused with."""
    told = {"200": schema, **{str(status): ERRORS for status in (400, 404, 429, *refused)}}
    return {
        status: {"description": status, "content": {"application/json": {"schema": one}}}
        for status, one in told.items()
    }


def at(place: str, name: str, schema: dict[str, Any] = TEXT) -> dict[str, Any]:
    return {"in": place, "name": name, "required": place == "path", "schema": schema}


FILTERS = ("service_request_id", "service_code", "start_date", "end_date", "status", "jurisdiction_id")
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "GeoReport v2", "version": "2"},
    "paths": {
        "/open311/v2/discovery.json": {"get": {"responses": answers(DISCOVERY)}},
        "/open311/v2/services.json": {
            "get": {"parameters": [at("query", "jurisdiction_id")], "responses": answers(several(SERVICE))}
        },
        "/open311/v2/services/{code}.json": {
            "get": {
                "parameters": [at("path", "code")],
                "responses": answers(thing({"service_code": TEXT, "attributes": several(ATTRIBUTE)})),
            }
        },
        "/open311/v2/requests.json": {
            "get": {
                "parameters": [at("query", name) for name in FILTERS],
                "responses": answers(several(REQUEST)),
            },
            "post": {
                "requestBody": {"required": True, "content": {FORM: {"schema": SENT}}},
                "responses": answers(MADE, 403, 413, 415),
            },
        },
        "/open311/v2/requests/{request_id}.json": {
            "get": {"parameters": [at("path", "request_id")], "responses": answers(several(REQUEST))}
        },
        "/open311/v2/tokens/{token}.json": {
            "get": {
                "parameters": [at("path", "token")],
                "responses": answers(several(thing({"service_request_id": TEXT, "token": TEXT}))),
            }
        },
    },
}

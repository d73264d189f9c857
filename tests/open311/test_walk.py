"""From discovery to a report and what came of it, as software does that only knows the specification."""

from dataclasses import fields
from datetime import datetime

import pytest

from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance
from portal.services.reports.answers import DETAILS
from tests.open311.client import GeoReport, Refusal

SERVICE = {"service_code", "service_name", "description", "metadata", "type", "keywords", "group"}
ATTRIBUTE = {"variable", "code", "datatype", "required", "datatype_description", "order", "description"}
REQUEST = {
    *("service_request_id", "status", "status_notes", "service_name", "service_code", "description"),
    *("agency_responsible", "service_notice", "requested_datetime", "updated_datetime", "expected_datetime"),
    *("address", "address_id", "zipcode", "lat", "long", "media_url"),
}
DATATYPES = {"string", "number", "datetime", "text", "singlevaluelist", "multivaluelist"}
ANSWERS = {"string": "Brown", "text": "Two\nlines", "datetime": "2026-11-30T09:15:00-06:00"}


def answered(attribute):
    return attribute["values"][0]["key"] if "values" in attribute else ANSWERS[attribute["datatype"]]


def test_software_finds_its_way_from_discovery_to_the_end_of_a_report(software, key, close, database):
    discovered = software.discover()
    assert set(discovered) == {"changeset", "contact", "key_service", "endpoints"}
    assert "320-555-0100" in discovered["contact"]
    service = next(one for one in software.services() if "bark" in one["keywords"])
    definition = software.definition(service["service_code"])
    asked = {one["code"]: answered(one) for one in definition["attributes"] if one["variable"] == "true"}
    sent = software.send(
        asked,
        api_key=key,
        service_code=service["service_code"],
        address_string="1312 Idaho Ave",
        description="It barks all night",
        first_name="Robin",
        last_name="Moe",
        phone="320-555-0177",
    )
    found = software.request(sent["service_request_id"])
    assert set(found) == REQUEST
    assert (found["status"], found["service_code"]) == ("open", "barking")
    assert datetime.fromisoformat(found["requested_datetime"]).utcoffset() is not None
    close("The owner was told")
    closed = software.request(sent["service_request_id"])
    assert (closed["status"], closed["status_notes"]) == ("closed", "The owner was told")
    [report] = database.rows("SELECT * FROM animal_control.report")
    assert (report.narrative, report.animal_description, report.is_going_on) == ("It barks all night", "Brown", True)
    assert report.details["heard_from"] == "Brown"
    [reporter] = database.rows("SELECT * FROM confidential.reporter")
    assert (reporter.name, reporter.phone, reporter.notice_version) == ("Robin Moe", "320-555-0177", "open311-2026-11")


@pytest.mark.parametrize("kind", Nuisance)
def test_every_kind_is_a_service_whose_answers_arrive(software, key, database, kind):
    service = next(one for one in software.services() if one["service_code"] == kind)
    assert set(service) == SERVICE
    assert (service["type"], service["metadata"]) == ("realtime", "true")
    definition = software.definition(kind)
    attributes = definition["attributes"]
    assert [int(one["order"]) for one in attributes] == list(range(1, len(attributes) + 1))
    assert {one["datatype"] for one in attributes} <= DATATYPES
    assert all(set(one) - {"values"} == ATTRIBUTE for one in attributes)
    assert all(set(value) == {"key", "name"} for one in attributes for value in one.get("values", ()))
    asked = {one["code"]: answered(one) for one in attributes if one["variable"] == "true"}
    assert {field.name for field in fields(DETAILS[kind])} <= set(asked)
    software.send(asked, api_key=key, service_code=kind, lat="45.315", long="-95.6")
    details = database.value("SELECT details FROM animal_control.report")
    assert set(details) == {field.name for field in fields(DETAILS[kind])}
    assert None not in details.values()
    assert "" not in details.values()


def test_both_formats_say_the_same(app, key):
    xml, in_json = (GeoReport(app.test_client(use_cookies=False), ending) for ending in ("xml", "json"))
    sent = in_json.send(api_key=key, service_code="stray", address_string="Park", description="A small brown dog")
    assert xml.discover() == in_json.discover()
    assert xml.services() == in_json.services()
    assert [xml.definition(kind) for kind in Nuisance] == [in_json.definition(kind) for kind in Nuisance]
    assert xml.requests() == in_json.requests() != []
    assert xml.request(sent["service_request_id"]) == in_json.request(sent["service_request_id"])
    assert xml.id_of_token(sent["service_request_id"]) == sent["service_request_id"]


def test_what_is_done_with_the_answers_is_said_before_they_are_asked(software):
    """13.04 subd. 2: shown in the definition of every service, its version kept with the report."""
    for kind in Nuisance:
        shown = [one for one in software.definition(kind)["attributes"] if one["variable"] == "false"]
        assert any("13.44" in one["description"] and "911" in one["description"] for one in shown)


def test_a_bite_tells_the_police_at_once_and_says_what_comes_first(software, key, outbox):
    sent = software.send(api_key=key, service_code="bite", address_string="Ambush Park")
    assert sent["service_notice"].startswith("If anybody is in danger now, call 911.")
    [letter] = outbox.messages(to="animals@benson.example")
    assert letter.template == "report_urgent"


def test_several_are_asked_for_at_once_by_their_ids(software, key):
    ids = [
        software.send(api_key=key, service_code=kind, address_string="1312 Idaho Ave")["service_request_id"]
        for kind in ("barking", "litter")
    ]
    found = software.requests(service_request_id=f"{ids[1]},{'a' * 43},{ids[0]}", status="closed")
    assert [one["service_code"] for one in found] == ["litter", "barking"]
    with pytest.raises(Refusal, match="50 ids"):
        software.requests(service_request_id=",".join(str(number) for number in range(51)))


def test_only_kinds_that_accuse_nobody_are_listed_in_benson(gateways):
    assert gateways.city.listed_reports == ACCUSES_NOBODY

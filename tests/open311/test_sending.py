"""Who may send, what is taken, and what is said about what is not."""

from datetime import datetime, timedelta

import pytest

from portal.gateways.rate_limits import OPEN311_MAILBOX, OPEN311_SENDS, WRONG_TOKENS
from portal.services.reports.open311_keys import revoke_key
from tests.open311.client import GeoReport, Refusal

ADDRESS = "/open311/v2/requests.json"
BARKING = {"service_code": "barking", "address_string": "1312 Idaho Ave", "description": "It barks all night"}


def full(database, limit):
    """As if the limit had been used up, but for one."""
    database.run(
        "UPDATE portal.rate_limit SET count = :count WHERE key LIKE '%' || :name || '/%'",
        count=limit.item.amount,
        name=limit.name,
    )


def refused(software, status, *attributes, **arguments):
    with pytest.raises(Refusal) as refusal:
        software.send(*attributes, **arguments)
    assert refusal.value.status == status
    assert {error["code"] for error in refusal.value.errors} == {str(status)}
    return refusal.value


def test_without_a_key_or_with_a_wrong_one_nothing_is_taken(software, reporting, key, database):
    for wrong in ({}, {"api_key": "a" * 43}, {"api_key": ""}, {"api_key": "\x00'\ud800"[:2]}):
        refused(software, 403, **BARKING, **wrong)
    with reporting.desk() as session:
        revoke_key(session, name="Pothole app", clock=reporting.clock)
    refused(software, 403, **BARKING, api_key=key)
    assert database.value("SELECT count(*) FROM animal_control.report") == 0


def test_a_key_taken_back_leaves_what_came_in_with_it(software, reporting, key):
    sent = software.send(**BARKING, api_key=key)
    with reporting.desk() as session:
        revoke_key(session, name="Pothole app", clock=reporting.clock)
    assert software.request(sent["service_request_id"])["status"] == "open"


def test_the_last_use_of_a_key_is_kept_to_the_hour(software, key, database, clock):
    software.send(**BARKING, api_key=key)
    assert database.value("SELECT last_used_at FROM portal.open311_key") == clock.now()


def test_somebody_signed_in_sends_with_their_form_token_alone(resident, database):
    token = resident.visit("/register").page.values["csrf_token"]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert resident.client.post(ADDRESS, data=BARKING, headers=headers).status_code == 403
    answer = resident.client.post(ADDRESS, data=BARKING, headers=headers | {"X-CSRFToken": token})
    assert answer.status_code == 200
    found = resident.client.get(f"/open311/v2/requests/{answer.json[0]['service_request_id']}.json")
    assert found.json[0]["service_code"] == "barking"


@pytest.mark.parametrize(("name", "ties"), [({}, 0), ({"first_name": "Kim", "last_name": "Olson"}, 1)])
def test_a_sign_in_is_tied_to_a_report_that_has_a_name_and_to_no_other(resident, database, name, ties):
    token = resident.visit("/register").page.values["csrf_token"]
    resident.client.post(ADDRESS, data=BARKING | name, headers={"X-CSRFToken": token})
    assert database.value("SELECT count(*) FROM animal_control.report") == 1
    tied = "SELECT count(*) FROM confidential.reporter JOIN portal.account ON account.id = reporter.account_id"
    assert database.value(tied) == ties


def test_a_sending_that_software_names_is_one_report_and_shows_the_same_id(app, key, database):
    """R1: a reply that was lost, and resent."""
    client = app.test_client(use_cookies=False)

    def sent(name, **changed):
        answer = client.post(ADDRESS, data=BARKING | {"api_key": key} | changed, headers={"Idempotency-Key": name})
        return answer.json[0]["service_request_id"]

    assert sent("a") == sent("a")
    assert database.value("SELECT count(*) FROM animal_control.report") == 1
    assert len({sent("a"), sent("b"), sent("b", description="It barks now")}) == 3
    assert database.value("SELECT count(*) FROM animal_control.report") == 3


def test_somebody_signed_in_who_sends_the_same_again_sends_it_once(resident, database):
    token = resident.visit("/register").page.values["csrf_token"]
    ids = {
        resident.client.post(ADDRESS, data=BARKING, headers={"X-CSRFToken": token}).json[0]["service_request_id"]
        for _ in range(2)
    }
    assert len(ids) == 1
    assert database.value("SELECT count(*) FROM animal_control.report") == 1


def test_guessing_the_words_of_a_report_tells_a_neighbor_nothing(software, key, clock):
    """Many people's software shares one key: what the neighbor sends is their own report, of this moment."""
    begin = clock.now()
    theirs = software.send(**BARKING, api_key=key)
    clock.move_to(begin + timedelta(hours=1))
    guessed = software.send(**BARKING, api_key=key)
    assert guessed["service_request_id"] != theirs["service_request_id"]
    found = software.request(guessed["service_request_id"])
    assert datetime.fromisoformat(found["requested_datetime"]) == clock.now()


def test_a_mailbox_that_nobody_proved_is_asked_and_told_nothing(software, key, outbox, database):
    software.send(**BARKING, api_key=key, email="neighbor@example.com", first_name="Kim")
    [letter] = outbox.messages(to="neighbor@example.com")
    assert letter.template == "report_confirm"
    assert database.value("SELECT confirmed_at FROM confidential.reporter") is None
    assert database.value("SELECT count(*) FROM portal.account") == 0


def test_a_mailbox_is_written_to_a_few_times_a_day_and_the_sender_can_t_tell(software, key, database, outbox):
    """Else one who shares a key could learn whose mailbox somebody else reported under."""
    named = BARKING | {"api_key": key, "email": "neighbor@example.com", "first_name": "Kim"}
    first = software.send(**named)
    full(database, OPEN311_MAILBOX)
    again = software.send(**named)
    assert first["service_notice"] == again["service_notice"]
    assert len(outbox.messages(to="neighbor@example.com")) == 1
    kept = database.rows("SELECT email, address FROM confidential.reporter ORDER BY email NULLS LAST")
    assert [(row.email, row.address) for row in kept] == [
        ("neighbor@example.com", None),
        (None, "E-mail as given: neighbor@example.com"),
    ]
    software.send(**BARKING, api_key=key, email="another@example.com")
    assert len(outbox.messages(to="another@example.com")) == 1


def test_too_many_are_told_when_to_come_again(software, key, database):
    software.send(**BARKING, api_key=key)
    full(database, OPEN311_SENDS)
    refusal = refused(software, 429, **BARKING, api_key=key)
    assert 1 <= int(refusal.answer.headers["Retry-After"]) <= 60


def test_guessing_keys_is_told_to_wait_and_holds_up_nobody_else(software, key, database):
    refused(software, 403, **BARKING, api_key="guess")
    full(database, WRONG_TOKENS)
    refused(software, 429, **BARKING, api_key="guess")
    software.send(**BARKING, api_key=key)


WRONG = {
    "no service": ({"service_code": ""}, 400, "service_code"),
    "another service": ({"service_code": "potholes"}, 404, "nothing"),
    "no place": ({"address_string": " "}, 400, "address_string"),
    "half a position": ({"lat": "45.3"}, 400, "together"),
    "a position off the earth": ({"lat": "91", "long": "0"}, 400, "-90 to 90"),
    "a position that is no number": ({"lat": "nan", "long": "inf"}, 400, "-90 to 90"),
    "0, 0": ({"address_string": "", "lat": "0", "long": "0.0"}, 400, "no place"),
    "an unknown attribute": ({"attribute[size]": "7"}, 400, "definition"),
    "two values for one": ({"attribute[animal]": "a", "attribute[animal][]": "b"}, 400, "one value"),
    "a value that is not in the list": ({"attribute[is_again]": "perhaps"}, 400, "yes, no"),
    "no date": ({"attribute[happened_at]": "31 June"}, 400, "2026-11-30T"),
    "a year that never was": ({"attribute[happened_at]": "0001-01-01T00:00:00+14:00"}, 400, "right year"),
    "tomorrow": ({"attribute[happened_at]": "2026-12-01T00:00:00-06:00"}, 400, "future"),
    "no mailbox": ({"email": "kim@@example.com"}, 400, "email"),
    "a phone of nobody": ({"phone": "320-555-0177"}, 400, "first_name"),
    "a script for a picture": ({"media_url": "javascript:alert(1)"}, 400, "media_url"),
    "a long line": ({"attribute[animal]": "a" * 501}, 400, "500"),
    "200,000 characters": ({"description": "é" * 100_000}, 400, "20,000"),
    "many characters more": ({"description": "a" * 1_000_001}, 413, "larger"),
}


@pytest.mark.parametrize(("changed", "status", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(software, key, database, changed, status, said):
    refusal = refused(software, status, api_key=key, **BARKING | changed)
    assert said in refusal.said
    assert database.value("SELECT count(*) FROM animal_control.report") == 0


def test_all_that_is_wrong_is_said_at_once(software, key):
    refusal = refused(software, 400, {"is_again": "?"}, api_key=key, service_code="barking", email="kim", phone="1")
    assert len(refusal.errors) == 4


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data", "text/xml", "text/plain", ""])
def test_another_media_type_is_refused_unread(app, key, content_type):
    answer = app.test_client().post(ADDRESS, data=f'{{"api_key": "{key}"}}', content_type=content_type)
    assert (answer.status_code, answer.json[0]["code"]) == (415, 415)


def test_another_method_is_told_which_there_are(app):
    answer = app.test_client().put("/open311/v2/requests.xml")
    assert (answer.status_code, answer.mimetype) == (405, "text/xml")
    assert "POST" in answer.headers["Allow"]


HOSTILE = "</description><admin/>&x;<![CDATA[]]>\x00\x0b\ufffe\U0001f436 <script>alert(1)</script>"


def test_what_anybody_types_can_t_break_out_of_the_answer(app, reporting, key, close, database):
    xml = GeoReport(app.test_client(use_cookies=False), "xml")
    sent = xml.send({"animal": HOSTILE}, **BARKING | {"description": HOSTILE}, api_key=key, first_name=HOSTILE)
    assert "\x00" not in database.value("SELECT narrative FROM animal_control.report")
    close("<b>Told & \x0b done</b>]]>")
    assert xml.request(sent["service_request_id"])["status_notes"] == "<b>Told &  done</b>]]>"


def test_a_document_type_sent_as_a_value_is_only_text(software, key, database):
    entity = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
    software.send(**BARKING | {"description": entity}, api_key=key)
    assert database.value("SELECT narrative FROM animal_control.report") == entity


def test_a_picture_s_address_is_kept_as_text_for_the_officer(software, key, database):
    software.send(**BARKING, api_key=key, media_url="https://photos.example/1.jpg")
    assert "https://photos.example/1.jpg" in database.value("SELECT narrative FROM animal_control.report")


@pytest.mark.parametrize(
    ("sent", "place"),
    [({"address_id": "77"}, "Address number 77"), ({"lat": "45.315", "long": "-95.6"}, "45.315000, -95.600000")],
)
def test_any_of_the_three_places_is_enough(software, key, database, sent, place):
    software.send(api_key=key, service_code="litter", **sent)
    assert database.value("SELECT place_text FROM animal_control.report") == place


def test_a_place_outside_the_city_is_taken_and_said(software, key, database):
    """R5: another police may be the right one."""
    sent = software.send(api_key=key, service_code="stray", lat="44.98", long="-93.27")
    assert "may be outside the city" in sent["service_notice"]
    assert database.value("SELECT is_outside_city FROM animal_control.report")
    at_home = software.send(api_key=key, service_code="stray", lat="45.315", long="-95.6")
    assert "outside" not in at_home["service_notice"]

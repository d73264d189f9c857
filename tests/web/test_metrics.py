"""What Prometheus reads: with the token alone, in the text that it knows, of cheap statements."""

import re
from dataclasses import replace
from io import BytesIO

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from portal.desk_app import create_desk
from portal.gateways.pictures.refusal import UnreadableFile
from portal.services.files.accept_upload import store_upload
from portal.services.watching.measuring import GAUGES

TOKEN, NEXT = "the-token-of-prometheus", "the-next-token-of-prometheus"


@pytest.fixture
def measured(make_app):
    """The samples by name and labels, as somebody with the token reads them."""
    app = make_app(metrics_tokens=(NEXT, TOKEN))

    def look(token=TOKEN):
        answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.mimetype) == (200, "text/plain")
        families = text_string_to_metric_families(answer.text)
        return {(one.name, *sorted(one.labels.items())): one.value for family in families for one in family.samples}

    look.client = app.test_client()
    return look


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic dGhlLXRva2VuOg==", "Bearer", f"Bearer {TOKEN}x"])
def test_nobody_without_the_token_is_told_anything(measured, header):
    assert measured.client.get("/metrics", headers={"Authorization": header}).status_code == 404


def test_without_a_token_in_the_settings_nobody_is(app):
    assert app.test_client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_a_token_can_be_changed_without_a_gap(measured):
    assert measured(TOKEN).keys() <= measured(NEXT).keys()


def test_requests_are_counted_by_route_and_status_and_never_by_address(measured):
    counted = ("portal_requests_total", ("method", "GET"), ("route", "/tags/<number>"), ("status", "200"))
    before = measured().get(counted, 0)
    for number in range(3):
        measured.client.get(f"/tags/2026-{number + 1}")
    found = measured()
    assert found[counted] - before == 3
    assert found["portal_request_seconds_count", ("route", "/tags/<number>")] >= 3
    assert not [name for name in found for label in name[1:] if "2026-1" in label[1]]


def test_files_that_are_not_taken_are_counted_by_reason(measured, files):
    refused = ("portal_uploads_refused_total", ("reason", "empty"))
    before = measured().get(refused, 0)
    with pytest.raises(UnreadableFile):
        store_upload(BytesIO(b""), name="a", kind="certificate", storage=files, largest_bytes=1000)
    assert measured()[refused] - before == 1


def test_what_waits_is_counted_in_the_database(measured, database, clock):
    database.run(
        """
        INSERT INTO portal.outgoing_message (recipient, template, context, not_before, attempts, failed_at)
        VALUES ('a', 'b', '{}', :now - interval '90 s', 0, NULL), ('a', 'b', '{}', :now + interval '1 h', 2, NULL),
            ('a', 'b', '{}', :now, 9, :now);
        """,
        now=clock.now(),
    )
    database.run(
        "INSERT INTO portal.worker_job (name, every_seconds, succeeded_at, failures) VALUES ('letters', 10, :now, 2)",
        now=clock.now(),
    )
    database.run("INSERT INTO portal.finding (kind, subject, since) VALUES ('missing_file', 'a', now())")
    found, mail, letters = measured(), ("channel", "email"), ("job", "letters")
    assert found["portal_messages_waiting", mail] == 2
    assert found["portal_messages_retrying", mail] == 1
    assert found["portal_messages_due_seconds", mail] == 90
    assert found["portal_messages_failed", mail] == 1
    assert found["portal_job_last_success_timestamp_seconds", letters] == clock.now().timestamp()
    assert found["portal_job_failures", letters] == 2
    assert found["portal_findings", ("kind", "missing_file")] == 1


def test_it_takes_one_statement(measured, queries):
    with queries() as counted:
        measured()
    assert len([one for one in counted.sent if "measured" in one]) == len(counted) == 1


def test_what_the_database_is_asked_goes_by_indexes_of_what_is_open(database):
    """With tables read whole forbidden, the planner finds another way for each part but the small table of jobs."""
    body = database.value("SELECT prosrc FROM pg_proc WHERE proname = 'measured'")
    with database.engine.connect() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = connection.execute(text("EXPLAIN " + re.sub(r"\bmoment\b", "now()", body))).scalars().all()
    whole = {re.search(r"Seq Scan on (\w+)", line).group(1) for line in plan if "Seq Scan" in line}
    assert whole <= {"worker_job"}


def test_every_measure_of_the_database_has_a_name(database):
    body = database.value("SELECT prosrc FROM pg_proc WHERE proname = 'measured'")
    assert set(re.findall(r"SELECT '(\w+)'", body)) == set(GAUGES)


def test_the_desk_counts_what_waits_there_and_what_is_late(settings, desk_gateways, registrations, clock):
    registrations.dog("Rex")
    app = create_desk(replace(settings, metrics_tokens=(TOKEN,)), gateways=desk_gateways)
    clock.move_to(clock.now().replace(day=29, month=12))
    answer = app.test_client().get("/desk/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert 'portal_desk_waiting{kind="certificate"} 1.0' in answer.text
    assert 'portal_desk_overdue{kind="certificate"} 1.0' in answer.text
    assert app.test_client().get("/desk/metrics").status_code == 404

"""The wall, seen from Open311: a neighbor who asks for everything learns of no complaint (13.44, 13.82)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from portal.gateways.rate_limits import OPEN311_READS
from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance
from portal.services.reports.file_report import Sender
from portal.services.reports.follow_report import WayIn, my_reports
from portal.services.reports.report_status import reports_accusing_nobody
from tests.open311.client import GeoReport, Refusal
from tests.support.reporting import ATTESTED, NEXT_DOOR, ROBIN

ACCUSING = sorted(set(Nuisance) - ACCUSES_NOBODY)
MANY = """
INSERT INTO animal_control.report
    (reference, kind, place_text, place_key, animal_description, whose_text, narrative, created_at)
SELECT :kind || :many || n, :kind, n || ' Idaho Ave', n || ' idaho ave', '', '', '', CAST(:at AS timestamptz)
FROM generate_series(1, :many) AS n
"""
# Rows of the table that were read through, and entries of any of its indexes.
ROWS_READ = text(
    "SELECT pg_stat_get_xact_tuples_returned('animal_control.report'::regclass) "
    "+ (SELECT sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) FROM pg_index AS i "
    "WHERE i.indrelid = 'animal_control.report'::regclass)::int"
)


@pytest.fixture
def statements(gateways):
    """What the portal asks the database, as it is asked."""
    asked = []

    def note(_connection, _cursor, statement, *_more):
        asked.append(statement)

    event.listen(gateways.engine, "before_cursor_execute", note)
    yield asked
    event.remove(gateways.engine, "before_cursor_execute", note)


def accuse(reporting):
    """Robin complains of everything."""
    for kind in ACCUSING:
        reporting.send(kind, sender=Sender(attestation=ATTESTED, identity=ROBIN))


def everything(software):
    """Every list a neighbor may think of."""
    http, at = software.http, f"/open311/v2/requests.{software.ending}"
    asked = ["", "?status=open", "?status=open,closed", "?start_date=2026-11-01T00:00:00Z"]
    asked += [f"?service_code={kind}" for kind in Nuisance] + [f"?service_code={','.join(Nuisance)}"]
    answers = [http.get(at + one) for one in asked]
    return [
        (answer.status_code, answer.data, {**answer.headers, "X-Request-ID": "drawn for each"}) for answer in answers
    ]


def test_complaints_change_nothing_in_any_list(software, reporting):
    reporting.send(Nuisance.STRAY)
    before = everything(software)
    accuse(reporting)
    assert everything(software) == before


@pytest.mark.parametrize("kind", ACCUSING)
def test_a_kind_that_accuses_is_in_no_list(software, reporting, kind):
    reporting.send(kind)
    assert software.requests() == software.requests(service_code=kind) == []


@pytest.mark.parametrize("kind", ACCUSING)
def test_the_reference_of_a_complaint_opens_nothing(software, reporting, kind):
    sent = reporting.send(kind)
    with pytest.raises(Refusal) as known:
        software.request(sent.filed.reference)
    with pytest.raises(Refusal) as unknown:
        software.request("0000-0000-0000")
    assert known.value.status == unknown.value.status == 404
    assert known.value.answer.data == unknown.value.answer.data


def test_a_list_is_made_by_the_same_statements_whether_there_are_complaints_or_not(in_json, reporting, statements):
    in_json.discover()
    asked = []
    for _ in range(2):
        statements.clear()
        in_json.requests()
        asked.append(list(statements))
        accuse(reporting)
    assert asked[0] == asked[1] != []


def test_no_row_of_a_complaint_is_looked_at_for_a_list(reporting, database):
    """So that not even its time tells of them: the database reads the strays alone, however many complaints there are.

    Where all of them fit into one page, whatever is read takes the time of one page.
    """
    begin, looked = reporting.clock.now(), []
    database.run(MANY, kind="stray", many=300, at=begin)
    for many in (1, 5000):
        database.run(MANY, kind="barking", many=many, at=begin)
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE animal_control.report"))  # without what earlier tests left behind
        with reporting.portal() as session:
            before = session.scalar(ROWS_READ)
            reports_accusing_nobody(session, since=begin, until=begin + timedelta(days=1))
            looked.append(session.scalar(ROWS_READ) - before)
    assert 300 <= looked[1] <= looked[0] < 1000


def test_a_list_never_shows_words_a_place_or_a_person(software, reporting, close):
    sent = reporting.send(
        Nuisance.STRAY, sender=Sender(attestation=ATTESTED, identity=ROBIN), latitude=45.3, longitude=-95.6
    )
    close("It belongs to Pat at 1312 Idaho Ave", sent.id)
    [found] = software.requests()
    assert (found["service_request_id"], found["status_notes"]) == (sent.filed.reference, "Closed.")
    assert not any(found[name] for name in ("description", "address", "address_id", "zipcode", "lat", "long"))
    told = " ".join(found.values())
    assert not any(secret in told for secret in ("Robin", "Pat", NEXT_DOOR, "Idaho", "barks", "brown"))
    assert software.request(sent.filed.reference) == found


def test_the_link_of_a_reporter_is_no_id_and_an_id_opens_no_page(in_json, reporting, app, key):
    """Each opens its own: the software's id tells the state alone."""
    sent = reporting.send(Nuisance.BARKING)
    with pytest.raises(Refusal):
        in_json.request(sent.token)
    told = in_json.send(api_key=key, service_code="barking", address_string=NEXT_DOOR)["service_request_id"]
    with reporting.portal() as session:
        assert my_reports(session, WayIn(link=told), clock=reporting.clock) == []


def test_a_report_to_look_at_twice_is_not_listed(software, reporting):
    sent = reporting.send(Nuisance.STRAY, is_suspicious=True)
    assert software.requests() == []
    with pytest.raises(Refusal):
        software.request(sent.filed.reference)


def test_a_city_may_list_fewer_kinds(make_app, gateways, reporting):
    reporting.send(Nuisance.STRAY)
    dead = reporting.send(Nuisance.DEAD_ANIMAL)
    city = replace(gateways.city, listed_reports=frozenset({Nuisance.STRAY}))
    narrow = GeoReport(make_app(city=city).test_client(), "json")
    assert [one["service_code"] for one in narrow.requests()] == ["stray"]
    assert narrow.requests(service_code="dead_animal") == []
    with pytest.raises(Refusal):
        narrow.request(dead.filed.reference)
    nothing = make_app(city=replace(gateways.city, listed_reports=frozenset()))
    assert GeoReport(nothing.test_client(), "json").requests() == []


def test_the_list_is_narrowed_by_kind_state_and_time(software, reporting, clock, close):
    begin = clock.now()
    old = reporting.send(Nuisance.STRAY)
    close("Home again", old.id)
    clock.move_to(begin + timedelta(days=100))
    new = reporting.send(Nuisance.DEAD_ANIMAL)

    def listed(**arguments):
        return [one["service_request_id"] for one in software.requests(**arguments)]

    assert listed() == [new.filed.reference]
    assert listed(status="closed") == []
    first = begin.isoformat()
    assert listed(start_date=first) == [old.filed.reference]
    assert listed(start_date=first, status="open") == []
    assert listed(end_date=first) == [old.filed.reference]
    assert listed(start_date=first, end_date=first, service_code="stray,bite") == [old.filed.reference]
    assert listed(service_code="stray") == []


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"status": "lost"}, 400),
        ({"start_date": "yesterday"}, 400),
        ({"start_date": "2026-01-01T00:00:00Z", "end_date": "2026-06-01T00:00:00Z"}, 400),
        ({"start_date": "9999-12-31T23:59:59Z"}, 400),
        ({"service_code": "potholes"}, 404),
    ],
)
def test_a_list_that_can_t_be_read_is_refused(software, asked, status):
    with pytest.raises(Refusal) as refusal:
        software.requests(**asked)
    assert refusal.value.status == status


def test_an_id_that_is_none_is_not_there(software):
    for wrong in ("1", "a" * 43, "a" * 5000, "%00", "é", "..", "0000-0000-0000"):
        with pytest.raises(Refusal) as refusal:
            software.request(wrong)
        assert refusal.value.status == 404
    with pytest.raises(Refusal, match="404"):
        software.id_of_token("12345")


def test_reading_too_often_is_told_when_to_come_again(software, database):
    software.services()
    database.run(
        "UPDATE portal.rate_limit SET count = :count WHERE key LIKE '%open311-reads%'", count=OPEN311_READS.item.amount
    )
    with pytest.raises(Refusal) as refusal:
        software.services()
    assert refusal.value.status == 429
    assert int(refusal.value.answer.headers["Retry-After"]) > 0

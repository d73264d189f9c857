"""13.44, 13.82: what the database itself keeps from the web process about reports, whatever the code above it does."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from portal.gateways.database.connections import connect
from portal.schema.base import CONFIDENTIAL
from portal.schema.catalog import metadata
from portal.schema.roles import DESK, FUNCTIONS, ROLES, WEB, WORKER
from portal.services.reports.follow_report import my_reports
from portal.services.secrets import token_hash
from tests.support.reporting import ROBIN

REPORTS = ("report", "report_episode", "report_update", "report_file")
BEHIND = sorted(table.fullname for table in metadata.tables.values() if table.schema == CONFIDENTIAL)
TABLES = [*BEHIND, *(f"animal_control.{name}" for name in REPORTS), "animal_control.event"]
LOOKS = {
    "read": "SELECT * FROM {0}",
    "count": "SELECT count(*) FROM {0}",
    "look for one": "SELECT 1 FROM {0} LIMIT 1",
    "add and read back": "INSERT INTO {0} DEFAULT VALUES RETURNING *",
    "change": "UPDATE {0} SET created_at = now()",
    "remove": "DELETE FROM {0}",
    "empty": "TRUNCATE {0} CASCADE",
    "lock": "LOCK TABLE {0} IN EXCLUSIVE MODE",
    "copy out": "COPY {0} TO STDOUT",
}
MINE = text("SELECT reference FROM confidential.my_reports(:link, :sign_in, now())")
INSUFFICIENT_PRIVILEGE = "42501"


@pytest.fixture(scope="module")
def engines(shared_database) -> Iterator[dict[str, Engine]]:
    engines = {role: connect(shared_database.url, role=role, pool_size=1) for role in ROLES}
    yield engines
    for engine in engines.values():
        engine.dispose()


def refused(engine: Engine, statement: str) -> bool:
    with engine.connect() as connection:
        try:
            connection.execute(text(statement))
        except DBAPIError as no:
            return getattr(no.orig, "sqlstate", None) == INSUFFICIENT_PRIVILEGE
    return False


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("look", LOOKS)
def test_the_web_process_looks_at_nothing_of_a_report(engines, reporting, table, look):
    """Neither who made it nor that it exists: whoever the report accuses is served by the same role."""
    reporting.send()
    statement = LOOKS[look].format(table)
    if table == "animal_control.event":
        statement = statement.replace("created_at", "happened_at")
    assert refused(engines[WEB], statement)


@pytest.mark.parametrize("table", BEHIND)
@pytest.mark.parametrize("role", [WORKER, DESK])
def test_nobody_else_reads_who_made_a_report_from_a_table(engines, table, role):
    assert refused(engines[role], f"SELECT * FROM {table}")


def test_the_web_process_adds_what_it_may_not_read(engines, reporting, database):
    sent = reporting.send()
    assert database.value("SELECT count(*) FROM animal_control.report WHERE id = :id", id=sent.id) == 1
    assert database.value("SELECT attested_name FROM confidential.reporter WHERE report_id = :id", id=sent.id)


def test_letters_about_reports_are_out_of_the_web_process_s_sight(engines, reporting, database):
    pat = reporting.sign_in("pat@example.com")
    reporting.send(sender=pat.sender())
    count = "SELECT count(*) FROM portal.outgoing_message"
    assert database.value(count) == 1
    with engines[WEB].connect() as connection:
        assert connection.scalar(text(count)) == 0
    with engines[WORKER].connect() as connection:
        assert connection.scalar(text(count)) == 1


def test_a_person_s_live_sign_in_opens_their_reports_and_nobody_else_s(reporting):
    pat, neighbor = reporting.sign_in("pat@example.com"), reporting.sign_in("neighbor@example.com")
    sent = reporting.send(sender=pat.sender())
    with reporting.portal() as session:
        assert [one.id for one in my_reports(session, pat.way, clock=reporting.clock)] == [sent.id]
        assert my_reports(session, neighbor.way, clock=reporting.clock) == []


def test_a_sign_in_that_was_ended_or_ran_out_opens_nothing(reporting, database):
    pat = reporting.sign_in("pat@example.com")
    reporting.send(sender=pat.sender())
    with reporting.portal() as session:
        later = reporting.clock.now() + timedelta(days=31)
        found = session.execute(
            text("SELECT 1 FROM confidential.my_reports(NULL, :token, :later)"), {"token": pat.token, "later": later}
        )
        assert found.all() == []
    database.run("UPDATE portal.sign_in SET ended_at = :now", now=reporting.clock.now())
    with reporting.portal() as session:
        assert my_reports(session, pat.way, clock=reporting.clock) == []


def test_a_closed_account_opens_nothing(reporting, database):
    pat = reporting.sign_in("pat@example.com")
    reporting.send(sender=pat.sender())
    database.run("UPDATE portal.account SET closed_at = now()")
    with reporting.portal() as session:
        assert my_reports(session, pat.way, clock=reporting.clock) == []


def test_what_the_web_process_can_read_of_sign_ins_opens_no_report(engines, reporting, database):
    """Only the browser holds the token; the table holds its hash, and the hash opens nothing."""
    pat = reporting.sign_in("pat@example.com")
    reporting.send(sender=pat.sender())
    with engines[WEB].connect() as connection:
        kept = connection.scalar(text("SELECT token_hash FROM portal.sign_in"))
        assert kept == token_hash(pat.token)
        assert connection.execute(MINE, {"link": kept, "sign_in": kept}).all() == []
        assert len(connection.execute(MINE, {"link": None, "sign_in": pat.token}).all()) == 1


def test_what_a_reporter_is_told_holds_no_other_reporter_and_no_link(engines, reporting):
    first = reporting.send()
    reporting.send(sender=None)
    with engines[WEB].connect() as connection:
        found = connection.execute(
            text("SELECT * FROM confidential.my_reports(:link, NULL, now())"), {"link": token_hash(first.token)}
        )
        rows = found.mappings().all()
    assert len(rows) == 1
    hidden = {"joined_report_id", "previous_report_id", "is_suspicious", "account_id", "email", "name", "address"}
    assert not hidden & set(rows[0])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_function_is_called_by_whom_it_is_for(database, function):
    for role in ROLES:
        may = database.value("SELECT has_function_privilege(:role, :function, 'EXECUTE')", role=role, function=function)
        assert may == (role in FUNCTIONS[function])


def test_every_function_of_the_wall_has_its_callers_and_a_fixed_search_path(database):
    found = database.rows(
        "SELECT p.oid::regprocedure::text AS name, prosecdef, array_to_string(proconfig, ' ') AS settings "
        "FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.prosecdef OR n.nspname = 'confidential'"
    )
    named = {database.value("SELECT to_regprocedure(:name)::text", name=name) for name in FUNCTIONS}
    assert {row.name for row in found} == named
    assert all(row.prosecdef and row.settings.startswith("search_path=pg_catalog, pg_temp") for row in found)


def test_an_officer_s_read_of_an_identity_is_written_down(engines, reporting, database):
    sent = reporting.send(sender=reporting.sign_in("robin@example.com").sender(identity=ROBIN))
    asked = text("SELECT name FROM confidential.read_identity(:report, 'amy@benson.example', 'to phone her', now())")
    with engines[DESK].begin() as connection:
        assert connection.scalar(asked, {"report": sent.id}) == "Robin Moe"
    (row,) = database.rows("SELECT report_id, read_by, why FROM confidential.identity_read")
    assert (row.report_id, row.read_by, row.why) == (sent.id, "amy@benson.example", "to phone her")


@pytest.mark.parametrize(("who", "why"), [("", "to phone"), ("amy@benson.example", " ")])
def test_an_identity_is_read_by_somebody_and_for_a_reason(engines, reporting, who, why):
    sent = reporting.send()
    asked = text("SELECT name FROM confidential.read_identity(:report, :who, :why, now())")
    with engines[DESK].connect() as connection, pytest.raises(DBAPIError, match="written down"):
        connection.execute(asked, {"report": sent.id, "who": who, "why": why})


@pytest.mark.parametrize("role", [WEB, WORKER])
def test_nobody_but_an_officer_asks_for_an_identity(engines, reporting, role):
    reporting.send()
    asked = text("SELECT * FROM confidential.read_identity(gen_random_uuid(), 'me', 'curious', now())")
    with engines[role].connect() as connection, pytest.raises(ProgrammingError, match="permission denied"):
        connection.execute(asked)


def test_the_feed_tells_the_city_a_reference_and_a_kind_and_never_who(reporting, database):
    pat = reporting.sign_in("pat@example.com")
    sent = reporting.send(sender=pat.sender(identity=ROBIN))
    (event,) = database.rows("SELECT kind, actor, detail, subject_id FROM animal_control.event")
    assert (event.kind, event.actor, event.subject_id) == ("report.filed", "reporter", sent.id)
    assert event.detail["reference"] == sent.filed.reference
    told = str(dict(event))
    for secret in ("Robin", "robin", "pat@", "555-0177", str(pat.account_id), "Idaho"):
        assert secret not in told

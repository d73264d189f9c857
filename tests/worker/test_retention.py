"""What is kept for how long is the city's choice; records stay, and the guide says the same as the sweep does."""

import re
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path

import pytest

from portal.schema.base import Base
from portal.schema.roles import GRANTS, WORKER
from portal.services.sweeping.retention import KEPT, ROW_SWEEPS
from portal.worker.jobs import sweep_rows
from tests.worker.test_payments import never

GUIDE = Path("docs/operations/watching.md")
# What is no record of the city's, and nothing but passes through.
ELSEWHERE = {"portal.file_scan"}  # goes with its file, when that was scanned
RECORDS = ("animal_control.", "confidential.reporter", "confidential.report_link", "confidential.identity_read")


@pytest.fixture
def keeping(parts):
    """The worker of a city that keeps everything for so many days."""

    def keeping(days):
        city = parts.gateways.city
        retention = replace(city.retention, **dict.fromkeys(asdict(city.retention), days))
        return replace(parts, gateways=replace(parts.gateways, city=replace(city, retention=retention)))

    return keeping


@pytest.fixture
def sent(database, queue, clock):
    """A letter that was sent so many days ago."""

    def sent(to, *, days_ago):
        queue(to)
        at = clock.now() - timedelta(days=days_ago)
        database.run("UPDATE portal.outgoing_message SET sent_at = :at WHERE recipient = :to", at=at, to=to)

    return sent


def letters(database):
    rows = database.rows("SELECT recipient, context <> '{}' AS is_full FROM portal.outgoing_message ORDER BY sent_at")
    return [(row.recipient, row.is_full) for row in rows]


def test_what_a_letter_said_goes_first_and_that_it_was_sent_later(parts, sent, queue, database):
    sent("long-ago@example.com", days_ago=731)
    sent("this-summer@example.com", days_ago=91)
    sent("last-month@example.com", days_ago=89)
    queue("not-yet@example.com")
    sweep_rows(parts, never)
    assert letters(database) == [
        ("this-summer@example.com", False),
        ("last-month@example.com", True),
        ("not-yet@example.com", True),
    ]


def test_another_city_keeps_them_shorter(keeping, sent, database):
    sent("last-month@example.com", days_ago=31)
    sweep_rows(keeping(30), never)
    assert letters(database) == []


def test_a_letter_that_came_back_is_kept_until_somebody_dealt_with_it(parts, queue, database, clock):
    queue("gone@example.com")
    at = clock.now() - timedelta(days=900)
    database.run("UPDATE portal.outgoing_message SET failed_at = :at", at=at)
    sweep_rows(parts, never)
    assert letters(database) == [("gone@example.com", True)]
    database.run("UPDATE portal.outgoing_message SET handled_at = :at, handled_by = 'a'", at=at)
    sweep_rows(parts, never)
    assert letters(database) == []


def test_applications_under_way_reminders_and_the_rest_go_in_their_time(parts, registrations, database, clock):
    account, now = registrations.account("pat@example.com"), clock.now()
    old = {"at": now - timedelta(days=500), "account": account}
    for statement in (
        "INSERT INTO portal.draft (account_id, updated_at) VALUES (:account, :at)",
        "INSERT INTO portal.draft (account_id, submitted_at) VALUES (:account, :at)",
        "INSERT INTO portal.submission (key, account_id, created_at) VALUES (gen_random_uuid(), :account, :at)",
        "INSERT INTO portal.processor_event (id, kind, facts, handled_at) VALUES ('evt_1', 'paid', '{}', :at)",
        "INSERT INTO portal.finding (kind, subject, since, mended_at) VALUES ('missing_file', 'a', :at, :at)",
        "INSERT INTO portal.reminder (account_id, kind, subject_id, due_on, step_days)"
        " VALUES (:account, 'renewal', gen_random_uuid(), CAST(:at AS date), 7)",
    ):
        database.run(statement, **{name: value for name, value in old.items() if f":{name}" in statement})
    sweep_rows(parts, never)
    assert set(database.counts()) & {f"portal.{name}" for name in TABLES_SWEPT} == set()


TABLES_SWEPT = ("draft", "submission", "processor_event", "finding", "reminder")


def test_no_record_goes_however_short_the_city_keeps_what_passes(keeping, registrations, database, clock):
    """A year and a half later, and with the least the file allows and less: what is official is there to the row."""
    dog = registrations.licensed("Pepper")
    registrations.pay(registrations.dog("Rex"))
    before = {row for row in database.content() if row[0].startswith(RECORDS)}
    assert len({name for name, _ in before}) > 8
    clock.move_to(clock.now() + timedelta(days=550))
    sweep_rows(keeping(1), never)
    assert {row for row in database.content() if row[0].startswith(RECORDS)} == before
    assert dog.license_id


def test_the_guide_lists_what_goes_and_when(parts):
    table = re.findall(r"^\| (.+?) \| (.+?) \|$", GUIDE.read_text().partition("## How long things are kept")[2], re.M)
    expected = [(kept.what, kept.words(parts.gateways.city.retention)) for kept in KEPT]
    assert table[1:] == expected, "write the table anew: " + "\n".join(f"| {what} | {how} |" for what, how in expected)


def test_everything_the_worker_may_delete_is_swept_by_one_rule():
    """Whoever lets the worker delete from another table says for how long its rows are kept."""
    tables = {one.class_.__name__: one.local_table.fullname for one in Base.registry.mappers}
    source = Path("portal/services/sweeping/rows.py").read_text()
    swept = {tables[name] for name in re.findall(r"_delete\(\s*session,\s*(\w+)\.", source)}
    assert swept == {table for table, may in GRANTS.items() if "DELETE" in may.get(WORKER, "")} - ELSEWHERE
    assert len(ROW_SWEEPS) == len(set(ROW_SWEEPS))

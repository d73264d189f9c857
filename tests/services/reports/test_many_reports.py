"""Among many reports, each look-up of one person's takes the same few rows by an index."""

import pytest

from portal.services.reports.file_report import Sender
from portal.services.reports.follow_report import my_reports, whole_report
from tests.support.reporting import ATTESTED, ROBIN

MANY = """
INSERT INTO animal_control.report
    (id, reference, kind, place_text, place_key, animal_description, whose_text, narrative)
SELECT md5(n::text)::uuid, n::text, 'barking', n || ' Idaho Ave', n || ' idaho ave', '', '', ''
FROM generate_series(1, 20000) n;
INSERT INTO confidential.reporter (report_id, email, email_key, attested_at, attestation_version, notice_version)
SELECT md5(n::text)::uuid, n::text, n::text, now(), '1', '1' FROM generate_series(1, 20000) n;
INSERT INTO confidential.report_link (token_hash, report_id)
SELECT n::text, md5(n::text)::uuid FROM generate_series(1, 20000) n;
INSERT INTO animal_control.report_update (report_id, by, kind, text)
SELECT md5(n::text)::uuid, 'reporter', 'incident', '' FROM generate_series(1, 20000) n;
"""
TABLES = (
    "animal_control.report",
    "animal_control.report_update",
    "animal_control.report_episode",
    "animal_control.report_file",
    "confidential.reporter",
    "confidential.report_link",
)
FLUSH = "SELECT pg_stat_force_next_flush()"
READ = "SELECT coalesce(sum(pg_stat_get_tuples_returned(c::regclass)), 0) FROM unnest(CAST(:tables AS text[])) c"


@pytest.fixture
def rows_scanned(database):
    """How many rows whole tables were read through since the last time this was asked."""
    seen = 0

    def rows_scanned():
        nonlocal seen
        database.rows(FLUSH)  # what filling the tables read is not told later, with what we look at
        before, seen = seen, int(database.value(READ, tables=list(TABLES)))
        return seen - before

    return rows_scanned


def test_filing_and_following_read_no_table_through(reporting, database, rows_scanned):
    pat = reporting.sign_in("pat@example.com")
    database.run(MANY)
    for table in TABLES:
        database.run(f"ANALYZE {table}")
    sent = reporting.send(sender=pat.sender())
    with reporting.portal() as session:
        session.connection().exec_driver_sql(FLUSH)
    rows_scanned()
    reporting.send(sender=pat.sender())
    reporting.send(sender=Sender(attestation=ATTESTED, identity=ROBIN, way=sent.way))
    with reporting.portal() as session:
        assert len(my_reports(session, pat.way, clock=reporting.clock)) == 1
        whole_report(session, sent.way, reference=sent.filed.reference, clock=reporting.clock)
        session.connection().exec_driver_sql(FLUSH)
    assert rows_scanned() < 1000

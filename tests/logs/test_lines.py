"""A line tells what happened and where in the code, never what somebody typed."""

import json
import logging
import re
import sys

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from portal.gateways import logs
from portal.gateways.logs import Lines

TYPED = "robin.moe@private.example"


def line_of(name: str, words: str, *args: object, **more: object) -> dict:
    record = logging.getLogger(name).makeRecord(name, logging.ERROR, "", 1, words, args, more.pop("exc_info", None))
    return json.loads(Lines("worker").format(record))


def read_age(typed: str) -> int:
    return int(typed)


def test_a_line_says_who_wrote_it_and_what_it_is_about():
    with logs.about(request_id="0123456789abcdef"):
        line = line_of("portal.views.pay", "payment %s waits", 7)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[0-9:.]+\+00:00", line.pop("time"))
    assert line == {
        "level": "ERROR",
        "logger": "portal.views.pay",
        "message": "payment 7 waits",
        "process": "worker",
        "request_id": "0123456789abcdef",
    }


def test_a_failure_is_told_by_its_kind_and_places_and_never_by_what_was_typed():
    try:
        try:
            read_age(TYPED)
        except ValueError as cause:
            raise LookupError(TYPED) from cause
    except LookupError:
        line = line_of("portal.views", "fault", exc_info=sys.exc_info())
    assert TYPED not in json.dumps(line)
    assert [told for told in line["trace"] if not told.startswith(" ")] == [
        "builtins.LookupError",
        "builtins.ValueError",
    ]
    assert "    return int(typed)" in line["trace"]


def test_what_the_database_refuses_is_told_by_its_code(gateways):
    with gateways.engine.connect() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(text("SELECT CAST(:typed AS uuid)"), {"typed": TYPED})
    line = line_of("portal.views", "fault", exc_info=(refused.type, refused.value, refused.tb))
    assert TYPED not in json.dumps(line)
    assert "psycopg.errors.InvalidTextRepresentation 22P02" in line["trace"]


def test_of_other_peoples_loggers_only_the_words_are_kept():
    assert line_of("waitress", "Exception while serving %s", f"/invitations/{TYPED}")["message"] == (
        "Exception while serving %s"
    )


def test_two_lines_can_not_be_made_of_one():
    record = logging.getLogger("portal").makeRecord("portal", logging.INFO, "", 1, "a\n{}", (), None)
    assert "\n" not in Lines("web").format(record)

"""`portal events`: other software is told what happened, and goes on where it was."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

from portal.cli import main
from tests.support.registrations import LATER


@pytest.fixture
def environment(database, tmp_path):
    return {"DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path / "var")}


@pytest.fixture
def told(environment):
    """The events that the command prints, or the sentence it fails with."""

    def told(*arguments, fails=0):
        result = CliRunner().invoke(main, ["events", *arguments], env=environment, catch_exceptions=False)
        assert result.exit_code == fails, result.output
        return result.output if fails else [json.loads(line) for line in result.output.splitlines()]

    return told


def test_everything_that_happened_is_told_in_order_and_a_cursor_goes_on(told, registrations, database):
    assert told() == []
    registrations.licensed("Écho")
    events = told()
    kinds = [event["kind"] for event in events]
    assert kinds.index("animal.registered") < kinds.index("certificate.accepted") < kinds.index("license.issued")
    issued = events[kinds.index("license.issued")]
    assert set(issued) == {"cursor", "happened_at", "kind", "subject_table", "subject_id", "actor", "detail"}
    assert issued["subject_table"] == "license"
    assert issued["subject_id"] == str(database.value("SELECT id FROM animal_control.license"))
    middle = events[3]["cursor"]
    assert told("--after", str(middle)) == events[4:]
    assert told("--after", str(events[-1]["cursor"])) == told("--after", "now") == []


def test_a_cursor_that_cannot_be_is_refused_with_what_to_do(told):
    assert "follow again from an event that is there" in told("--after", "12", fails=1)
    assert "give the number of an event" in told("--after", "yesterday", fails=2)


def test_whoever_follows_is_told_at_once_and_stops_when_interrupted(told, environment, registrations):
    registrations.dog("Pepper", certificate=LATER)
    command = [sys.executable, "-m", "portal.cli", "events", "--after", str(told()[-1]["cursor"]), "--follow"]
    following = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE)
    deadline = threading.Timer(90, following.kill)
    deadline.start()
    try:
        assert following.stdout is not None
        lines = iter(following.stdout.readline, b"")
        registrations.dog("Rex", certificate=LATER, email="gavin@example.com")
        assert '"subject_table": "animal"' in next(line.decode() for line in lines if b"animal.registered" in line)
        registrations.dog("Echo", certificate=LATER, email="ana@example.com")
        assert next(line for line in lines if b"animal.registered" in line)
    finally:
        deadline.cancel()
        following.terminate()
        following.communicate()
    assert following.returncode == -signal.SIGTERM

"""The console: notices that were flagged or complained of are looked at, shown or taken down."""

from functools import partial
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.schema.notices import AbuseKind, NoticeKind, NoticeState
from portal.services.notices.tell_seen import complain_of_notice
from tests.support.notices import notice

REFERENCE = "4K7PQ-XRM2T"


@pytest.fixture
def console(console):
    """Run a command of its kind: `console("list")`."""
    return partial(console, "notice")


def state(database):
    return database.value("SELECT state FROM animal_control.pet_notice")


def test_a_flagged_notice_waits_on_the_list_until_somebody_shows_it(console, database, registrations, outbox):
    owner = registrations.account("pat@example.com")
    apart = {"withheld_mark": "a scar under the chin"}
    notice(database, state=NoticeState.CHECKING, flagged_for="there is an address in it", account_id=owner, apart=apart)
    assert "there is an address in it" in console("list")
    assert "a scar under the chin" in console("show", "4k7pq xrm2t")
    console("publish", REFERENCE)
    assert state(database) == "shown"
    assert outbox.letters(to="pat@example.com", template="notice_news")[0].subject.endswith("is shown now")
    assert "Nothing waits" in console("list")


def test_one_that_was_complained_of_is_taken_down_and_its_finder_told_why(console, database, gateways, clock, outbox):
    notice(database, kind=NoticeKind.FOUND, apart={"email": "robin@example.com"})
    with Session(gateways.engine) as session, session.begin():
        said = {"kind": NoticeKind.FOUND, "reference": REFERENCE, "what": AbuseKind.SCAM, "text": "asks for gift cards"}
        complain_of_notice(session, **said, key=uuid4(), clock=clock)
    assert "scam: asks for gift cards" in console("list")
    console("hide", REFERENCE, "--reason", "Nobody found this dog", "--officer", "amy@benson.example")
    assert state(database) == "taken_down"
    letter = outbox.letters(to="robin@example.com", template="notice_news")[0]
    assert "Nobody found this dog" in letter.text
    assert "/notices/open/" in letter.text
    actor = database.value("SELECT actor FROM animal_control.event WHERE kind = 'notice.taken_down'")
    assert actor == "officer:amy@benson.example"
    console("publish", REFERENCE)
    assert state(database) == "shown"


def test_one_that_is_home_is_not_shown_again(console, database):
    notice(database, state=NoticeState.HOME)
    assert "is over" in console("publish", REFERENCE, fails=True)
    assert "There is no such notice" in console("hide", "00000-00000", "--reason", "x", fails=True)

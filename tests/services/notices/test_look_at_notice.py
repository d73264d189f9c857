"""Somebody looks at what was flagged or complained of, the oldest first; what is counted is all of it, each once."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.schema.notices import NoticeState
from portal.services.notices.look_at_notice import HOW_MANY_TO_LOOK_AT, notices_to_look_at
from tests.support.notices import notice

COMPLAIN = "INSERT INTO animal_control.notice_abuse (notice_id, kind) VALUES (:notice, 'scam')"


@pytest.fixture
def five(database, clock):
    """Three wait to be shown; somebody complained of the oldest of those, and twice of one that is shown."""
    made = []
    for number, state in enumerate([NoticeState.CHECKING] * 3 + [NoticeState.SHOWN] * 2):
        one = notice(database, f"4K7PQ-XRM2{number}", state=state, created_at=clock.now() + timedelta(minutes=number))
        made.append(one.id)
    for complained_of in (made[0], made[3], made[3]):
        database.run(COMPLAIN, notice=complained_of)
    return made


def test_the_oldest_come_first_each_with_all_that_was_said_of_it(five, desk_engine):
    with Session(desk_engine) as session:
        found = notices_to_look_at(session, limit=10)
    assert [(one.notice.id, len(one.complaints)) for one in found] == [
        (five[0], 1),
        (five[1], 0),
        (five[2], 0),
        (five[3], 2),
    ]


def test_no_more_are_read_than_asked_for_and_all_are_counted(five, desk_engine):
    with Session(desk_engine) as session:
        assert [one.notice.id for one in notices_to_look_at(session, limit=2)] == five[:2]
        assert session.scalar(HOW_MANY_TO_LOOK_AT) == 4

"""Two households report the same dog: one item for the officer, a page and an answer for each of them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy.exc import DBAPIError

from portal.ordinance.nuisances import Nuisance
from portal.services.refusal import Refused
from portal.services.reports.add_to_report import reopen_report
from portal.services.reports.follow_report import whole_report
from portal.services.reports.handle_report import (
    HOW_MANY_WAIT,
    ask_reporter,
    close_report,
    look_into,
    report_view,
    reports_waiting,
)
from portal.services.reports.merge_reports import (
    BITE_FIRST,
    HAS_OTHERS,
    IS_CLOSED,
    IS_MERGED,
    ITSELF,
    OTHER_IS_CLOSED,
    OTHER_IS_MERGED,
    merge_report,
    unmerge_report,
)
from portal.services.say_why import FOR_THE_RECORD

OFFICER = "olsen@benson.example"
WHY = "The same brown dog, the same night."
ROWS = "SELECT row_to_json(r)::text FROM animal_control.report r ORDER BY id"


@pytest.fixture
def desk(reporting, clock):
    """What the officer does: `desk(merge_report, report_id=..., ...)`."""

    def desk(deed, **about):
        with reporting.desk() as session:
            return deed(session, officer=OFFICER, clock=clock, **about)

    return desk


@pytest.fixture
def robin(reporting):
    return reporting.sign_in("robin@example.com")


@pytest.fixture
def mai(reporting):
    return reporting.sign_in("mai@example.com")


@pytest.fixture
def two(reporting, robin, mai):
    """Robin reports the barking, and Mai from the other side of the yard."""
    first = reporting.send(sender=robin.sender(), narrative="It barks all night")
    second = reporting.send(sender=mai.sender(), narrative="The brown dog again")
    return first, second


def waiting(reporting):
    with reporting.desk() as session:
        return {one.report.id: one.count for one in reports_waiting(session, limit=10)}, session.scalar(HOW_MANY_WAIT)


def test_a_report_that_waits_for_its_reporter_keeps_its_place_by_the_time_it_came(reporting, robin, mai, desk, clock):
    sent = []
    for sender in (robin.sender(), mai.sender(), None):
        sent.append(reporting.send(sender=sender).id)
        clock.move_to(clock.now() + timedelta(hours=1))
    for one in sent[:2]:
        desk(ask_reporter, report_id=one, question="Which house?")
    with reporting.desk() as session:
        assert [one.report.id for one in reports_waiting(session, limit=10)] == sent


def page_of(reporting, person, sent, clock):
    with reporting.portal() as session:
        return whole_report(session, person.way, reference=sent.filed.reference, clock=clock)


def test_merged_reports_wait_as_one_and_each_reporter_sees_what_they_saw(reporting, desk, two, robin, mai, clock):
    first, second = two
    before = page_of(reporting, robin, first, clock), page_of(reporting, mai, second, clock)
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    assert waiting(reporting) == ({first.id: 2}, 1)
    assert (page_of(reporting, robin, first, clock), page_of(reporting, mai, second, clock)) == before


def test_taken_apart_everything_is_as_it_was_and_who_did_what_stays(reporting, desk, two, database, clock):
    first, second = two
    desk(ask_reporter, report_id=second.id, question="Which nights?")
    before = database.rows(ROWS)
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    clock.move_to(clock.now() + timedelta(minutes=5))
    desk(unmerge_report, report_id=second.id, why="It was another dog.")
    assert database.rows(ROWS) == before
    assert waiting(reporting) == ({first.id: 1, second.id: 1}, 2)
    with reporting.desk() as session:
        told = [(one.deed.value, one.why, one.done_by) for one in report_view(session, first.id).merges]
    assert told == [("merged", WHY, OFFICER), ("unmerged", "It was another dog.", OFFICER)]
    kinds = database.rows("SELECT kind FROM animal_control.event WHERE kind LIKE 'report.%merged' ORDER BY id")
    assert [one.kind for one in kinds] == ["report.merged"] * 2 + ["report.unmerged"] * 2


def test_what_was_merged_can_be_rewritten_by_nobody(desk, two, database):
    desk(merge_report, report_id=two[1].id, into_id=two[0].id, why=WHY)
    for statement in ("UPDATE animal_control.report_merge SET why = ''", "DELETE FROM animal_control.report_merge"):
        with pytest.raises(DBAPIError, match="append-only"):
            database.run(statement)


def test_closed_as_one_each_gets_an_answer_of_their_own(reporting, desk, two, robin, mai, clock, outbox):
    first, second = two
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    desk(close_report, report_id=first.id, reason="The officer talked with the people there.")
    for person, sent in ((robin, first), (mai, second)):
        page = page_of(reporting, person, sent, clock)
        assert page.report.closed_reason == "The officer talked with the people there."
        assert [update.kind for update in page.updates] == ["closed"]
        assert outbox.templates(to=person.email).count("report_news") == 1
    pages = {letter.context["path"] for letter in outbox.messages(template="report_news")}
    assert len(pages) == 2
    assert waiting(reporting) == ({}, 0)


def test_words_go_to_one_reporter_or_to_all_and_a_question_to_one_alone(desk, two, outbox):
    first, second = two
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    desk(look_into, report_id=first.id, words="We go there tonight.", to_all=True)
    desk(ask_reporter, report_id=second.id, question="Which side of the yard?")
    desk(look_into, report_id=first.id, words="Your film helps.")
    assert outbox.templates(to="robin@example.com").count("report_news") == 2
    assert outbox.templates(to="mai@example.com").count("report_news") == 2


def test_one_that_its_reporter_opens_again_waits_for_itself(reporting, desk, two, mai, clock):
    first, second = two
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    desk(close_report, report_id=first.id, reason="Nobody was home.")
    with reporting.portal() as session:
        reopen_report(session, mai.way, report_id=second.id, why="It barks again.", key=uuid4(), clock=clock)
    assert waiting(reporting) == ({second.id: 1}, 1)


def test_what_can_not_be_merged_is_said_and_why(reporting, desk, two):
    first, second = two
    third, bite = reporting.send(), reporting.send(Nuisance.BITE)

    def refused(**about):
        with pytest.raises(Refused) as no:
            desk(merge_report, **({"why": WHY} | about))
        return [one.sentence for one in no.value.refusals]

    assert refused(report_id=first.id, into_id=first.id) == [ITSELF]
    assert refused(report_id=first.id, into_id=second.id, why=" ") == [FOR_THE_RECORD]
    assert refused(report_id=bite.id, into_id=first.id) == [BITE_FIRST]
    desk(merge_report, report_id=second.id, into_id=first.id, why=WHY)
    assert refused(report_id=third.id, into_id=second.id) == [OTHER_IS_MERGED]
    assert refused(report_id=second.id, into_id=third.id) == [IS_MERGED]
    assert refused(report_id=first.id, into_id=third.id) == [HAS_OTHERS]
    desk(close_report, report_id=third.id, reason="Nobody was home.")
    assert refused(report_id=third.id, into_id=bite.id) == [IS_CLOSED]
    assert refused(report_id=bite.id, into_id=third.id) == [OTHER_IS_CLOSED, BITE_FIRST]


def test_two_officers_who_cross_each_other_make_no_ring(desk, two, database):
    first, second = two

    def merge(pair):
        try:
            desk(merge_report, report_id=pair[0].id, into_id=pair[1].id, why=WHY)
        except Refused:
            return "refused"
        return "merged"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(merge, [(first, second), (second, first)])) == ["merged", "refused"]
    assert database.value("SELECT count(*) FROM animal_control.report WHERE merged_into_id IS NOT NULL") == 1

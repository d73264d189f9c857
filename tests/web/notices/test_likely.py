"""Whoever filed a notice sees which animals it may be about, and says which are others."""

from datetime import date

import pytest
from sqlalchemy.orm import Session

from portal.schema.notices import Holding, NoticeKind, NoticeMatch, NoticeState
from tests.support.notices import notice
from tests.support.pound import impounded

WHY = ["same color and collar", "0.4 miles", "next day"]
ANOTHER = "SELECT dismissed_at IS NOT NULL FROM animal_control.notice_match WHERE score = :score"


@pytest.fixture
def missing(database, registrations):
    """Pat's notice of Pepper."""
    return notice(database, account_id=registrations.account("pat@example.com"))


@pytest.fixture
def found(database):
    """Robin's notice of a beagle."""
    about = {"kind": NoticeKind.FOUND, "holding": Holding.HELD, "breed": "beagle"}
    return notice(database, "7M3NB-QW8RT", link="the link of a finder", apart={"email": "robin@example.com"}, **about)


@pytest.fixture
def pair(database):
    """What the worker noted."""

    def pair(score=60, **sides):
        with Session(database.engine, expire_on_commit=False) as session, session.begin():
            row = NoticeMatch(score=score, reasons=WHY, **sides)
            session.add(row)
        return row

    return pair


def test_the_owner_sees_what_may_be_theirs_and_why(resident, missing, found, pair, database):
    pair(80, lost_notice_id=missing.id, found_notice_id=found.id)
    pair(50, lost_notice_id=missing.id, impoundment_id=impounded(database).id)
    page = resident.visit("/notices/4K7PQ-XRM2T")
    assert "Same color and collar, 0.4 miles, next day." in page.text
    assert page.text.index("Gray and white dog, beagle") < page.text.index("Tan and white dog, beagle, at the pound")
    assert "robin@example.com" not in page.answer.text
    assert page.click("Tan and white dog, beagle, at the pound").path.startswith("/pound/")


def test_what_is_called_another_is_shown_no_more(resident, missing, found, pair, database):
    pair(80, lost_notice_id=missing.id, found_notice_id=found.id)
    resident.visit("/notices/4K7PQ-XRM2T").submit(button="It is another animal")
    assert resident.path == "/notices/4K7PQ-XRM2T"
    assert "May be Pepper" not in resident.text
    assert database.value(ANOTHER, score=80)
    assert resident.visit(f"/notices/4K7PQ-XRM2T/likely/{missing.id}").path == "/notices/4K7PQ-XRM2T"


def test_nobody_calls_somebody_elses_another(another_resident, registrations, missing, found, pair, database):
    """Neither by the other's notice nor by one's own."""
    match = pair(80, lost_notice_id=missing.id, found_notice_id=found.id)
    another_resident.visit(f"/notices/4K7PQ-XRM2T/likely/{match.id}", status=404)
    own = notice(database, "OWN00-00000", account_id=registrations.account("gavin@example.com"))
    pair(70, lost_notice_id=own.id, found_notice_id=found.id)
    form = another_resident.visit("/notices/OWN00-00000").page.form(button="It is another animal")
    sent = another_resident.client.post(f"/notices/OWN00-00000/likely/{match.id}", data=form.values)
    assert sent.status_code == 404
    assert not database.value(ANOTHER, score=80)


def test_the_finder_sees_whose_it_may_be_by_the_notice_alone(visitor, missing, found, pair, registrations):
    pair(80, lost_notice_id=missing.id, found_notice_id=found.id)
    pepper = registrations.licensed("Rex", email="gavin@example.com")
    pair(100, animal_id=pepper.animal_id, found_notice_id=found.id)
    page = visitor.visit("/notices/open/the link of a finder")
    assert page.h1.startswith("Your notice")
    assert "May be one of these missing pets" in page.text
    assert page.links["Gray and white dog"] == "/lost/4K7PQ-XRM2T"
    for detail in ("pat@example.com", "Rex", "gavin"):
        assert detail not in page.answer.text


@pytest.mark.parametrize("state", [NoticeState.HOME, NoticeState.WITHDRAWN, NoticeState.CHECKING])
def test_the_other_side_is_shown_only_while_it_is_open(resident, missing, pair, database, state):
    over = notice(database, "OVER0-00000", kind=NoticeKind.FOUND, holding=Holding.HELD, state=state)
    gone = impounded(database, left_on=date(2026, 11, 30), outcome="reclaimed")
    pair(80, lost_notice_id=missing.id, found_notice_id=over.id)
    pair(70, lost_notice_id=missing.id, impoundment_id=gone.id)
    assert "May be Pepper" not in resident.visit("/notices/4K7PQ-XRM2T").text


def test_likely_ones_are_one_question_more(resident, missing, pair, database, queries):
    for number in range(10):
        pair(40 + number, lost_notice_id=missing.id, impoundment_id=impounded(database).id)
    with queries() as counted:
        resident.visit("/notices/4K7PQ-XRM2T")
    assert len([sent for sent in counted.sent if "notice_match" in sent]) == 1

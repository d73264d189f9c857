"""What anybody may see of a lost or found notice."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from portal.schema.notices import NoticeKind, NoticeSpecies, NoticeState
from portal.services.notices.shown import board_page, shown_notice
from portal.services.refusal import NotTheirs
from tests.support.notices import notice

LOST, FOUND = NoticeKind.LOST, NoticeKind.FOUND
BEGAN = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture
def portal(gateways):
    with Session(gateways.engine) as session:
        yield session


def test_a_notice_that_is_shown_is_shown_whole(database, portal):
    notice(database, shown_phone="(320) 555-0142")
    found = shown_notice(portal, kind=LOST, reference="4K7PQ-XRM2T")
    assert (found.name, found.wears, found.shown_phone) == ("Pepper", "a red collar", "(320) 555-0142")


def test_of_a_pet_that_is_home_only_that_is_told(database, portal):
    notice(database, state=NoticeState.HOME, what_to_do="Call her name")
    found = shown_notice(portal, kind=LOST, reference="4K7PQ-XRM2T")
    assert found.is_home
    assert found.name == "Pepper"
    assert (found.place, found.what_to_do, found.wears, found.photo_key, found.shown_phone) == ("", "", "", None, None)


@pytest.mark.parametrize("state", sorted(set(NoticeState) - {NoticeState.SHOWN, NoticeState.HOME}))
def test_any_other_notice_does_not_exist_for_the_public(database, portal, state):
    notice(database, state=state)
    with pytest.raises(NotTheirs):
        shown_notice(portal, kind=LOST, reference="4K7PQ-XRM2T")
    assert board_page(portal, kind=LOST).notices == ()


def test_a_missing_pet_is_no_found_one(database, portal):
    notice(database)
    with pytest.raises(NotTheirs):
        shown_notice(portal, kind=FOUND, reference="4K7PQ-XRM2T")


def test_the_board_is_read_a_page_at_a_time_and_each_page_in_one_statement(database, portal):
    for number in range(5):
        notice(database, f"ref-{number}", created_at=BEGAN + timedelta(hours=number // 2))
    statements = []
    event.listen(portal.connection(), "before_cursor_execute", lambda *sent: statements.append(sent[2]))
    first = board_page(portal, kind=LOST, length=2)
    second = board_page(portal, kind=LOST, length=2, after=first.next)
    third = board_page(portal, kind=LOST, length=2, after=second.next)
    assert len(statements) == 3
    seen = [one.reference for page in (first, second, third) for one in page.notices]
    assert sorted(seen) == [f"ref-{number}" for number in range(5)]
    assert seen[0] == "ref-4"
    assert third.next is None


def test_the_board_has_cats_for_who_looks_for_a_cat(database, portal):
    notice(database, "dog")
    notice(database, "cat", species=NoticeSpecies.CAT)
    notice(database, "home", species=NoticeSpecies.CAT, state=NoticeState.HOME)
    assert [one.reference for one in board_page(portal, kind=LOST, species=NoticeSpecies.CAT).notices] == ["cat"]

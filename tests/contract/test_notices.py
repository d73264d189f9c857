"""What the database itself keeps true of lost and found notices."""

import pytest
from sqlalchemy.exc import IntegrityError

from portal.schema.notices import Holding, NoticeKind, NoticeState
from portal.schema.roles import DESK, WEB, WORKER
from tests.support.notices import LAST_NIGHT, notice

FOUND = NoticeKind.FOUND


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("a_found_one_says_how_it_is_held", {"kind": FOUND, "holding": None}),
        ("a_found_one_says_how_it_is_held", {"holding": Holding.HELD}),
        ("only_a_held_one_was_taken_in", {"kind": FOUND, "holding": Holding.SIGHTED, "confined_at": LAST_NIGHT}),
        ("only_an_owner_shows_a_phone", {"kind": FOUND, "shown_phone": "320-555-0142"}),
        ("a_position_is_whole", {"latitude": 45.3}),
        ("a_picture_has_its_small_one", {"photo_key": "notices/0f/0f"}),
        ("whatever_is_over_says_since_when", {"state": NoticeState.WITHDRAWN, "closed_at": None}),
        (
            "picture_and_phone_go_with_the_notice",
            {"state": NoticeState.HOME, "photo_key": "notices/0f/0f", "thumbnail_key": "notices/0f/1f"},
        ),
        ("picture_and_phone_go_with_the_notice", {"state": NoticeState.WITHDRAWN, "shown_phone": "320-555-0142"}),
    ],
)
def test_a_notice_that_contradicts_itself_is_refused(database, constraint, values):
    with pytest.raises(IntegrityError, match=f"ck_pet_notice_{constraint}"):
        notice(database, **values)


def test_a_pair_is_matched_once(database):
    lost, found = notice(database), notice(database, "found", kind=FOUND)
    pair = "INSERT INTO animal_control.notice_match (lost_notice_id, found_notice_id, score) VALUES (:lost, :found, 70)"
    database.run(pair, lost=lost.id, found=found.id)
    with pytest.raises(IntegrityError, match="uq_notice_match_pair"):
        database.run(pair, lost=lost.id, found=found.id)


def test_a_talk_begins_with_a_tag_or_with_a_notice(database):
    with pytest.raises(IntegrityError, match="begins_with_a_tag_or_a_notice"):
        database.run("INSERT INTO portal.relay DEFAULT VALUES")


@pytest.mark.parametrize(("role", "may"), [(WEB, False), (WORKER, False), (DESK, True)])
def test_what_others_complained_of_is_read_by_the_city_alone(database, role, may):
    right = "SELECT has_table_privilege(:role, 'animal_control.notice_abuse', 'SELECT')"
    assert database.value(right, role=role) is may

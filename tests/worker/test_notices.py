"""Does a notice still hold? Asked kindly after two weeks, hidden after 60 days, by day alone."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.schema.notices import Holding, NoticeKind, NoticeState
from portal.schema.notices_private import NoticeLink, NoticePrivate
from portal.services.notices.tell_seen import Seen, Words, tell_seen
from portal.worker.jobs import deliver_letters, sweep_files, sweep_rows
from portal.worker.notices import mind_notices
from tests.support.notices import notice
from tests.support.portal import MORNING


def never() -> bool:
    return False


def subjects(post):
    return [letter.subject for letter in post.taken if "code" not in letter.subject]


def states(database):
    return [row.state for row in database.rows("SELECT state FROM animal_control.pet_notice ORDER BY reference")]


def test_an_owner_is_asked_once_after_two_weeks(parts, database, registrations, clock, post):
    owner = registrations.account("pat@example.com")
    notice(database, account_id=owner, renewed_at=MORNING)
    clock.move_to(MORNING + timedelta(days=13, hours=23))
    mind_notices(parts, never)
    clock.move_to(MORNING + timedelta(days=14))
    mind_notices(parts, never)
    mind_notices(parts, never)
    deliver_letters(parts, never)
    assert subjects(post) == ["Are you still looking for Pepper?"]
    assert states(database) == ["shown"]


def test_what_nobody_speaks_for_in_60_days_is_hidden_and_not_lost(parts, database, registrations, clock, post):
    owner = registrations.account("pat@example.com")
    notice(database, "old", account_id=owner, renewed_at=MORNING, asked_at=MORNING + timedelta(days=14))
    notice(database, "spoken for", account_id=owner, renewed_at=MORNING + timedelta(days=50))
    clock.move_to(MORNING + timedelta(days=60))
    mind_notices(parts, never)
    deliver_letters(parts, never)
    assert states(database) == ["expired", "shown"]
    assert subjects(post) == ["Your notice about Pepper is hidden"]


def test_nobody_is_asked_at_night(parts, database, registrations, clock, post):
    notice(database, account_id=registrations.account("pat@example.com"), renewed_at=MORNING)
    clock.move_to(MORNING.replace(hour=3) + timedelta(days=70))
    mind_notices(parts, never)
    assert states(database) == ["shown"]


def test_the_picture_of_a_notice_stays_and_that_of_a_forgotten_draft_goes(parts, database, registrations, files, clock):
    kept, begun = registrations.stored(), registrations.stored()
    keys = {"photo_key": kept.pages[0]["key"], "thumbnail_key": kept.thumbnail_key}
    notice(database, photo_width=1, photo_height=1, **keys)
    database.run(
        "INSERT INTO portal.notice_draft (token_hash, photo, expires_at) VALUES ('a', CAST(:photo AS jsonb), :at)",
        photo=f'{{"key": "{begun.pages[0]["key"]}", "thumbnail_key": "{begun.thumbnail_key}"}}',
        at=MORNING + timedelta(days=7),
    )
    clock.move_to(MORNING + timedelta(days=6))
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert set(files.files) == {*keys.values(), begun.pages[0]["key"], begun.thumbnail_key}
    clock.move_to(MORNING + timedelta(days=8))
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert set(files.files) == set(keys.values())


def test_a_sighting_reaches_its_owner_at_once_by_night_and_by_text(
    parts, gateways, database, registrations, clock, post, texts
):
    owner = registrations.account("pat@example.com")
    consent = "INSERT INTO portal.reminder_choice (account_id, sms_phone, sms_consented_at) VALUES (:id, :phone, now())"
    database.run(consent, id=owner, phone="+13205550111")
    missing = notice(database, account_id=owner)
    clock.move_to(MORNING.replace(hour=2))
    seen = Seen(
        words=Words(text=""), holding=Holding.HELD, place="By the river", seen_at=clock.now(), confined_at=clock.now()
    )
    with Session(gateways.engine) as session, session.begin():
        tell_seen(
            session, seen, reference=missing.reference, key=uuid4(), token="seer", city=gateways.city, clock=clock
        )
    deliver_letters(parts, never)
    assert subjects(post) == ["Somebody has Pepper"]
    assert [text.to for text in texts.taken] == ["+13205550111"]
    assert "Pepper" not in texts.taken[0].words


@pytest.mark.parametrize(("days", "is_known"), [(90, True), (91, False)])
def test_how_to_reach_a_finder_goes_ninety_days_after_the_notice_is_over(parts, database, clock, days, is_known):
    known = {
        "email": "robin@example.com",
        "phone": "320-555-0123",
        "withheld_mark": "a scar",
        "chip": "985112003456781",
    }
    over = {"state": NoticeState.WITHDRAWN, "closed_at": MORNING}
    notice(database, kind=NoticeKind.FOUND, link="of a letter", apart=known, **over)
    notice(database, "open", link="of another", apart=known)
    clock.move_to(MORNING + timedelta(days=days, seconds=-1))
    sweep_rows(parts, never)
    kept, of_the_open_one = database.all(NoticePrivate)
    gone = {"email": None, "phone": None, "withheld_mark": ""}
    assert {name: getattr(kept, name) for name in known} == (known if is_known else known | gone)
    assert of_the_open_one.email == "robin@example.com"
    assert len(database.all(NoticeLink)) == 1 + is_known

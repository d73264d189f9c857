"""A found dog's people get their letters and texts at once, by night too, and no header tells who the finder is."""

from datetime import datetime
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.gateways.mail.letter import compose
from portal.services.animals.find_tag import TagNumber
from portal.services.notices.answer_in_relay import Words, answer_as_keeper
from portal.services.notices.tell_found import Found, tell_found
from portal.worker.jobs import deliver_letters
from tests.support.portal import CHICAGO

NIGHT = datetime(2026, 12, 1, 2, 30, tzinfo=CHICAGO)
SENDER = "City of Benson <animals@benson.example>"
PHONE = "+13205550111"


def never() -> bool:
    return False


@pytest.fixture
def pepper(registrations, database, clock):
    """Pepper's keeper agreed to texts."""
    kept = registrations.licensed()
    database.run(
        "INSERT INTO portal.reminder_choice (account_id, sms_phone, sms_consented_at) VALUES (:id, :phone, now())",
        id=kept.account_id,
        phone=PHONE,
    )
    return kept


@pytest.fixture
def found(pepper, gateways, clock, parts, post, texts):
    """Robin finds Pepper in the middle of the night; the key of their talk."""
    deliver_letters(parts, never)
    post.taken.clear()
    clock.move_to(NIGHT)
    robin = Found(
        text="She is here.",
        place="Northside park",
        phone=None,
        email="robin@example.com",
        confined_at=None,
        photo_key=None,
        is_suspicious=False,
    )
    key = uuid4()
    with Session(gateways.engine) as session, session.begin():
        tell_found(session, robin, tag=TagNumber(1, 2026), key=key, token=uuid4().hex, city=gateways.city, clock=clock)
    deliver_letters(parts, never)
    return key


def test_letters_and_texts_go_at_once_in_the_middle_of_the_night(found, post, texts, pepper, settings):
    assert sorted(post.mailboxes) == ["pat@example.com", "robin@example.com"]
    [text] = texts.taken
    assert text.to == PHONE
    assert f"{settings.base_url}/dogs/{pepper.animal_id}/found/{found}" in text.words
    for detail in ("Pepper", "She is here", "Northside", "robin"):
        assert detail not in text.words


def test_no_header_of_a_letter_tells_of_the_other_side(found, gateways, clock, parts, post, pepper):
    with Session(gateways.engine) as session, session.begin():
        answer_as_keeper(
            session,
            Words(text="On my way."),
            person_id=pepper.person_id,
            animal_id=pepper.animal_id,
            relay_id=found,
            key=uuid4(),
            clock=clock,
        )
    deliver_letters(parts, never)
    assert len(post.taken) == 3
    for letter in post.taken:
        whole = compose(letter, sender=SENDER, sent_at=NIGHT).as_string().lower()
        other = "robin" if letter.to == "pat@example.com" else "pat@example.com"
        assert other not in whole
        assert "brien" not in whole
        assert f"reply-to: {gateways.city.police.email}" in whole


def test_neither_links_nor_what_was_said_are_kept_once_the_letters_are_sent(found, database):
    kept = "SELECT DISTINCT context::text FROM portal.outgoing_message WHERE template IN ('finder_link', 'tag_found')"
    contexts = {row.context for row in database.rows(f"{kept} AND channel = 'email'")}
    assert contexts == {"{}"}

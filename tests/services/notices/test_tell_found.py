"""A form sent twice at the same moment tells a dog's people once (R1)."""

import threading
from uuid import uuid4

from sqlalchemy.orm import Session

from portal.services.animals.find_tag import TagNumber
from portal.services.notices.tell_found import Found, tell_found


def test_two_sendings_at_once_open_one_talk(registrations, gateways, clock, database, outbox):
    registrations.licensed()
    key, token = uuid4(), uuid4().hex
    found = Found(
        text="She is here.",
        place=None,
        phone=None,
        email="robin@example.com",
        confined_at=None,
        photo_key=None,
        is_suspicious=False,
    )
    meet, told = threading.Barrier(4), []

    def send():
        with Session(gateways.engine) as session, session.begin():
            meet.wait(60)
            told.append(
                tell_found(
                    session, found, tag=TagNumber(1, 2026), key=key, token=token, city=gateways.city, clock=clock
                ).name
            )

    senders = [threading.Thread(target=send) for _ in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert told == ["Pepper"] * 4
    assert database.value("SELECT count(*) FROM portal.relay_message") == 1
    assert outbox.templates(to="pat@example.com").count("tag_found") == 1
    assert outbox.templates(to="robin@example.com") == ["finder_link"]

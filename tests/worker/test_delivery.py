"""Letters leave once, in good time, and no failure stops the others."""

import threading
from datetime import timedelta

import pytest

from portal.services.messages.deliver_messages import GAPS, GAPS_OF_CODES, LEASE
from portal.services.messages.tokens import message_token
from portal.worker.jobs import deliver_letters
from tests.worker.post import Killed


def never() -> bool:
    return False


def row(database, to="gavin@example.com"):
    (found,) = database.rows("SELECT * FROM portal.outgoing_message WHERE recipient = :to", to=to)
    return found


def test_a_letter_goes_out_once(parts, post, queue, database):
    queue("gavin@example.com")
    deliver_letters(parts, never)
    deliver_letters(parts, never)
    assert post.mailboxes == ["gavin@example.com"]
    assert post.taken[0].message_id == f"{message_token(row(database).id, key=parts.secret_key)}@localhost"
    assert row(database).sent_at == parts.gateways.clock.now()


def test_a_code_is_forgotten_once_it_was_sent(parts, post, queue, database):
    queue("gavin@example.com", is_secret=True)
    queue("pat@example.com")
    deliver_letters(parts, never)
    assert "493027" in next(letter.text for letter in post.taken if letter.to == "gavin@example.com")
    assert row(database).context == {}
    assert row(database, "pat@example.com").context["animal"] == "Pepper"


def test_codes_go_first(parts, post, queue):
    for number in range(3):
        queue(f"person{number}@example.com")
    queue("gavin@example.com", is_secret=True)
    deliver_letters(parts, never)
    assert post.mailboxes[0] == "gavin@example.com"


def test_after_a_long_outage_a_code_goes_before_every_link_that_waited(parts, post, queue, clock):
    """A link works for days, a code for half an hour."""
    post.says = dict.fromkeys(("clinic@example.com", "mai@example.com"), "defer")
    queue("clinic@example.com", "ask_vet", is_secret=True, species="dog", about="", until="2026-12-30")
    queue("mai@example.com", "invited_to_keep", is_secret=True, species="dog", until="2026-12-14")
    deliver_letters(parts, never)
    post.says.clear()
    clock.move_to(clock.now() + timedelta(hours=3))
    queue("pat@example.com")
    queue("gavin@example.com", is_secret=True)
    deliver_letters(parts, never)
    assert post.mailboxes[0] == "gavin@example.com"
    assert post.mailboxes[-1] == "pat@example.com"


def test_a_letter_that_is_not_taken_waits_longer_each_time_and_is_given_up_after_two_days(
    parts, post, queue, database, clock
):
    queue("gavin@example.com")
    post.says["gavin@example.com"] = "defer"
    for gap in GAPS:
        deliver_letters(parts, never)
        assert row(database).not_before == clock.now() + gap
        assert row(database).failed_at is None
        clock.move_to(clock.now() + gap - timedelta(seconds=1))
        deliver_letters(parts, never)
        assert row(database).not_before == clock.now() + timedelta(seconds=1), "tried too soon"
        clock.move_to(clock.now() + timedelta(seconds=1))
    deliver_letters(parts, never)
    assert row(database).failed_at == clock.now()
    assert row(database).handled_at is None, "the desk deals with it"
    assert timedelta(days=1) < sum(GAPS, timedelta()) <= timedelta(days=2)
    assert post.taken == []


def test_a_code_that_cannot_be_delivered_is_given_up_and_forgotten_before_it_would_be_over(
    parts, post, queue, database, clock
):
    queue("gavin@example.com", is_secret=True)
    post.says["gavin@example.com"] = "defer"
    for gap in GAPS_OF_CODES:
        deliver_letters(parts, never)
        clock.move_to(clock.now() + gap)
    deliver_letters(parts, never)
    assert row(database).failed_at is not None
    assert row(database).handled_at == row(database).failed_at, "nobody at the desk is shown a code"
    assert row(database).context == {}
    assert row(database).last_error == "MailDeferred", "a server may quote the code"
    assert sum(GAPS_OF_CODES, timedelta()) < timedelta(minutes=30)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        pytest.param("ask_vet", {"species": "dog", "about": "", "until": "2026-12-30"}, id="a clinic"),
        pytest.param(
            "ask_for_evidence",
            {"about": "", "link_for": "insurer", "least": "$300,000", "until": "2026-12-30"},
            id="an insurer",
        ),
        pytest.param("invited_to_keep", {"species": "dog", "until": "2026-12-14"}, id="somebody to keep a dog with"),
        pytest.param("report_link", {"path": "/reports/open/secret-token"}, id="a reporter"),
        pytest.param("finder_link", {"is_found": True, "other": "the owner"}, id="a finder"),
    ],
)
def test_whoever_was_sent_a_link_has_it_although_their_mailbox_took_nothing_for_a_day(
    parts, post, queue, database, clock, template, told
):
    queue("clinic@example.com", template, is_secret=True, **told)
    post.says["clinic@example.com"] = "defer"
    since = clock.now()
    while clock.now() < since + timedelta(days=1):
        deliver_letters(parts, never)
        assert row(database, "clinic@example.com").failed_at is None
        clock.move_to(row(database, "clinic@example.com").not_before)
    post.says.clear()
    deliver_letters(parts, never)
    assert post.mailboxes == ["clinic@example.com"]
    assert row(database, "clinic@example.com").context == {}, "a link is not kept once it went out"


def test_a_refused_letter_is_given_up_at_once_and_the_others_go_out(parts, post, queue, database):
    post.says["gone@example.com"] = "refuse"
    for to in ("gone@example.com", "gavin@example.com", "pat@example.com"):
        queue(to)
    deliver_letters(parts, never)
    assert sorted(post.mailboxes) == ["gavin@example.com", "pat@example.com"]
    refused = row(database, "gone@example.com")
    assert refused.failed_at is not None
    assert refused.last_error == "MailRefused: 550 no such mailbox"


def test_a_letter_that_cannot_be_written_waits_for_the_next_release_and_the_others_go_out(
    parts, post, queue, database, caplog
):
    queue("gavin@example.com", "no_such_letter", animal="Very private")
    queue("pat@example.com", good_until="not a date")
    queue("mai@example.com")
    deliver_letters(parts, never)
    assert post.mailboxes == ["mai@example.com"]
    assert row(database).failed_at is None
    assert row(database).last_error == "Unwritten: TemplateNotFound"
    assert row(database, "pat@example.com").last_error == "Unwritten: ValueError"
    assert "reference" in caplog.text
    assert "private" not in caplog.text


def test_eight_workers_at_once_send_each_letter_once(parts, post, queue):
    to = [f"person{number}@example.com" for number in range(200)]
    for mailbox in to:
        queue(mailbox)
    workers = [threading.Thread(target=deliver_letters, args=[parts, never]) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(post.mailboxes) == sorted(to)


def test_a_worker_killed_after_sending_leaves_a_letter_that_goes_again_under_the_same_id(
    parts, post, queue, clock, database
):
    queue("gavin@example.com")
    post.says["gavin@example.com"] = "kill"
    with pytest.raises(Killed):
        deliver_letters(parts, never)
    post.says.clear()
    clock.move_to(clock.now() + LEASE - timedelta(seconds=1))
    deliver_letters(parts, never)
    assert len(post.taken) == 1, "the lease was not kept"
    clock.move_to(clock.now() + timedelta(seconds=1))
    deliver_letters(parts, never)
    first, second = post.taken
    assert first.message_id == second.message_id
    assert row(database).sent_at is not None


def test_a_worker_that_is_stopping_begins_no_other_letter(parts, post, queue):
    for number in range(3):
        queue(f"person{number}@example.com")
    deliver_letters(parts, lambda: len(post.taken) == 1)
    assert len(post.taken) == 1

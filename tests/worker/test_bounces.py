"""Letters that come back after they were taken: staff see it, reminders there stop, and nobody can forge it."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes

import pytest

from portal.gateways.mail.letter import returned_to
from portal.services.messages.tokens import message_token
from portal.worker.bounces import read_bounces
from portal.worker.jobs import deliver_letters, sweep_rows
from portal.worker.reminders import send_reminders
from tests.support.returned import returned

PAT = "pat@example.com"


@dataclass
class Box:
    """A mailbox with what came back."""

    letters: list[bytes] = field(default_factory=list)

    def each(self, look):
        for content in self.letters:
            look(content)
        return len(self.letters)

    def reach(self):
        """It opens."""


@pytest.fixture
def box():
    return Box()


@pytest.fixture
def parts(parts, box):
    return replace(parts, bounces=box)


@pytest.fixture
def sent(parts, post, queue):
    """Send a letter; the token it bears."""

    def sent(to=PAT, **more):
        queue(to, **more)
        deliver_letters(parts, never)
        return post.taken[-1].message_id.partition("@")[0]

    return sent


@pytest.fixture
def comes_back(parts, box):
    """A notification arrives and is read."""

    def comes_back(token, **said):
        box.letters = [returned(token, **said)]
        read_bounces(parts, never)

    return comes_back


def never():
    return False


def row(database, to):
    [found] = database.rows("SELECT * FROM portal.outgoing_message WHERE recipient = :to", to=to)
    return found


def dead(database):
    return [found.mailbox for found in database.rows("SELECT mailbox FROM portal.dead_mailbox")]


def test_a_letter_that_came_back_is_shown_at_the_desk_with_what_the_server_said(
    clerk, sent, comes_back, database, registrations
):
    comes_back(sent())
    assert row(database, PAT).failed_at
    clerk.visit("/desk?kind=bounced").click(f"Letter to {PAT} came back")
    assert "5.1.1 550 5.1.1 No such user" in clerk.text
    assert "Reminders to this mailbox have stopped" in clerk.text


def test_the_same_notification_twice_is_one(sent, comes_back, database, clock):
    token = sent()
    comes_back(token)
    first = row(database, PAT).failed_at
    clock.move_to(clock.now() + timedelta(hours=1))
    comes_back(token)
    assert row(database, PAT).failed_at == first
    assert dead(database) == [PAT]


def test_a_notification_that_is_quicker_than_our_own_note_ends_the_trying(parts, queue, comes_back, database):
    """The worker was killed after handing the letter over: it would send it once more."""
    queue(PAT)
    comes_back(message_token(row(database, PAT).id, key=parts.secret_key))
    deliver_letters(parts, never)
    assert row(database, PAT).sent_at is None
    assert row(database, PAT).failed_at


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(lambda token: token[:-12] + "0" * 12, id="a signature made up"),
        pytest.param(lambda token: "7c9e6679-7425-40de-944b-e07fc1f90ae7" + token[36:], id="that of another letter"),
        pytest.param(lambda token: token[:36], id="the id alone"),
        pytest.param(lambda _: "", id="none at all"),
    ],
)
def test_nobody_can_make_up_that_a_letter_to_somebody_came_back(sent, comes_back, database, forged):
    comes_back(forged(sent()), recipient=PAT)
    assert row(database, PAT).failed_at is None
    assert dead(database) == []


def test_whoever_has_a_letter_can_say_of_no_other_mailbox_that_it_is_gone(sent, comes_back, database):
    """The address in a notification is not believed."""
    token = sent("mallory@example.com")
    comes_back(token, recipient=PAT)
    assert dead(database) == ["mallory@example.com"]


def test_a_key_that_was_changed_still_counts(parts, sent, box, database):
    box.letters = [returned(sent())]
    read_bounces(replace(parts, secret_key="another" * 6, earlier_keys=(parts.secret_key,)), never)
    assert row(database, PAT).failed_at


@pytest.mark.parametrize("status", ["5.2.2", "5.7.1", "4.4.7"])
def test_a_full_or_choosy_mailbox_is_told_to_staff_and_gets_reminders_on(sent, comes_back, database, status):
    comes_back(sent(), status=status, said=f"smtp; {status}")
    assert row(database, PAT).failed_at
    assert dead(database) == []


def test_a_delay_changes_nothing(sent, comes_back, database):
    comes_back(sent(), action="delayed", status="4.4.1")
    assert row(database, PAT).failed_at is None


def test_a_code_that_came_back_is_told_to_nobody(clerk, sent, comes_back, database):
    comes_back(sent(is_secret=True))
    assert row(database, PAT).last_error == "CameBack"
    assert "Nothing waits." in clerk.visit("/desk?kind=bounced").text


def test_reminders_stop_and_begin_again_once_somebody_signs_in(
    parts, post, comes_back, registrations, arrive, database, clock
):
    registrations.licensed("Pepper")
    deliver_letters(parts, never)
    comes_back(post.taken[-1].message_id.partition("@")[0])
    clock.move_to(clock.now() + timedelta(days=17))
    send_reminders(parts, never)
    assert reminders(database) == []
    arrive(PAT).sign_in(then="/dogs")
    send_reminders(parts, never)
    assert reminders(database) == ["reminder_renewal"]


def test_a_mailbox_the_server_refuses_at_once_gets_no_reminders_either(parts, post, queue, database):
    post.says[PAT] = "no such mailbox"
    queue(PAT)
    deliver_letters(parts, never)
    assert dead(database) == [PAT]


def test_after_a_year_a_mailbox_is_tried_again(parts, sent, comes_back, database, clock):
    comes_back(sent())
    clock.move_to(clock.now() + timedelta(days=366))
    sweep_rows(parts, never)
    assert dead(database) == []


def test_the_address_a_letter_is_returned_to_names_it_and_is_short_enough(sent):
    address = returned_to("bounces@example.gov", f"{sent()}@localhost")
    assert address.startswith("bounces+")
    assert len(address.partition("@")[0]) <= 64
    assert message_from_bytes(f"To: {address}\n\n".encode())["To"] == address


def reminders(database):
    found = database.rows("SELECT template FROM portal.outgoing_message WHERE template LIKE 'reminder%'")
    return [one.template for one in found]

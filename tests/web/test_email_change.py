"""A new mailbox counts once the old and the new one have both said yes."""

from datetime import timedelta

import pytest

from portal.schema.accounts import Account
from portal.schema.household import EmailChange
from portal.services.secrets import token_hash

OLD, NEW = "pat@example.com", "pat.new@example.com"


@pytest.fixture
def pepper(registrations):
    return registrations.licensed("Pepper")


@pytest.fixture
def asked(resident, pepper):
    """Pat has asked for it."""
    return resident.visit("/me").click("Change e‑mail address").submit(new_email=NEW)


def path(outbox, which):
    mailbox = OLD if which == "old" else NEW
    return outbox.messages(to=mailbox, template=f"email_change_{which}")[-1].context["path"]


def mailboxes(database):
    return [(account.email, account.email_key) for account in database.all(Account)]


@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
def test_both_mailboxes_say_yes_in_either_order(asked, arrive, outbox, database, order):
    assert "Has not said yes yet" in asked.text
    somewhere = arrive()
    first, second = order
    somewhere.visit(path(outbox, first))
    assert somewhere.path == "/me/email/confirm", "the token is out of the address bar"
    somewhere.submit()
    assert somewhere.h1 == "One of two has said yes"
    assert mailboxes(database) == [(OLD, OLD)], "one is not enough"
    somewhere.visit(path(outbox, second)).submit()
    assert somewhere.h1 == "Your e‑mail address is changed"
    assert mailboxes(database) == [(NEW, NEW)]
    assert database.value("SELECT email FROM animal_control.person") == NEW
    assert outbox.templates(to=OLD)[-1] == outbox.templates(to=NEW)[-1] == "email_changed"
    detail = "SELECT detail FROM animal_control.event WHERE kind = 'person.changed'"
    assert database.value(detail) == {"changed": ["email"]}


def test_opening_a_link_says_nothing_and_a_link_works_for_two_days(asked, arrive, outbox, database, clock):
    links = [path(outbox, "old"), path(outbox, "new")]
    for link in links:
        arrive().visit(link)
    [change] = database.all(EmailChange)
    assert (change.old_confirmed_at, change.new_confirmed_at) == (None, None)
    clock.move_to(clock.at + timedelta(days=2, seconds=1))
    for link in (*links, "/me/email/wrong"):
        assert arrive().visit(link, status=410).h1 == "This link does not open anything now"


def test_every_other_browser_is_signed_out_and_the_one_that_pressed_last_is_not(asked, arrive, outbox):
    elsewhere = arrive(OLD).sign_in(then="/me")
    asked.visit(path(outbox, "new")).submit()
    asked.visit(path(outbox, "old")).submit()
    assert NEW in asked.visit("/me").text
    elsewhere.visit("/me", status=303, follow=False)
    assert elsewhere.location == "/sign-in?next=/me"


def test_the_new_mailbox_signs_in_to_the_same_record_and_the_old_one_to_nothing(asked, arrive, outbox):
    for which in ("old", "new"):
        arrive().visit(path(outbox, which)).submit()
    assert "Pepper" in arrive(NEW).sign_in(then="/dogs").text
    assert "Pepper" not in arrive(OLD).sign_in(then="/dogs").text


def test_a_link_works_once_and_the_tokens_are_kept_as_hashes(asked, arrive, outbox, database):
    tokens = [path(outbox, which).rpartition("/")[2] for which in ("old", "new")]
    [change] = database.all(EmailChange)
    assert [change.old_token_hash, change.new_token_hash] == [token_hash(token) for token in tokens]
    for which in ("old", "new"):
        arrive().visit(path(outbox, which)).submit()
    arrive().visit(path(outbox, "old"), status=410)
    assert all(letter.is_secret for letter in outbox.messages() if letter.template.startswith("email_change_"))


def test_asking_again_ends_what_was_asked_before_and_it_can_be_given_up(asked, arrive, outbox):
    before = path(outbox, "new")
    asked.visit("/me/email").submit(new_email=NEW)
    arrive().visit(before, status=410)
    asked.visit("/me/email").submit(button=f"Keep {OLD}")
    arrive().visit(path(outbox, "new"), status=410)
    assert f"It is {OLD} now" in asked.text


def test_a_mailbox_with_an_account_looks_the_same_to_whoever_asks(resident, pepper, registrations, outbox, queries):
    registrations.account("gavin@example.com")
    seen = []
    for email in ("gavin@example.com", "nobody@example.com"):
        resident.visit("/me/email")
        with queries() as sent:
            resident.submit(new_email=email)
        seen.append((resident.text.replace(email, "NEW"), len(sent), outbox.templates(to=email)))
    # The second asking gives the first one up, in the same statements.
    assert seen[0] == seen[1]


def test_only_whoever_reads_that_mailbox_is_told_that_it_has_a_record(asked, arrive, registrations, outbox, database):
    registrations.dog("Max", email=NEW)
    new = arrive().visit(path(outbox, "new"))
    assert f"{NEW} signs in to a record of its own already" in new.text
    token = {"csrf_token": asked.page.values["csrf_token"]}
    old = arrive().visit(path(outbox, "old")).submit()
    assert old.h1 == "One of two has said yes"
    assert "record of its own" not in asked.visit("/me/email").text
    new.client.post("/me/email/confirm", data=token)
    assert (OLD, OLD) in mailboxes(database)


def test_a_mailbox_that_was_taken_meanwhile_is_refused_and_nothing_is_half_done(
    asked, arrive, registrations, outbox, database
):
    arrive().visit(path(outbox, "new")).submit()
    registrations.account(NEW)
    last = arrive().visit(path(outbox, "old")).submit(status=422)
    assert last.errors == ["This change can’t be made here. Call the police department: a person can put it right"]
    assert sorted(mailboxes(database)) == sorted([(OLD, OLD), (NEW, NEW)])


def test_the_address_one_has_already_is_asked_for_again(resident, pepper):
    resident.visit("/me/email").submit(new_email=" PAT@example.com ", status=422)
    assert resident.errors == ["This is your e-mail address already. Enter the new one"]
    resident.submit(new_email="pat@", status=422)
    assert resident.errors == ["Enter an e-mail address like name@example.com"]


def test_no_mailbox_is_written_to_over_and_over(resident, pepper):
    for _ in range(3):
        resident.visit("/me/email").submit(new_email=NEW)
    resident.visit("/me/email").submit(new_email=NEW, status=429)


def test_a_stranger_who_is_signed_in_stays_signed_in_as_themselves(asked, another_resident, outbox):
    another_resident.visit(path(outbox, "old")).submit()
    another_resident.visit(path(outbox, "new")).submit()
    assert "gavin@example.com" in another_resident.visit("/me").text
    asked.visit("/me", status=303, follow=False)

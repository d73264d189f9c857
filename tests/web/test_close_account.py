"""Closing the sign-in: it ends, the records stay, and the same mailbox opens them again (example 65, 138.17)."""

from portal.schema.accounts import Account, SignIn
from portal.schema.drafts import Draft
from portal.schema.household import EmailChange, KeeperInvitation
from tests.support.registering import answer_eligibility, tell_about


def test_what_ends_and_what_stays_is_said_before(resident):
    resident.visit("/me").click("Close my sign‑in")
    assert "official record" in resident.text
    assert "§ 138.17" in resident.text
    assert "what you owe you still owe" in resident.text
    assert "Download your data first" in resident.links


def test_every_browser_is_signed_out_and_the_records_stay(arrive, registrations, database, outbox):
    pepper = registrations.licensed("Pepper")
    resident, phone = arrive().sign_in(), arrive().sign_in()
    resident.visit("/me/close").submit()
    assert resident.h1 == "Your sign‑in is closed"
    for browser in (resident, phone):
        browser.visit(f"/dogs/{pepper.animal_id}", status=303, follow=False)
        assert browser.location.startswith("/sign-in")
    assert all(sign_in.ended_at for sign_in in database.all(SignIn))
    assert [account.closed_at is not None for account in database.all(Account)] == [True]
    for table in ("person", "animal", "license", "tag", "vaccination", "payment"):
        assert database.value(f"SELECT count(*) FROM animal_control.{table}") == 1  # noqa: S608 - our own names
    assert outbox.templates(to="pat@example.com")[-1] == "account_closed"
    assert "account.closed" in [row.kind for row in database.rows("SELECT kind FROM animal_control.event")]


def test_what_was_under_way_is_given_up(resident, registrations, household, database):
    pepper = registrations.dog("Pepper")
    household.invites(pepper)
    resident.visit("/me/email").submit(new_email="new@example.com")
    tell_about(answer_eligibility(resident))
    assert any(draft.answers for draft in database.all(Draft) if draft.submitted_at is None)
    resident.visit("/me/close").submit()
    assert [change.ended_at is not None for change in database.all(EmailChange)] == [True]
    assert [one.withdrawn_at is not None for one in database.all(KeeperInvitation)] == [True]
    assert [draft.answers for draft in database.all(Draft) if draft.submitted_at is None] == [{}]


def test_the_same_mailbox_opens_the_same_record_again_and_is_told(arrive, registrations, database, outbox):
    registrations.licensed("Pepper")
    arrive().sign_in().visit("/me/close").submit()
    again = arrive("Pat@Example.com").sign_in(then="/dogs")
    assert "Pepper" in again.links
    assert [account.closed_at for account in database.all(Account)] == [None]
    assert outbox.templates(to="pat@example.com")[-1] == "account_opened_again"
    kinds = [row.kind for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")]
    assert kinds[-2:] == ["account.closed", "account.opened_again"]


def test_a_closed_mailbox_asks_for_a_code_like_any_other(arrive, registrations, queries):
    """V3: nobody learns from the sign-in page that it was closed."""
    arrive().sign_in().visit("/me/close").submit()
    seen = []
    for email in ("pat@example.com", "nobody@example.com"):
        person = arrive(email)
        person.visit("/sign-in")
        with queries() as sent:
            person.submit(email=email)
        seen.append((person.text.replace(email, ""), len(sent)))
    assert seen[0] == seen[1]


def test_looking_closes_nothing_and_twice_is_once(resident, database):
    page = resident.visit("/me/close").page
    assert [account.closed_at for account in database.all(Account)] == [None]
    resident.submit()
    resident.page = page
    resident.submit(follow=False, status=303)
    assert resident.location.startswith("/sign-in")


def test_letters_about_what_was_sent_still_come(registrations, arrive, outbox):
    dog = registrations.dog("Pepper")
    arrive().sign_in().visit("/me/close").submit()
    registrations.accept(dog)
    assert outbox.templates(to="pat@example.com")[-1] == "certificate_accepted"

"""See and take away what is held about oneself, and nothing about anybody else (Minn. Stat. 13.04 subd. 3)."""

import json
from collections import Counter

import pytest

from portal.ordinance.dangerous import Requirement
from portal.schema.clinics import CertificateDemand
from portal.schema.dangerous_requirements import Decision
from portal.schema.impoundments import ImpoundBasis
from portal.services.accounts.my_data import HELD
from portal.services.accounts.my_report_data import REPORTED
from tests.support.household import GAVIN, GAVINS_HOME
from tests.support.pound import impounded

OF_OTHERS = ("Gavin", "gavin@example.com", "555-0177", "902 Utah", "Max")


@pytest.fixture
def resident(arrive):
    """Someone who signed in a moment ago: the letter with the code is held too."""
    return arrive("pat@example.com").sign_in()


@pytest.fixture
def pepper(registrations, household):
    """Pat's dog, which Gavin keeps too."""
    dog = registrations.licensed("Pepper", microchip="985112003456789")
    registrations.dog("Max", email="gavin@example.com", owner=GAVIN, home=GAVINS_HOME)
    household.joins(dog)
    return dog


def taken(person):
    answer = person.client.get("/me/data.json")
    assert answer.status_code == 200
    return answer, json.loads(answer.text)


def test_everything_held_is_in_the_file(resident, pepper):
    answer, held = taken(resident)
    assert answer.mimetype == "application/json"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="my-record.json"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(held) == {"held_by", "made_at", "letters", *HELD, *REPORTED}
    assert held["person"][0]["name"] == "Pat O’Brien"
    assert held["homes"][0]["address"] == "1310 Idaho Ave"
    assert held["animals"][0]["microchip"] == "985112003456789"
    assert held["vaccinations"][0]["given_on"] == "2026-06-12"
    assert (held["licenses"][0]["number"], held["tags"][0]["number"]) == (1, 1)
    assert (held["orders"][0]["state"], held["fees"][0]["amount_cents"]) == ("paid", 1000)
    assert held["payments"][0]["method"] == "counter"
    assert held["invitations"][0]["kind"] == "co_keeper"
    assert held["sign_ins"]
    assert {"sign_in", "license_issued", "receipt"} <= {letter["letter"] for letter in held["letters"]}


def test_the_same_can_be_read_and_printed(resident, pepper):
    resident.visit("/me").click("See and download my data")
    for told in ("Pat O’Brien", "1310 Idaho Ave", "985112003456789", "June 12, 2026", "$10.00"):
        assert told in resident.text
    assert resident.links["Download it as a file"] == "/me/data.json"


def test_nothing_about_anybody_else_is_in_it(resident, pepper):
    answer, _ = taken(resident)
    page = resident.visit("/me/data").page.html
    assert not [told for told in OF_OTHERS if told in answer.text]
    assert not [told for told in OF_OTHERS if told in page]


def test_a_co_keeper_gets_the_dog_and_neither_the_home_nor_the_money_of_the_other(arrive, pepper):
    answer, held = taken(arrive("gavin@example.com").sign_in())
    assert {animal["name"] for animal in held["animals"]} == {"Max", "Pepper"}
    assert [home["address"] for home in held["homes"]] == ["902 Utah Ave"]
    assert [order["total_cents"] for order in held["orders"]] == [1000]
    assert not [told for told in ("O’Brien", "pat@", "Idaho", "x12") if told in answer.text]


def change_mailbox(person, new_email, outbox):
    """Both mailboxes say yes."""
    person.visit("/me/email").submit(new_email=new_email)
    for letter in outbox.messages()[-2:]:
        person.visit(letter.context["path"]).submit()


def test_letters_to_an_earlier_mailbox_stay_ones_own_and_later_ones_are_not(resident, pepper, arrive, outbox, database):
    change_mailbox(resident, "pat.new@example.com", outbox)
    database.run("UPDATE portal.email_change SET ended_at = now()")  # letters are dated by the database's clock
    _, of_another = taken(arrive("pat@example.com").sign_in())  # somebody else has that mailbox now
    assert [letter["letter"] for letter in of_another["letters"]] == ["sign_in"]
    _, held = taken(arrive("pat.new@example.com").sign_in())
    told = Counter(letter["letter"] for letter in held["letters"])
    assert told["license_issued"] == 1
    assert told["email_changed"] == 2, "to either mailbox"
    assert told["sign_in"] == 2, "before the change, and now"
    assert held["changes_of_mailbox"][0]["old_email"] == "pat@example.com"


def test_no_secret_is_in_it(resident, pepper, outbox, database):
    answer, held = taken(resident)
    secrets = [message.context for message in outbox.messages(to="pat@example.com") if message.is_secret]
    assert secrets
    for context in secrets:
        assert context["code"] not in answer.text
        assert context["link"].rpartition("/")[2] not in answer.text
    for row in database.rows("SELECT token_hash FROM portal.sign_in"):
        assert row.token_hash not in answer.text
    assert "token" not in answer.text
    assert not [entry for entries in held.values() if isinstance(entries, list) for entry in entries if "hash" in entry]


def test_of_a_dog_somebody_else_keeps_now_only_that_it_was_kept_is_told(resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}/leave").submit()
    _, held = taken(resident)
    [before] = held["animals_kept_before"]
    assert (before["name"], before["species"]) == ("Pepper", "dog")
    assert (held["animals"], held["vaccinations"], held["licenses"]) == ([], [], [])
    assert held["orders"], "what one paid is one's own"


def test_who_registered_nothing_gets_what_there_is(resident):
    _, held = taken(resident)
    assert [account["email"] for account in held["account"]] == ["pat@example.com"]
    assert held["person"] == held["animals"] == held["orders"] == []
    assert resident.visit("/me/data").h1 == "My data"


def test_an_officer_is_not_named_in_a_persons_own_data(resident, pepper, database):
    database.run(
        "INSERT INTO animal_control.certificate_demand (animal_id, officer, demanded_on, raw_due_on, legal_last_day,"
        " show_by) VALUES (:id, 'amy@benson.example', '2026-11-30', '2026-12-07', '2026-12-07', '2026-12-07')",
        id=pepper.animal_id,
    )
    assert database.all(CertificateDemand)
    answer, held = taken(resident)
    assert held["certificates_demanded"][0]["show_by"] == "2026-12-07"
    assert "amy@" not in answer.text
    assert "officer@" not in answer.text


def test_a_stay_at_the_pound_is_ones_own_and_what_is_looked_into_is_not(resident, pepper, database):
    impounded(database, animal_id=pepper.animal_id, left_on="2026-11-26", outcome="reclaimed")
    impounded(database, animal_id=pepper.animal_id, basis=ImpoundBasis.SEIZED)
    answer, held = taken(resident)
    assert [(stay["animal"], stay["seized_on"]) for stay in held["at_the_pound"]] == [("Pepper", "2026-11-25")]
    assert "behind 212" not in answer.text


def test_the_same_queries_for_one_dog_and_forty(resident, registrations, queries):
    counted = []
    for number in (1, 40):
        registrations.dogs([registrations.animal(f"Dog {one}") for one in range(number)])
        with queries() as sent:
            taken(resident)
        counted.append(len(sent))
    assert counted[0] == counted[1]
    assert counted[0] == len(HELD) + len(REPORTED) + 3  # the letters, who is signed in, the limit


def test_what_was_sent_of_a_designated_dog_is_in_it_and_no_officer(resident, pepper, dangerous):
    """90.13: evidence, decisions with their reasons."""
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.MICROCHIP)
    dangerous.decide(pepper, Requirement.MICROCHIP, Decision.SENT_BACK, reason="Another number, please.")
    answer, held = taken(resident)
    assert held["dogs_designated"][0]["animal"] == "Pepper"
    assert held["shown_for_requirements"][0]["measures"]["maker"] == "HomeAgain"
    assert held["decided_about_requirements"][0]["reason"] == "Another number, please."
    assert "officer@" not in answer.text

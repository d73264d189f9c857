"""My record: what the city holds about a person, changed by themselves (90.04(B)(2), 5B.05, examples 14 and 18)."""

from dataclasses import replace

import pytest
from sqlalchemy.orm import Session

from portal.schema.people import Person, PersonKind, Premises
from portal.services.owners.change_record import change_owner
from portal.services.owners.record_owner import owner_of
from tests.support.household import GAVIN, GAVINS_HOME
from tests.support.registrations import HOME

EVENTS = (
    "SELECT kind, detail FROM animal_control.event WHERE kind LIKE 'person.%' OR kind LIKE 'animal.moved' ORDER BY id"
)
LIVES_AT = """
    SELECT a.name, p.line1 FROM animal_control.animal a JOIN animal_control.premises p ON p.id = a.premises_id
    ORDER BY a.name
"""


def lives_at(database):
    return {row.name: row.line1 for row in database.rows(LIVES_AT)}


@pytest.fixture
def pepper(registrations):
    return registrations.licensed("Pepper")


def test_everything_is_shown_with_a_way_to_change_it(resident, pepper):
    resident.visit("/dogs").click("My record")
    for held in ("pat@example.com", "Pat O’Brien", "(320) 555-0100 x12", "1310 Idaho Ave, Benson, MN 56215"):
        assert held in resident.text
    for change in ("Change name", "Change phone", "Change address", "Change e‑mail address", "Change mail goes to"):
        assert change in resident.links


def test_who_has_registered_nothing_has_a_mailbox_and_nothing_else(resident):
    resident.visit("/me")
    assert "There is nothing more yet" in resident.text
    resident.visit("/me/details", status=404)
    resident.visit("/me/address", status=404)
    resident.visit("/me/moved", status=404)


def test_name_and_phone_are_kept_as_typed_and_the_phone_to_dial_too(resident, pepper, database, outbox):
    resident.visit("/me").click("Change phone")
    resident.submit(owner_name="Pat D’Angelo", phone="+1.320.555.0123 ext. 7")
    assert "Pat D’Angelo" in resident.text
    [person] = database.all(Person)
    assert (person.name, person.phone) == ("Pat D’Angelo", "+1.320.555.0123 ext. 7")
    assert (person.phone_e164, person.phone_extension) == ("+13205550123", "7")
    [event] = database.rows(EVENTS)
    assert event.detail == {"changed": ["name", "phone"]}, "what changed, not from what to what"
    assert outbox.templates(to="pat@example.com")[-1] == "record_changed"


def test_a_phone_that_can_not_be_one_is_asked_for_again(resident, pepper):
    resident.visit("/me/details").submit(phone="555-0123", status=422)
    assert resident.errors == ["Add the area code, like (320) 555-0123"]


@pytest.fixture
def the_city_corrects(database, clock):
    """An officer writes down another name while the person has the form open."""

    def correct(name, **more):
        [person] = database.all(Person)
        with Session(database.engine) as session, session.begin():
            owner = replace(owner_of(person), name=name, **more)
            change_owner(session, owner, person_id=person.id, officer="olson@benson.example", clock=clock)

    return correct


def test_a_name_that_the_city_corrected_meanwhile_is_told_before_it_is_overwritten(
    resident, pepper, database, the_city_corrects
):
    resident.visit("/me/details")
    the_city_corrects("Patricia O’Brien")
    resident.submit(phone="(320) 555-0123", status=422)
    assert resident.errors == [
        "Your record says “Patricia O’Brien” now. Press Save again to put your answer in its place",
        "Your record says “(320) 555-0100 x12” now. Press Save again to put your answer in its place",
    ]
    assert [(person.name, person.phone) for person in database.all(Person)] == [
        ("Patricia O’Brien", "(320) 555-0100 x12")
    ]
    resident.submit(owner_name="Patricia O’Brien")
    [person] = database.all(Person)
    assert (person.name, person.phone) == ("Patricia O’Brien", "(320) 555-0123")


def test_what_somebody_is_stands_there_in_words(resident, pepper, the_city_corrects):
    resident.visit("/me/details")
    the_city_corrects("Pat O’Brien", kind=PersonKind.ORGANIZATION)
    resident.submit(status=422)
    assert resident.errors == [
        "Your record says “An organization” now. Press Save again to put your answer in its place"
    ]


def test_whoever_saves_again_has_seen_what_the_city_wrote(resident, pepper, database, the_city_corrects):
    resident.visit("/me/details")
    the_city_corrects("Patricia O’Brien")
    resident.submit(status=422).submit()
    assert database.value("SELECT name FROM animal_control.person") == "Pat O’Brien"


def test_an_address_that_changed_meanwhile_is_told_too(resident, arrive, pepper, database):
    here = arrive("pat@example.com").sign_in(then="/me/address")
    resident.visit("/me/address").submit(line1="902 Utah Ave")
    here.submit(line1="77 Nevada Ave", status=422)
    assert here.errors == ["Your record says “902 Utah Ave” now. Press Save again to put your answer in its place"]
    assert lives_at(database) == {"Pepper": "902 Utah Ave"}


def test_an_address_that_somebody_saves_twice_is_saved_once(resident, arrive, pepper, database):
    here = arrive("pat@example.com").sign_in(then="/me/address")
    resident.visit("/me/address").submit(line1="902 Utah Avenue")
    resident.visit("/me/address").submit(line1="902 Utah Ave")
    here.submit(line1="902 Utah Avenue")
    assert here.errors == []


def test_saving_what_is_there_already_tells_nobody_anything(resident, pepper, database, outbox):
    before = outbox.templates()
    resident.visit("/me/details").submit()
    resident.visit("/me/address").submit(line1="1310 Idaho Avenue")
    assert database.rows(EVENTS) == []
    assert outbox.templates() == before
    assert len(database.all(Premises)) == 1, "an address written in another way is the same home"


def test_everyone_at_home_moves_and_license_and_tag_stay(resident, registrations, pepper, database, outbox):
    registrations.dog("Rex")
    resident.visit("/me").click("Change address")
    assert "Pepper and Rex move with you. Licenses and tags stay as they are." in resident.text
    resident.submit(line1="902 Utah Ave", unit="Apt 2")
    assert resident.h1 == "Your address is saved"
    assert lives_at(database) == {"Pepper": "902 Utah Ave", "Rex": "902 Utah Ave"}
    assert [row.kind for row in database.rows(EVENTS)] == ["person.moved", "animal.moved", "animal.moved"]
    assert database.value("SELECT state FROM animal_control.license WHERE number IS NOT NULL") == "issued"
    [letter] = outbox.letters(to="pat@example.com", template="moved")
    assert "Pepper and Rex moved with you" in letter.text
    assert "Utah" not in letter.text
    resident.visit(f"/dogs/{pepper.animal_id}")
    assert "To 902 Utah Ave Apt 2." in resident.text


def test_the_duty_about_a_dangerous_dog_is_told_before_it_moves(resident, pepper):
    """90.13(N): at least fourteen days before; late notice is taken all the same."""
    resident.visit("/me/address")
    assert "in writing at least 14 days before it moves" in resident.text
    assert "§ 90.13(N)" in resident.text
    assert "Tell them all the same" in resident.text


def test_the_third_dog_at_the_new_home_is_explained_and_flagged_and_not_refused(resident, registrations, database):
    """90.09: the person's own three are explained to them."""
    registrations.dogs([registrations.animal(name) for name in ("Pepper", "Rex", "Bella")])
    database.run("UPDATE animal_control.premises SET kennel_review = false")
    resident.visit("/me/address").submit(line1="902 Utah Ave")
    assert "count as a kennel" in resident.text
    flagged = "SELECT line1 FROM animal_control.premises WHERE kennel_review"
    assert [row.line1 for row in database.rows(flagged)] == ["902 Utah Ave"]


def test_two_dogs_that_move_are_counted_once_and_nothing_is_flagged(resident, registrations, database):
    registrations.dogs([registrations.animal(name) for name in ("Pepper", "Rex")])
    resident.visit("/me/address").submit(line1="902 Utah Ave")
    assert "kennel" not in resident.text
    assert database.value("SELECT count(*) FROM animal_control.premises WHERE kennel_review") == 0


def test_the_dogs_of_others_at_the_new_home_are_flagged_and_never_told(resident, registrations, pepper, database):
    """Example 14: nothing about other people's dogs."""
    two = [registrations.animal("Max"), registrations.animal("Bo")]
    registrations.dogs(two, email="gavin@example.com", owner=GAVIN, home=GAVINS_HOME)
    resident.visit("/me/address").submit(line1="902 Utah Ave")
    assert "kennel" not in resident.text
    flagged = "SELECT line1 FROM animal_control.premises WHERE kennel_review"
    assert [row.line1 for row in database.rows(flagged)] == ["902 Utah Ave"]


def test_the_other_keeper_is_told_that_the_dog_moved_and_not_where_to(resident, arrive, pepper, household, outbox):
    household.joins(pepper)
    resident.visit("/me/address")
    assert "Somebody else keeps Pepper too" in resident.text
    resident.submit(line1="44 Oregon Ave")
    [letter] = outbox.letters(to="gavin@example.com", template="animal_moved")
    assert "Oregon" not in letter.text
    assert "Pat" not in letter.text
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}")
    assert "Oregon" not in gavin.page.html


@pytest.fixture
def rex_elsewhere(registrations, pepper):
    """Pat registers another dog at another address; Pepper stays where it lives."""
    return registrations.dog("Rex", home=replace(HOME, line1="902 Utah Ave"))


def test_a_dog_registered_earlier_at_another_address_can_move_along(resident, rex_elsewhere, database):
    assert lives_at(database) == {"Pepper": "1310 Idaho Ave", "Rex": "902 Utah Ave"}
    resident.visit("/me/address")
    assert "Lives at another address now" in resident.text
    resident.submit(line1="44 Oregon Ave")
    assert "Pepper and Rex live there" in resident.text
    assert lives_at(database) == {"Pepper": "44 Oregon Ave", "Rex": "44 Oregon Ave"}


def test_a_dog_that_does_not_move_along_stays_where_it_lives(resident, rex_elsewhere, database):
    resident.visit("/me/address").submit(line1="44 Oregon Ave", animals=[str(rex_elsewhere.animal_id)])
    assert "Rex lives there" in resident.text
    assert lives_at(database) == {"Pepper": "1310 Idaho Ave", "Rex": "44 Oregon Ave"}


def test_a_dog_is_brought_to_the_home_that_is_on_record_already(resident, rex_elsewhere, database, outbox):
    resident.visit("/me/address").submit()
    assert lives_at(database) == {"Pepper": "902 Utah Ave", "Rex": "902 Utah Ave"}
    moved = ["person.moved", "animal.moved"]
    assert [row.kind for row in database.rows(EVENTS)] == moved, "the person with Rex, who is new there; then Pepper"
    [letter] = outbox.letters(to="pat@example.com", template="moved")
    assert "Pepper moved with you" in letter.text


def test_a_dog_that_lives_with_its_other_keeper_does_not_move_with_who_joined(arrive, pepper, household, database):
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in().visit("/me/address")
    assert "Pepper" not in gavin.text
    gavin.submit(line1="44 Oregon Ave")
    assert lives_at(database) == {"Pepper": "1310 Idaho Ave"}


def test_a_safe_at_home_address_is_taken_as_it_is(resident, pepper, database):
    """Example 18, 5B.05: never compared, and the same one again is no move."""
    safe = {"line1": "PO Box 17370", "city": "St. Paul", "postal_code": "55117", "is_safe_at_home": True}
    resident.visit("/me/address").submit(safe)
    assert resident.h1 == "Your address is saved"
    kept = "SELECT match_key, kind FROM animal_control.premises WHERE line1 = 'PO Box 17370'"
    assert [(row.match_key, row.kind) for row in database.rows(kept)] == [(None, "safe_at_home")]
    resident.visit("/me/address").submit()
    assert len(database.rows(kept)) == 1


def test_a_post_box_is_for_mail_alone(resident, pepper, database):
    resident.visit("/me/address").submit(line1="PO Box 12", status=422)
    assert "PO box can go under" in resident.errors[0]
    resident.submit(line1="1310 Idaho Ave", mailing_address="PO Box 12\nBenson MN 56215")
    [person] = database.all(Person)
    assert person.mailing_address == "PO Box 12\nBenson MN 56215"
    assert [row.detail for row in database.rows(EVENTS)] == [{"changed": ["mailing_address"]}]


def test_the_page_asks_the_same_few_queries_for_forty_dogs(resident, registrations, queries):
    counted = []
    for number in (1, 40):
        registrations.dogs([registrations.animal(f"Dog {one}") for one in range(number)])
        with queries() as sent:
            resident.visit("/me/address")
        counted.append(len(sent))
    assert counted[0] == counted[1] <= 6


def test_one_reaches_only_ones_own_record(resident, another_resident, pepper, registrations, database):
    registrations.dog("Max", email="gavin@example.com", owner=GAVIN, home=replace(HOME, line1="9 Utah Ave"))
    another_resident.visit("/me")
    assert "Idaho" not in another_resident.text
    another_resident.visit("/me/address").submit(line1="77 Utah Ave")
    assert lives_at(database) == {"Max": "77 Utah Ave", "Pepper": "1310 Idaho Ave"}

"""Somebody registers another animal later: the same home, the dogs they have there, and what changed in between."""

from portal.schema.people import Person, Premises
from tests.support.registering import HOME, OWNER, answer_eligibility, send_certificate, tell_about

SAFE = {"line1": "PO Box 17370", "city": "St. Paul", "postal_code": "55117", "is_safe_at_home": True}
HAPPENED = "SELECT kind, detail, actor FROM animal_control.event WHERE kind LIKE 'person.%' ORDER BY id"


def up_to_the_others(person, home=HOME, *, owner=OWNER, **about):
    """The journey with who they are and where they live typed anew, up to the question about other dogs."""
    answer_eligibility(person)
    person.visit("/register/owner").submit(owner)
    person.visit("/register/home").submit(home)
    person.visit("/register/resume")
    return send_certificate(tell_about(person, **about)).submit(another="no")


def register_at(person, home=HOME, **about):
    """All of it, up to where they pay: there are no other dogs."""
    return up_to_the_others(person, home, **about).submit(are_there="no").submit(is_true=True)


def test_a_safe_at_home_address_written_again_is_the_same_home(resident, database):
    register_at(resident, SAFE)
    register_at(resident, SAFE, animal_name="Rex")
    [home] = database.all(Premises)
    assert [person.home_premises_id for person in database.all(Person)] == [home.id]
    assert "Lives at another address now" not in resident.visit("/me/address").text


def test_the_same_safe_at_home_address_of_two_people_stays_two_homes(resident, another_resident, database):
    register_at(resident, SAFE)
    register_at(another_resident, SAFE, animal_name="Rex")
    assert len(database.all(Premises)) == 2


def test_the_dogs_behind_a_safe_at_home_address_are_not_counted(resident, database):
    """5B.05: it says where mail goes, not where they live."""
    register_at(resident, SAFE)
    register_at(resident, SAFE, animal_name="Rex")
    up_to_the_others(resident, SAFE, animal_name="Bella").submit(are_there="no")
    assert "count as a kennel" not in resident.text
    resident.submit(is_true=True)
    assert resident.path.startswith("/pay/")
    assert [home.kennel_review for home in database.all(Premises)] == [False]


def test_the_dogs_somebody_registered_there_before_are_counted_with_the_new_one(resident, database):
    """90.09: the third one is explained and flagged, though “no other dogs” was the answer."""
    register_at(resident)
    register_at(resident, animal_name="Rex")
    up_to_the_others(resident, animal_name="Bella").submit(are_there="no")
    assert "count as a kennel" in resident.text
    resident.submit(is_true=True)
    assert resident.path.startswith("/pay/")
    assert [home.kennel_review for home in database.all(Premises)] == [True]


def test_the_dogs_registered_before_are_not_counted_twice_when_they_are_told_of(resident, database):
    register_at(resident)
    up_to_the_others(resident, animal_name="Rex").submit(are_there="yes", count="1")
    assert "count as a kennel" not in resident.text
    resident.submit(is_true=True)
    assert [home.kennel_review for home in database.all(Premises)] == [False]


def test_dogs_that_stay_at_an_earlier_home_are_not_counted_at_the_new_one(resident, database):
    register_at(resident)
    register_at(resident, animal_name="Rex")
    up_to_the_others(resident, {"line1": "44 Oregon Ave"}, animal_name="Bella").submit(are_there="no")
    assert "count as a kennel" not in resident.text


def test_what_a_second_registration_changes_of_a_person_is_in_the_feed(resident, database):
    register_at(resident)
    assert database.rows(HAPPENED) == []
    register_at(resident, animal_name="Rex")
    assert database.rows(HAPPENED) == []
    register_at(
        resident,
        {"line1": "44 Oregon Ave", "mailing_address": "PO Box 12, Benson MN 56215"},
        owner={**OWNER, "owner_name": "Pat Dahl", "phone": "(320) 555-0123"},
        animal_name="Bella",
    )
    [person] = database.all(Person)
    actor = f"keeper:{person.id}"
    changed = {"changed": ["name", "phone", "mailing_address"]}
    assert [tuple(row.values()) for row in database.rows(HAPPENED)] == [
        ("person.changed", changed, actor),
        ("person.moved", {}, actor),
    ]

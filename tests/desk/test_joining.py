"""Somebody from the counter signs in later: both records end on one person, and nothing is lost."""

from datetime import date

import pytest
from sqlalchemy import text

from portal.services.owners.join_records import columns_of_people
from tests.desk.test_walk_in import REX

MAILBOX = "ole@example.com"


@pytest.fixture
def ole(clerk, database):
    """Ole registered Rex at the counter and paid; the key of his record."""
    clerk.visit("/desk/people/new")
    clerk.submit({**REX, "is_shown": True, "given_on": date(2026, 6, 12), "due_on": date(2029, 6, 12)})
    clerk.submit()
    return database.value("SELECT id FROM animal_control.person WHERE name = 'Ole Dahl'")


@pytest.fixture
def joining(clerk):
    """The clerk opens Ole's record and looks up his mailbox."""

    def joining(person_id, status=200):
        clerk.visit(f"/desk/people/{person_id}").click("They sign in now: join the records")
        return clerk.submit(button="Look it up", mailbox=MAILBOX, status=status)

    return joining


def test_a_mailbox_without_a_record_opens_the_one_from_the_counter(ole, joining, clerk, registrations, arrive, outbox):
    joining(ole, status=422)
    assert clerk.errors == [
        "Nobody has signed in with this address yet. They sign in once with it, then the records can be joined"
    ]
    resident = arrive(MAILBOX).sign_in()
    assert "Rex" not in resident.visit("/dogs").text
    joining(ole)
    assert "has registered nothing yet" in clerk.text
    clerk.submit(button="Give them this record")
    assert f"Signs in with {MAILBOX}" in clerk.text
    assert "Rex" in resident.visit("/dogs").text
    [letter] = outbox.messages(to=MAILBOX, template="records_joined")
    assert letter.context["animals"] == ["Rex"]


def test_both_records_end_on_one_person_and_nothing_is_lost(ole, joining, clerk, registrations, arrive, database):
    bella = registrations.dog("Bella", email=MAILBOX)
    before = _rows(database, ole) + _rows(database, bella.person_id)
    joining(ole)
    assert "Rex" in clerk.text
    assert "Bella" in clerk.text
    clerk.submit(button="Join the two records")
    assert clerk.path == f"/desk/people/{bella.person_id}"
    assert _rows(database, ole) == 0
    assert _rows(database, bella.person_id) == before
    kept = arrive(MAILBOX).sign_in().visit("/dogs")
    assert {"Rex", "Bella"} <= set(kept.text.replace(",", " ").split())
    assert clerk.visit(f"/desk/people/{ole}").path == f"/desk/people/{bella.person_id}"
    assert "Person joined" in clerk.text
    assert "Ole Dahl" not in clerk.visit("/desk/search").submit(q="ole dahl").links
    actors = database.rows("SELECT actor FROM animal_control.event WHERE kind LIKE 'person.joined%'")
    assert [row.actor for row in actors] == [f"officer:{clerk.email}"] * 2


def test_every_table_that_names_a_person_lets_the_desk_change_whose_it_is(desk_engine):
    with desk_engine.connect() as connection:
        for table, column in columns_of_people():
            may = text("SELECT has_column_privilege(:table, :column, 'UPDATE')")
            assert connection.scalar(may, {"table": table.fullname, "column": column}), f"{table.name}.{column}"


def test_nothing_is_joined_twice_or_to_what_has_changed(ole, joining, clerk, officer, registrations, database):
    bella = registrations.dog("Bella", email=MAILBOX)
    joining(ole)
    database.run("UPDATE animal_control.person SET phone = '1' WHERE id = :id", id=bella.person_id)
    clerk.submit(button="Join the two records", status=409)
    clerk.submit(button="Join the two records")
    assert "This record was joined to another already." in officer.visit(f"/desk/people/{ole}/join").text
    assert "Somebody signs in to this record already." in officer.visit(f"/desk/people/{bella.person_id}/join").text


def test_what_both_keep_is_kept_once(ole, joining, clerk, registrations, database):
    bella = registrations.dog("Bella", email=MAILBOX)
    database.run(
        "INSERT INTO animal_control.keeper (animal_id, person_id, role, since) VALUES (:animal, :ole, 'owner', :since)",
        animal=bella.animal_id,
        ole=ole,
        since=date(2020, 1, 1),
    )
    joining(ole)
    clerk.submit(button="Join the two records")
    kept = "SELECT count(*) FROM animal_control.keeper WHERE animal_id = :animal AND until IS NULL"
    assert database.value(kept, animal=bella.animal_id) == 1


def _rows(database, person_id):
    """How many rows name a person."""
    return sum(
        database.value(f"SELECT count(*) FROM {table.fullname} WHERE {column} = :id", id=person_id)  # noqa: S608
        for table, column in columns_of_people()
    )


def test_a_record_that_somebody_signs_in_to_says_so_and_asks_nothing(clerk, registrations, arrive):
    bella = registrations.dog("Bella", email=MAILBOX)
    arrive(MAILBOX).sign_in()
    clerk.visit(f"/desk/people/{bella.person_id}/join")
    assert "Somebody signs in to this record already." in clerk.text
    assert "Look it up" not in clerk.text

"""The portal in a database where other software has columns, tables and triggers, and writes to the same rows.

A neighbor's trigger notes every change and sets a column of its own; its tables point at ours. The city's software here
is plain SQL in the role of the desk: what it enters counts as if the portal's own desk had entered it.
"""

import threading
from collections.abc import Iterator
from datetime import date

import pytest

from portal.schema.licenses import License
from portal.schema.migrate import is_current, upgrade
from portal.schema.orders import Order
from portal.schema.tag_requests import TagRequest
from portal.worker.jobs import catch_up
from portal.worker.pets import tell_of_impounding
from tests.support.neighbors import City, city_software, move_in, move_out
from tests.support.registering import register_a_dog
from tests.worker.conftest import parts, post, texts, worker_engine  # noqa: F401 - fixtures of the worker

NOTED = "SELECT count(*) FROM records.change WHERE table_name = :table"


@pytest.fixture(scope="module")
def neighbor(shared_database) -> Iterator[None]:
    """It moves in while the portal runs: connections that were made before stay in use."""
    move_in(shared_database.url)
    yield
    move_out(shared_database.url)


@pytest.fixture
def city(database, neighbor) -> Iterator[City]:
    with city_software(database.url) as city:
        yield city


def never() -> bool:
    return False


def license_of(database) -> License:
    (found,) = database.all(License)
    return found


def test_a_dog_is_registered_paid_for_licensed_and_leaves_beside_a_neighbor(
    neighbor, resident, registrations, database
):
    register_a_dog(resident)
    (order,) = database.all(Order)
    registrations.take(order.reference)
    (vaccination_id,) = (row.id for row in database.rows("SELECT id FROM animal_control.vaccination"))
    with city_software(database.url) as officer:
        officer.run(
            "UPDATE animal_control.vaccination SET state = 'accepted', decided_at = now(), decided_by = 'amy', "
            "zz_case_number = 'A 17' WHERE id = %(id)s",
            id=vaccination_id,
        )
        officer.commit()
    animal_id = license_of(database).animal_id
    database.run("INSERT INTO records.visit (animal_id, note) VALUES (:id, 'barked')", id=animal_id)
    resident.visit(f"/dogs/{animal_id}/gone").submit(kind="died")
    resident.visit(f"/dogs/{animal_id}")
    for table in ("animal", "person", "premises", "license", "fee_order", "payment", "vaccination", "event"):
        assert database.value(NOTED, table=table) > 0, table
    assert database.value("SELECT bool_and(zz_touched) FROM animal_control.animal")
    assert database.value("SELECT zz_case_number FROM animal_control.vaccination") == "A 17"


def test_the_next_release_migrates_a_database_with_a_neighbor_and_leaves_it_alone(neighbor, database):
    before = database.rows("SELECT * FROM records.dogs")
    upgrade(database.url)
    assert is_current(database.url)
    assert database.rows("SELECT * FROM records.dogs") == before
    assert database.value("SELECT count(*) FROM pg_trigger WHERE tgname = 'zz_note_change'") > 40


def test_a_certificate_that_other_software_accepts_lets_the_license_issue(city, registrations, database, parts):  # noqa: F811
    pepper = registrations.dog("Pepper")
    registrations.pay(pepper)
    city.run(
        "UPDATE animal_control.vaccination SET state = 'accepted', decided_at = now(), decided_by = 'amy' "
        "WHERE id = %(id)s",
        id=pepper.vaccination_id,
    )
    city.tell("certificate.accepted", "vaccination", pepper.vaccination_id)
    city.commit()
    catch_up(parts, never)
    assert (license_of(database).state, license_of(database).number) == ("issued", 1)


def test_a_certificate_that_was_accepted_elsewhere_is_not_decided_again(city, registrations, database):
    """The officer at the portal's desk waits for the other's transaction, and is then told."""
    pepper = registrations.dog("Pepper")
    city.run(
        "UPDATE animal_control.vaccination SET state = 'accepted', decided_at = now(), decided_by = 'amy' "
        "WHERE id = %(id)s",
        id=pepper.vaccination_id,
    )
    told: list[str] = []

    def send_back() -> None:
        try:
            registrations.send_back(pepper)
        except Exception as no:
            told.append(str(no))

    officer = threading.Thread(target=send_back)
    officer.start()
    officer.join(0.3)
    assert officer.is_alive(), "it waits for whoever was first"
    city.commit()
    officer.join()
    assert "decided already" in told[0]
    assert database.value("SELECT state FROM animal_control.vaccination") == "accepted"


def test_a_license_that_is_revoked_while_its_keeper_asks_for_a_tag_gives_none(city, resident, registrations, database):
    pepper = registrations.licensed()
    resident.visit(f"/dogs/{pepper.animal_id}/duplicate-tag")
    city.run("UPDATE animal_control.license SET state = 'revoked' WHERE id = %(id)s", id=pepper.license_id)
    city.tell("license.revoked", "license", pepper.license_id)
    city.commit()
    resident.submit(loss="lost", delivery="pick_up", insists=True, status=None)
    assert resident.answer.status_code < 500
    assert database.all(TagRequest) == []
    assert license_of(database).state == "revoked"
    resident.visit(f"/dogs/{pepper.animal_id}")
    assert "Get a new tag" not in resident.links
    resident.visit(f"/dogs/{pepper.animal_id}/renew")


def test_a_resident_s_change_waits_for_the_city_s_and_leaves_the_rest_of_the_row_alone(
    city, resident, registrations, database
):
    pepper = registrations.licensed()
    resident.visit("/me").click("Change phone")
    city.run(
        "UPDATE animal_control.person SET mailing_address = 'PO Box 4', zz_case_number = 'B 4' WHERE id = %(id)s",
        id=pepper.person_id,
    )
    threading.Timer(0.3, city.commit).start()
    resident.submit(phone="+1 320 555 0123")
    (person,) = database.rows("SELECT phone, mailing_address, zz_case_number FROM animal_control.person")
    assert tuple(person.values()) == ("+1 320 555 0123", "PO Box 4", "B 4")


def test_an_animal_that_the_citys_software_impounds_is_shown_and_its_keeper_written_to(
    city,
    visitor,
    registrations,
    outbox,
    parts,  # noqa: F811
):
    pepper = registrations.licensed()
    stay = city.run(
        "INSERT INTO animal_control.impoundment (basis, species, breed, color, area, place, seized_on, animal_id) "
        "VALUES ('at_large', 'dog', 'Labrador retriever', 'black', '200 block of Elm Street', '212 Elm Street', "
        "%(on)s, %(animal)s) RETURNING id",
        on=date(2026, 11, 30),
        animal=pepper.animal_id,
    )
    city.tell("impoundment.added", "impoundment", stay.id)
    city.commit()
    assert "Black Labrador retriever" in visitor.visit("/pound").text
    tell_of_impounding(parts, never)
    assert [message.template for message in outbox.messages(to="pat@example.com")][-1] == "at_the_pound"


def test_a_designation_that_the_citys_software_enters_is_on_the_page_of_its_dog(city, resident, registrations):
    pepper = registrations.licensed()
    entered = city.run(
        "INSERT INTO animal_control.dangerous_designation (reference, kind, animal_id, dog, grounds, noticed_on, "
        "sent_on, received_on, designated_by) VALUES ('4K7PQXRM', 'dangerous', %(animal)s, 'black Labrador', %(why)s, "
        "%(on)s, %(on)s, %(on)s, 'amy') RETURNING id",
        animal=pepper.animal_id,
        why='["harmed_person"]',
        on=date(2026, 11, 27),
    )
    city.tell("designation.entered", "dangerous_designation", entered.id)
    city.commit()
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous", status=None)
    assert resident.answer.status_code == 200
    assert "dangerous dog" in resident.text

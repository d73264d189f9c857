"""Looking at what a resident keeps: theirs alone, each order once, and quick however many dogs there are."""

from datetime import date
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.ordinance.certificates import Dose
from portal.schema.licenses import LicenseState
from portal.schema.vaccinations import CertificateState
from portal.services.animals.my_dogs import ANIMALS, LICENSES, animal_of, animals_of, orders_owed
from portal.services.draft_answers import CertificateAnswers
from portal.services.refusal import NotTheirs
from tests.support.registrations import LATER

OLDER = CertificateAnswers(is_read=True, given_on=date(2025, 1, 2), due_on=date(2028, 1, 2), dose=Dose.BOOSTER)


@pytest.fixture
def session(gateways):
    with Session(gateways.engine) as session:
        yield session


def test_animals_come_by_name_whatever_the_capitals(session, registrations):
    names = ["pepper", "Ärger", "Bella", "ZOE"]
    person_id = registrations.dogs([registrations.animal(name) for name in names])[0].person_id
    found = [animal.name for animal in animals_of(session, person_id=person_id)]
    assert found.index("Bella") < found.index("pepper") < found.index("ZOE")


def test_nobody_keeps_anything_before_their_first_registration(session, registrations):
    registrations.dog("Pepper")
    assert animals_of(session, person_id=None) == []
    assert animals_of(session, person_id=uuid4()) == []


def test_two_dogs_of_one_name_are_two(session, registrations):
    person_id = registrations.dogs([registrations.animal("Rex"), registrations.animal("Rex")])[0].person_id
    rexes = animals_of(session, person_id=person_id)
    assert [len(rex.licenses) for rex in rexes] == [1, 1]
    assert [owed.names for owed in orders_owed(rexes, person_id=person_id)] == [("Rex",)]


def test_an_animal_of_somebody_else_does_not_exist(session, registrations):
    mine = registrations.dog("Pepper")
    theirs = registrations.dog("Rex", email="gavin@example.com")
    assert animal_of(session, person_id=mine.person_id, animal_id=mine.animal_id).name == "Pepper"
    for person_id in (theirs.person_id, None):
        with pytest.raises(NotTheirs):
            animal_of(session, person_id=person_id, animal_id=mine.animal_id)


def test_a_license_keeps_its_order_its_tag_and_its_accepted_certificate(session, registrations):
    kept = registrations.licensed("Pepper")
    animal = animal_of(session, person_id=kept.person_id, animal_id=kept.animal_id)
    (license_,) = animal.licenses
    assert (license_.state, license_.number, license_.order.total_cents) == (LicenseState.ISSUED, 1, 1000)
    assert license_.tag is not None
    assert animal.accepted.id == kept.vaccination_id
    assert animal.mail_to == "1310 Idaho Ave"


def test_mail_goes_where_the_person_said(session, registrations, database):
    kept = registrations.dog("Pepper")
    database.run("UPDATE animal_control.person SET mailing_address = 'PO Box 7, Benson'")
    assert animal_of(session, person_id=kept.person_id, animal_id=kept.animal_id).mail_to == "PO Box 7, Benson"


def test_what_counts_is_the_accepted_certificate_of_the_latest_vaccination(session, registrations, database):
    kept = registrations.licensed("Pepper")
    database.run(
        """INSERT INTO animal_control.vaccination (animal_id, source, evidence, given_on, dose, vaccine_type,
                                                   needs_review, state, decided_at, created_at)
           VALUES (:id, 'clinic', 'certificate', '2023-01-02', 'booster', 'unknown',
                   false, 'accepted', now(), now() + interval '1 day')""",
        id=kept.animal_id,
    )
    animal = animal_of(session, person_id=kept.person_id, animal_id=kept.animal_id)
    assert animal.accepted.id == kept.vaccination_id
    assert animal.newest.given_on == date(2023, 1, 2)


def test_a_certificate_that_was_replaced_is_not_shown(session, registrations, database):
    kept = registrations.dog("Pepper", certificate=OLDER)
    database.run("UPDATE animal_control.vaccination SET state = 'replaced', decided_at = now()")
    assert animal_of(session, person_id=kept.person_id, animal_id=kept.animal_id).certificates == ()


def test_a_canceled_order_is_not_owed(session, registrations, database):
    kept = registrations.dog("Pepper", certificate=LATER)
    database.run("UPDATE animal_control.fee_order SET state = 'canceled'")
    animals = animals_of(session, person_id=kept.person_id)
    assert animals[0].licenses[0].order is None
    assert orders_owed(animals, person_id=kept.person_id) == []


def test_a_bank_debit_on_its_way_is_not_asked_for_again(session, registrations, database):
    kept = registrations.dog("Pepper")
    database.run(
        """INSERT INTO animal_control.payment (order_id, method, state, amount_cents)
           VALUES (:id, 'card', 'processing', 1000)""",
        id=kept.order_id,
    )
    assert orders_owed(animals_of(session, person_id=kept.person_id), person_id=kept.person_id) == []


def test_sent_back_and_submitted_come_newest_first(session, registrations, database):
    kept = registrations.dog("Pepper")
    registrations.send_back(kept)
    database.run(
        """INSERT INTO animal_control.vaccination (animal_id, source, evidence, dose, vaccine_type, needs_review,
                                                   created_at)
           VALUES (:id, 'owner', 'certificate', 'booster', 'unknown', false, now() + interval '1 hour')""",
        id=kept.animal_id,
    )
    animal = animal_of(session, person_id=kept.person_id, animal_id=kept.animal_id)
    assert [kept.state for kept in animal.certificates] == [CertificateState.SUBMITTED, CertificateState.SENT_BACK]


@pytest.mark.parametrize("statement", [pytest.param(ANIMALS, id="animals"), pytest.param(LICENSES, id="licenses")])
def test_each_table_is_reached_by_an_index_among_many_dogs(session, registrations, statement):
    """Growth from thousands to a million dogs must not show: the states are written so that partial indexes serve."""
    kept = registrations.licensed("Pepper")
    with_person = statement.params(person_id=kept.person_id)
    written = with_person.compile(session.connection(), compile_kwargs={"literal_binds": True})
    session.execute(text("SET enable_seqscan = off"))
    plan = "\n".join(session.connection().exec_driver_sql(f"EXPLAIN {written}").scalars())
    session.execute(text("RESET enable_seqscan"))
    assert "Seq Scan" not in plan, plan

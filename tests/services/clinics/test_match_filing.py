"""A clinic's certificate meets its animal: surely, perhaps, or not yet; and the clinic can't tell which."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from portal.ordinance.licensing import Situation
from portal.schema.animals import Sex, Species
from portal.schema.clinics import ClinicState
from portal.schema.people import PremisesKind
from portal.services.certificates.decide_certificate import (
    accept_certificate,
    certificates_taken_back,
    send_certificate_back,
)
from portal.services.clinics.change_filing import correct_filing
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.filing_answers import FilingAnswers
from tests.support.filings import PEPPER
from tests.support.owing import committed
from tests.support.registrations import HOME, LATER, OFFICER

CHIP = "985-1120 0123 4567"
OTHER_HOME = replace(HOME, line1="20 Kansas Ave")


def state(database, filing_id) -> str:
    return str(database.value("SELECT state FROM animal_control.clinic_filing WHERE id = :id", id=filing_id))


def vaccinations(database, animal_id) -> list[tuple[str, str]]:
    wanted = "SELECT state, source FROM animal_control.vaccination WHERE animal_id = :id ORDER BY created_at, state"
    return [(row.state, row.source) for row in database.rows(wanted, id=animal_id)]


def test_a_sure_one_is_accepted_told_and_issues_the_license_that_was_paid(registrations, filings, database, outbox):
    pepper = registrations.dog(certificate=LATER)
    registrations.pay(pepper)
    clinic_id = filings.clinic()
    filing_id = filings.file(clinic_id)
    assert (state(database, filing_id), vaccinations(database, pepper.animal_id)) == ("waiting", [])
    filings.match()
    assert (state(database, filing_id), vaccinations(database, pepper.animal_id)) == (
        "filed",
        [("accepted", "clinic")],
    )
    row = database.rows("SELECT * FROM animal_control.vaccination")[0]
    assert (row.decided_by, row.clinic_name, row.given_on) == (
        f"clinic:{clinic_id}",
        "Prairie Vet Clinic",
        date(2026, 10, 12),
    )
    assert database.value("SELECT number FROM animal_control.license") == 1
    assert outbox.templates(to="pat@example.com")[-2:] == ["certificate_accepted", "license_issued"]


@pytest.mark.parametrize(
    ("registered", "filed"),
    [
        pytest.param({"microchip": "98511200 1234567"}, {"microchip": CHIP, "animal_name": "Pep"}, id="chip"),
        pytest.param(
            {"microchip": "985112001234567"},
            {"microchip": CHIP, "owner_name": "Kim Larson", "owner_address": "9 Elm St, Morris"},
            id="chip and name, another owner",
        ),
        pytest.param({}, {"owner_name": "O'BRIEN, PATRICIA"}, id="surname first"),
        pytest.param({}, {"owner_address": "1310 Idaho Avenue\nBenson, Minnesota 56215-1234"}, id="address in full"),
        pytest.param({}, {"owner_address": "1310 idaho ave."}, id="address without the city"),
        pytest.param({}, {"owner_address": "1310 Idaho Ave, Benson MN"}, id="address without the ZIP code"),
        pytest.param({"name": "🐶 Bailey"}, {"animal_name": "BAILEY"}, id="I5 a name with a picture"),
        pytest.param({}, {"sex": Sex.FEMALE, "species": Species.DOG}, id="everything"),
        pytest.param(
            {"name": "Mia", "situation": Situation.CAT}, {"animal_name": "mia", "species": Species.CAT}, id="cat"
        ),
    ],
)
def test_what_is_surely_the_animal(registrations, filings, database, registered, filed):
    kept = registrations.dog(**{"name": "Pepper", "certificate": LATER, **registered})
    filing_id = filings.file(filings.clinic(), **filed)
    filings.match()
    assert state(database, filing_id) == "filed"
    assert vaccinations(database, kept.animal_id) == [("accepted", "clinic")]


def test_by_the_rabies_tag_of_the_certificate_the_owner_sent(registrations, filings, database):
    kept = registrations.dog(certificate=replace(registrations.animal().certificate, rabies_tag="MN 26-0417"))
    filing_id = filings.file(
        filings.clinic(), rabies_tag="mn260417", animal_name="Pep", owner_address="PO Box 12, Benson"
    )
    filings.match()
    assert state(database, filing_id) == "filed"
    assert ("accepted", "clinic") in vaccinations(database, kept.animal_id)


@pytest.mark.parametrize(
    ("filed", "why"),
    [
        pytest.param({"species": Species.CAT}, "it is a dog", id="another species"),
        pytest.param({"sex": Sex.MALE}, "it is female", id="another sex"),
        pytest.param({"given_on": date(2024, 5, 1), "due_on": date(2027, 5, 1)}, "born after", id="born later"),
        pytest.param({"owner_address": "20 Kansas Ave, Benson, MN 56215"}, "another address", id="another address"),
        pytest.param({"microchip": "111"}, "its microchip is another", id="another chip"),
        pytest.param(
            {"microchip": CHIP, "owner_name": "Kim Larson", "animal_name": "Max"},
            "another name and another owner",
            id="the chip alone",
        ),
    ],
)
def test_what_may_be_the_animal_waits_for_the_officer_and_tells_nobody(
    registrations, filings, database, outbox, filed, why
):
    kept = registrations.dog(certificate=LATER, microchip="985112001234567")
    told = outbox.templates()
    filing_id = filings.file(filings.clinic(), **filed)
    filings.match()
    filings.match()
    assert state(database, filing_id) == "unsure"
    (candidate,) = database.rows("SELECT animal_id, why FROM animal_control.filing_candidate")
    assert candidate.animal_id == kept.animal_id
    assert why in candidate.why
    assert (outbox.templates(), vaccinations(database, kept.animal_id)) == (told, [])


def test_two_dogs_of_one_name_in_one_home_are_for_the_officer(registrations, filings, database):
    registrations.dogs([registrations.animal(certificate=LATER) for _ in range(2)])
    filing_id = filings.file(filings.clinic())
    filings.match()
    assert state(database, filing_id) == "unsure"
    assert database.value("SELECT count(*) FROM animal_control.filing_candidate") == 2


def test_a_dog_that_died_is_kept_from_everybody_but_the_officer(registrations, filings, database, outbox):
    kept = registrations.dog(certificate=LATER)
    database.run("UPDATE animal_control.animal SET state = 'died'")
    told = outbox.templates()
    filing_id = filings.file(filings.clinic())
    filings.match()
    assert state(database, filing_id) == "unsure"
    assert "not kept here any more (died)" in database.value("SELECT why FROM animal_control.filing_candidate")
    assert (outbox.templates(), vaccinations(database, kept.animal_id)) == (told, [])


@pytest.mark.parametrize("clinic_state", [ClinicState.SUSPENDED, ClinicState.REFUSED, ClinicState.ASKED])
def test_what_came_from_a_clinic_that_is_not_approved_is_for_the_officer(
    registrations, filings, database, clinic_state
):
    registrations.dog(certificate=LATER)
    filing_id = filings.file(filings.clinic(state=clinic_state))
    filings.match()
    assert state(database, filing_id) == "unsure"


def test_one_that_is_not_current_is_filed_for_the_officer_to_look_at(registrations, filings, database, outbox):
    """Example 25, T12: a label that lapsed while the ordinance's three years run."""
    kept = registrations.dog(certificate=LATER)
    filings.file(filings.clinic(), given_on=date(2025, 9, 1), due_on=date(2026, 9, 1), duration_years=1)
    filings.match()
    assert vaccinations(database, kept.animal_id) == [("submitted", "clinic")]
    assert database.value("SELECT needs_review FROM animal_control.vaccination") is True
    assert "certificate_accepted" not in outbox.templates()


def test_what_the_rules_noticed_is_kept_with_an_accepted_one(registrations, filings, database):
    """Example 22: a first dose of a three-year product."""
    registrations.dog(certificate=LATER)
    filings.file(filings.clinic(), dose="first")
    filings.match()
    row = database.rows("SELECT state, findings FROM animal_control.vaccination")[0]
    sentences = [finding["sentence"] for finding in row.findings]
    assert row.state == "accepted"
    assert any("a booster is due on October 12, 2027" in sentence for sentence in sentences)
    assert any("does not show" in sentence and "telephone" in sentence for sentence in sentences)


def test_the_same_vaccination_twice_is_one(registrations, filings, database, outbox):
    kept = registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    assert filings.file(clinic_id, key="k1") == filings.file(clinic_id, key="k1")
    filings.file(clinic_id, key="k2")
    filings.match()
    assert vaccinations(database, kept.animal_id) == [("accepted", "clinic"), ("replaced", "clinic")]
    assert outbox.templates().count("certificate_accepted") == 1


def test_a_certificate_that_its_clinic_puts_right_waits_beside_the_one_it_took_back(
    registrations, filings, gateways, desk_engine, database
):
    kept = registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    filing_id = filings.file(clinic_id)
    filings.match()
    right = FilingAnswers(**PEPPER | {"lot": "B-2", "product": "Imrab 3"})
    with committed(gateways.engine) as session:
        correct_filing(
            session,
            ClinicStaff(clinic_id, "Prairie Vet Clinic", "karin@clinic.example"),
            filing_id=filing_id,
            filing=right,
            idempotency_key="page:right",
            city=gateways.city,
            clock=gateways.clock,
        )
    filings.match()
    assert vaccinations(database, kept.animal_id) == [("accepted", "clinic"), ("submitted", "clinic")]
    [waiting] = database.rows("SELECT id, lot FROM animal_control.vaccination WHERE state = 'submitted'")
    assert waiting.lot == "B-2"
    with committed(desk_engine) as session:
        [(first, _)] = certificates_taken_back(session)
        by_amy = {"officer": OFFICER, "clock": gateways.clock}
        accept_certificate(session, vaccination_id=waiting.id, city=gateways.city, **by_amy)
        send_certificate_back(session, vaccination_id=first.id, reason="Your clinic put it right.", **by_amy)
    assert vaccinations(database, kept.animal_id) == [("sent_back", "clinic"), ("accepted", "clinic")]


def test_another_due_date_for_an_accepted_vaccination_is_shown_to_the_officer(registrations, filings, database):
    kept = registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    filings.file(clinic_id)
    filings.match()
    filings.file(clinic_id, due_on=date(2027, 10, 12), duration_years=1)
    filings.match()
    assert vaccinations(database, kept.animal_id) == [("accepted", "clinic"), ("submitted", "clinic")]


def test_an_older_one_does_not_push_away_what_the_keeper_has_just_sent(registrations, filings, database):
    kept = registrations.dog()  # given June 12, 2026
    filings.file(filings.clinic(), given_on=date(2025, 6, 1), due_on=date(2028, 6, 1))
    filings.match()
    assert vaccinations(database, kept.animal_id) == [("submitted", "owner"), ("replaced", "clinic")]


def test_one_that_came_first_is_found_when_the_owner_registers(registrations, filings, database, outbox):
    filing_id = filings.file(filings.clinic())
    filings.match()
    assert state(database, filing_id) == "waiting"
    kept = registrations.dog(certificate=LATER)
    assert state(database, filing_id) == "filed"
    assert vaccinations(database, kept.animal_id) == [("accepted", "clinic")]
    assert sorted(outbox.templates(to="pat@example.com")) == ["application_received", "certificate_accepted"]


def test_an_animal_that_other_software_registers_is_found_within_the_hour(registrations, filings, database, clock):
    filing_id = filings.file(filings.clinic())
    filings.match()
    registrations.dog("Rex", certificate=LATER)
    database.run("UPDATE animal_control.animal SET name = 'Pepper'")
    filings.match()
    assert state(database, filing_id) == "waiting"
    clock.move_to(clock.now() + timedelta(hours=2))
    filings.match()
    assert state(database, filing_id) == "filed"


def test_a_safe_at_home_address_finds_nothing(registrations, filings, database):
    """Minn. Stat. 5B.05: it is never matched; the names alone are for the officer."""
    registrations.dog(certificate=LATER, home=replace(HOME, kind=PremisesKind.SAFE_AT_HOME))
    filing_id = filings.file(filings.clinic())
    filings.match()
    assert state(database, filing_id) == "unsure"


@pytest.mark.parametrize("is_registered", [True, False])
def test_filing_asks_nothing_about_animals_and_leaves_the_same_row(
    registrations, filings, database, queries, is_registered
):
    """Neither its answer nor its time can tell a clinic whether we know an owner: the same statements, in order."""
    if is_registered:
        registrations.dog(certificate=LATER, microchip="985112001234567")
    clinic_id = filings.clinic()
    with queries() as counted:
        filing_id = filings.file(clinic_id, microchip=CHIP)
    about_animals = [one for one in counted.sent if "animal_control.animal" in one or "animal_control.person" in one]
    assert about_animals == []
    assert state(database, filing_id) == "waiting"
    assert len(counted) == NUMBER_OF_STATEMENTS


NUMBER_OF_STATEMENTS = 4

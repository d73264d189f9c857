"""A resident takes a dog from "do I need a license?" to an order to pay, and can stop anywhere."""

from datetime import date

import pytest

from portal.schema.animals import Animal
from portal.schema.licenses import License
from portal.schema.orders import Order
from portal.schema.people import HouseholdStatement, Person, Premises
from portal.schema.vaccinations import Vaccination
from tests.support.database import Database
from tests.support.registering import (
    OWNER,
    PEPPER,
    PHONE_PHOTO,
    SAMPLES,
    answer_eligibility,
    finish,
    register_a_dog,
    send_certificate,
    sign_in_with_the_code,
    tell_about,
    tell_owner_and_home,
)


def test_a_resident_registers_a_dog(visitor, database):
    answer_eligibility(visitor)
    sign_in_with_the_code(visitor, "pat@example.com")
    tell_owner_and_home(visitor)
    finish(send_certificate(tell_about(visitor), file=PHONE_PHOTO))
    assert visitor.path.startswith("/pay/")
    assert visitor.h1 == "Pay $10.00"
    [dog] = database.all(Animal)
    assert (dog.name, dog.breed, dog.color, dog.born_on) == ("Pepper", "Labrador retriever", "black", date(2024, 6, 1))
    [certificate] = database.all(Vaccination)
    assert (certificate.given_on, certificate.certificate_due_on) == (date(2025, 6, 12), date(2028, 6, 12))
    assert certificate.ordinance_until == date(2028, 6, 12)
    assert certificate.document_id is not None
    [license_] = database.all(License)
    assert (license_.year, license_.number, license_.valid_until) == (2026, None, date(2026, 12, 31))


def test_what_is_typed_is_stored_as_typed(resident, database):
    """Case I5."""
    answer_eligibility(resident)
    resident.submit(owner_name="Nguyễn Mai-Lee O'Brien", phone="+1.320.555.0100", is_adult="yes")
    resident.submit(line1="123½ Main St", unit="Apt C")
    finish(send_certificate(tell_about(resident, animal_name="🐶 Bailey")))
    [owner] = database.all(Person)
    assert (owner.name, owner.phone, owner.phone_e164) == ("Nguyễn Mai-Lee O'Brien", "+1.320.555.0100", "+13205550100")
    [home] = database.all(Premises)
    assert (home.line1, home.unit) == ("123½ Main St", "Apt C")
    [dog] = database.all(Animal)
    assert dog.name == "🐶 Bailey"


@pytest.mark.parametrize("line1", ["N8780 County Rd K", "W1234 Hwy 12 Lot 7", "Box Elder Lane 4", "12 Pobox Ranch Rd"])
def test_any_place_where_a_dog_can_live_is_taken(resident, line1):
    """Case I6."""
    answer_eligibility(resident).submit(OWNER).submit(line1=line1)
    assert resident.h1 == "What is your dog like?"


@pytest.mark.parametrize("line1", ["PO Box 12", "P.O. Box 12", "p o box 9", "Box 12"])
def test_a_dog_does_not_live_in_a_po_box_but_mail_may_go_there(resident, line1):
    answer_eligibility(resident).submit(OWNER).submit(line1=line1, status=422)
    assert "A PO box can go under" in resident.errors[0]
    resident.submit(line1="1310 Idaho Ave", mailing_address=line1)
    assert resident.h1 == "What is your dog like?"


def test_a_safe_at_home_address_is_taken_without_a_question(resident, database):
    """Example 18, Minn. Stat. 5B.05: the program's own address is a PO box."""
    answer_eligibility(resident).submit(OWNER)
    resident.submit(line1="PO Box 17370", city="St. Paul", postal_code="55117", is_safe_at_home=True)
    finish(send_certificate(tell_about(resident)))
    [home] = database.all(Premises)
    assert home.kind == "safe_at_home"
    assert home.match_key is None


def test_an_owner_of_sixteen_names_a_guardian(resident, database):
    """Example 16, 90.04(A)."""
    answer_eligibility(resident).submit({**OWNER, "is_adult": "no"}, status=422)
    assert resident.errors == ["Enter the name of a parent or guardian"]
    resident.submit(guardian_name="Sam O’Brien", guardian_contact="320-555-0101").submit(line1="1310 Idaho Ave")
    finish(send_certificate(tell_about(resident)))
    [owner] = database.all(Person)
    assert owner.guardian_name == "Sam O’Brien"


def test_a_rescue_organization_may_own_a_dog(resident, database):
    """Example 17, 90.03 OWNER."""
    answer_eligibility(resident).submit({**OWNER, "kind": "organization", "owner_name": "Prairie Paws Rescue"})
    resident.submit(line1="1310 Idaho Ave")
    finish(send_certificate(tell_about(resident)))
    assert [owner.kind for owner in database.all(Person)] == ["organization"]


def test_a_name_of_three_blanks_is_no_name(resident):
    """Case F6."""
    tell_owner_and_home(answer_eligibility(resident)).submit({**PEPPER, "animal_name": "   "}, status=422)
    assert resident.errors == ["Enter its name"]
    assert resident.title.startswith("Error: ")


def test_someone_who_stops_goes_on_at_the_same_question_on_another_device(resident, arrive):
    tell_owner_and_home(answer_eligibility(resident)).submit(PEPPER)
    elsewhere = arrive(resident.email).sign_in(then="/register/resume")
    assert elsewhere.h1 == "Pepper’s license"
    assert elsewhere.visit("/register/owner").page.values["owner_name"] == ["Pat O’Brien"]


def test_two_dogs_are_paid_for_at_once(resident, database):
    answer_eligibility(resident)
    tell_owner_and_home(resident)
    send_certificate(tell_about(resident)).submit(another="yes")
    answer_eligibility(resident, born_on=date(2022, 2, 2))
    send_certificate(tell_about(resident, animal_name="Rex")).submit(another="no").submit(are_there="no")
    assert "To pay: $20.00" in resident.text
    resident.submit(is_true=True)
    assert resident.h1 == "Pay $20.00"
    [order] = database.all(Order)
    assert order.total_cents == 2000


def test_the_third_dog_is_explained_and_flagged_but_not_refused(resident, database):
    """Trap T19, 90.09."""
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident))))
    resident.submit(another="no").submit(are_there="yes", count="2", description="Rex, Lab, black, male")
    assert "count as a kennel" in resident.text
    assert "§ 90.09" in resident.text
    resident.submit(is_true=True)
    assert resident.path.startswith("/pay/")
    assert [home.kennel_review for home in database.all(Premises)] == [True]
    [statement] = database.all(HouseholdStatement)
    assert (statement.other_dogs, statement.description) == (2, "Rex, Lab, black, male")


def test_two_dogs_of_a_neighbor_in_the_same_house_flag_the_place_and_tell_nobody(resident, another_resident, database):
    """Example 14: other people's dogs are counted for staff alone."""
    register_a_dog(resident)
    register_a_dog(resident, animal_name="Rex")
    assert [home.kennel_review for home in database.all(Premises)] == [False]
    answer_eligibility(another_resident)
    tell_owner_and_home(another_resident)
    send_certificate(tell_about(another_resident, animal_name="Bella")).submit(another="no").submit(are_there="no")
    assert "kennel" not in another_resident.text.lower()
    assert "Pepper" not in another_resident.text
    another_resident.submit(is_true=True)
    assert "kennel" not in another_resident.text.lower()
    assert [home.kennel_review for home in database.all(Premises)] == [True]


def test_the_second_time_the_owner_is_not_asked_again(resident):
    register_a_dog(resident)
    answer_eligibility(resident, born_on=date(2023, 3, 3))
    assert resident.h1 == "What is your dog like?"


def test_what_the_city_corrected_meanwhile_is_told_before_it_is_overwritten(resident, database):
    register_a_dog(resident)
    send_certificate(tell_about(answer_eligibility(resident), animal_name="Rex"))
    resident.submit(another="no").submit(are_there="no")
    assert "on your record" not in resident.text
    database.run("UPDATE animal_control.person SET name = 'Patricia O’Brien', kind = 'organization'")
    database.run("UPDATE animal_control.premises SET unit = '2'")
    resident.visit("/register/check")
    assert "Your record differs from your answers. Once you send this, it says what you see here." in resident.text
    for told in ("Name on your record: Patricia O’Brien", "Owner on your record: An organization"):
        assert told in resident.text
    assert "Apartment, lot or unit on your record: 2" in resident.text


def test_somebody_with_a_new_phone_reads_which_of_their_answers_the_record_does_not_have(resident):
    register_a_dog(resident)
    send_certificate(tell_about(answer_eligibility(resident), animal_name="Rex"))
    resident.submit(another="no").submit(are_there="no")
    resident.click("Change phone").submit(phone="(320) 555-0123")
    resident.visit("/register/check")
    assert "Phone on your record: (320) 555-0100" in resident.text
    assert "now:" not in resident.text


def test_sending_twice_sends_once(resident, database):
    """Case R1 for a registration: the same form again leads to the same order."""
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident))))
    resident.submit(another="no").submit(are_there="no")
    check = resident.page
    resident.submit(is_true=True)
    first = resident.path
    resident.page = check
    resident.submit(is_true=True)
    assert resident.path == first
    assert len(database.all(Order)) == 1
    assert len(database.all(Animal)) == 1


def test_a_license_year_that_is_over_is_asked_for_again(arrive, clock):
    """Example 37: on 1 January last year's license can't be had any more; nothing else is lost."""
    clock.move_to(clock.at.replace(month=12, day=31, hour=23, minute=50))
    resident = arrive().sign_in()
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident))))
    resident.submit(another="no").submit(are_there="no")
    clock.move_to(clock.at.replace(year=2027, month=1, day=1, hour=0, minute=10))
    resident.submit(is_true=True, status=422)
    assert resident.errors == ["The license year changed since you answered. Choose the year again for Pepper"]


def test_an_animal_can_be_left_out_again(resident):
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident)))).submit(another="yes")
    send_certificate(tell_about(answer_eligibility(resident), animal_name="Rex"))
    resident.visit("/register/animals").click("Remove Rex").submit(button="Remove Rex")
    resident.visit("/register/animals")
    assert "Rex" not in resident.text
    assert "Pepper" in resident.text


def test_a_pdf_is_no_picture_of_a_dog(resident):
    tell_owner_and_home(answer_eligibility(resident)).submit(PEPPER).submit(license_year="2026")
    resident.submit(file=SAMPLES / "certificate-3-year.pdf", button="Send the picture", status=422)
    assert resident.errors == [
        "This is a PDF, and we ask for a photo of the animal. Choose a photo, or take a new one."
    ]
    resident.submit(file=SAMPLES / "script.svg", button="Send the picture", status=422)
    assert resident.errors == ["This file is not a photo, whatever its name says. Choose a photo, or take a new one."]


def test_a_filled_spam_trap_leads_to_a_person_and_not_to_silence(resident, database):
    """Case F5."""
    answer_eligibility(resident).submit({**OWNER, "second_subject": "Buy now"}).submit(line1="1310 Idaho Ave")
    finish(send_certificate(tell_about(resident)))
    assert resident.path.startswith("/pay/")
    assert "application.review" in happened(database)


def test_a_service_dog_of_another_kind_pays_nothing_and_waits_for_a_person(resident, database):
    """Example 7, 90.04(C)."""
    answer_eligibility(resident, situation="other_service_dog")
    finish(send_certificate(tell_about(tell_owner_and_home(resident))))
    assert "$10.00" not in resident.text
    [license_] = database.all(License)
    assert (license_.basis, license_.waiver_state, license_.number) == ("other_service_dog", "claimed", None)


def test_a_dog_declared_dangerous_elsewhere_is_taken_and_told_to_the_police(resident, database):
    """Example 13, 90.13(H)(11)."""
    tell_owner_and_home(answer_eligibility(resident))
    finish(send_certificate(tell_about(resident, is_declared_dangerous_elsewhere=True)))
    assert "animal.declared_dangerous_elsewhere" in happened(database)


def happened(database: Database) -> list[str]:
    """The kinds of events in the feed."""
    return [row["kind"] for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")]

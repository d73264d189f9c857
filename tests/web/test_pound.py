"""The pound as everybody reads of it, and as the people of an animal there do (90.07, Minn. Stat. 346.47)."""

from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.days import Opening
from portal.schema.documents import DocumentKind
from portal.schema.impoundments import ImpoundBasis, ImpoundmentParty, ImpoundOutcome, PartySide
from portal.services.files.accept_upload import add_document
from tests.ordinance.calendars import opening
from tests.support.portal import MORNING
from tests.support.pound import impounded
from tests.support.registrations import LATER

THANKSGIVING_EVE = date(2026, 11, 25)
NAMES = ("Robin Moe", "12 Elm St", "Kim Lee", "1 Oak St", "behind 212", "985141000123456")


def open_at(gateways, hours, **more):
    """The city with its pound open at these hours."""
    pound = replace(gateways.city.pound, hours=MappingProxyType(hours))
    return replace(gateways.city, offices=MappingProxyType({**gateways.city.offices, "pound": pound}), **more)


@pytest.fixture
def brought(database):
    """A beagle that Robin brought and the police took down with its chip."""
    beagle = impounded(database, microchip="985141000123456")
    with Session(database.engine) as session, session.begin():
        for side, name, address in (
            (PartySide.RECEIVED_FROM, "Robin Moe", "12 Elm St"),
            (PartySide.TRANSFERRED_TO, "Kim Lee", "1 Oak St"),
        ):
            session.add(ImpoundmentParty(impoundment_id=beagle.id, side=side, name=name, address=address))
    return beagle


def test_everyone_sees_what_is_there_and_until_when_it_is_kept(visitor, brought):
    """Example 40: the last day, and never how many days are left."""
    page = visitor.visit("/").click("At the pound now")
    assert "Tan and white beagle" in page.links
    for words in ("about 3 years", "red collar", "200 block of Elm Street", "Wednesday, November 25, 2026"):
        assert words in page.text
    assert "Kept for its owner at least through Thursday, December 3, 2026" in page.text
    shown = page.click("Tan and white beagle")
    assert shown.h1 == "Tan and white beagle at the pound"
    assert "at least through Thursday, December 3, 2026" in shown.text
    for grim in ("days left", "destroy", "dispos", "put down", "violation"):
        assert grim not in shown.text.lower()


@pytest.mark.parametrize("path", ["/pound", "/pound/records", "/pound/{id}"])
def test_nobodys_name_and_no_chip_stand_there(visitor, brought, path):
    """T26: what the record holds besides is the city's."""
    seen = visitor.visit(path.format(id=brought.id)).answer.text
    assert "beagle" in seen
    assert [name for name in NAMES if name in seen] == []


@pytest.mark.parametrize("basis", [ImpoundBasis.QUARANTINE, ImpoundBasis.SEIZED])
def test_what_may_be_under_investigation_is_not_shown(visitor, database, basis):
    """13.82."""
    beagle = impounded(database, basis=basis)
    assert "No animal is at the pound now" in visitor.visit("/pound").text
    assert "No animal came in" in visitor.visit("/pound/records").text
    visitor.visit(f"/pound/{beagle.id}", status=404)


def test_what_taking_it_home_asks_is_told_with_the_sum_so_far(visitor, database):
    """Example 46: release, six days and parts of days, and for a dog without a license that one."""
    text = visitor.visit(f"/pound/{impounded(database).id}").text
    for words in ("Release fee", "$25.00", "6 days so far", "$120.00", "So far, if you come today: $145.00"):
        assert words in text
    assert "With a license: $155.00" in text
    assert "valid certificate of its rabies vaccination" in text
    assert "City Code § 90.07(C)" in text
    assert {"Register the dog", "My dogs"} <= set(visitor.links)


def test_a_cat_needs_no_license_to_go_home(visitor, database):
    text = visitor.visit(f"/pound/{impounded(database, species='cat', breed='').id}").text
    assert "Tan and white cat at the pound" in text
    assert "license" not in text.lower().replace("dog licenses", "")


def test_once_the_last_day_has_gone_by_people_are_told_to_call(visitor, database, clock):
    beagle = impounded(database)
    clock.move_to(MORNING + timedelta(days=7))
    text = visitor.visit(f"/pound/{beagle.id}").text
    assert "Still here. Is it yours? Call 320-555-0101 now" in text
    assert "December 3" not in text


@pytest.mark.parametrize(
    ("friday", "through"),
    [
        pytest.param((opening("08:00", "16:30"),), "Thursday, December 3", id="346.47 open on Friday"),
        pytest.param((), "Monday, December 7", id="346.47 closed on Fridays"),
    ],
)
def test_the_pounds_own_hours_count_the_days(arrive, make_app, gateways, database, friday, through):
    beagle = impounded(database, seized_on=date(2026, 11, 25))
    week: dict[int, tuple[Opening, ...]] = dict.fromkeys(range(5), (opening("08:00", "16:30"),)) | {4: friday}
    someone = arrive(app=make_app(city=open_at(gateways, week)))
    assert through in someone.visit(f"/pound/{beagle.id}").text


def test_a_pound_without_hours_and_a_city_without_fees_send_people_to_the_telephone(
    arrive, make_app, gateways, database
):
    beagle = impounded(database)
    later = replace(gateways.city.fees[0], effective_from=date(2030, 1, 1))
    someone = arrive(app=make_app(city=open_at(gateways, {}, fees=(later,))))
    text = someone.visit(f"/pound/{beagle.id}").text
    assert "to hear until when it is kept" in text
    assert "Call 320-555-0101 for the amounts" in text
    assert "Open by appointment" in text


def test_an_animal_that_left_is_over_and_its_record_stays(visitor, database, registrations, gateways):
    with Session(gateways.engine) as session, session.begin():
        photo = add_document(session, registrations.stored(DocumentKind.ANIMAL_PHOTO), at=MORNING)
        photo_id = photo.id
    beagle = impounded(database, photo_id=photo_id)
    visitor.visit(f"/pound/{beagle.id}.jpg")
    assert visitor.answer.mimetype == "image/jpeg"
    database.run(
        "UPDATE animal_control.impoundment SET left_on = '2026-11-30', outcome = :outcome",
        outcome=ImpoundOutcome.DESTROYED.value,
    )
    visitor.visit(f"/pound/{beagle.id}.jpg", status=404)
    assert "not at the pound any more" in visitor.visit(f"/pound/{beagle.id}", status=410).text
    assert "No animal is at the pound now" in visitor.visit("/pound").text
    records = visitor.visit("/pound/records").text
    assert "Left on November 30, 2026" in records
    assert "destroyed" not in records


def test_records_go_back_six_months(visitor, database):
    """90.07(E)."""
    impounded(database, breed="old beagle", seized_on=date(2026, 5, 29))
    impounded(database, breed="spring beagle", seized_on=date(2026, 5, 30))
    text = visitor.visit("/pound/records").text
    assert "spring beagle" in text
    assert "old beagle" not in text


def test_people_look_for_their_kind_of_animal_a_page_at_a_time(visitor, database):
    for number in range(31):
        impounded(database, breed=f"beagle number {number}", seized_on=THANKSGIVING_EVE - timedelta(days=number))
    impounded(database, species="rabbit", breed="", color="gray")
    assert "Gray rabbit" not in visitor.visit("/pound").click("Dogs").text
    assert "beagle number 30" not in visitor.text
    assert "beagle number 30" in visitor.click("Older").text
    assert visitor.path == "/pound?page=2&kind=dog"
    assert "None of these" in visitor.visit("/pound?kind=cat").text
    assert "Gray rabbit" in visitor.visit("/pound?kind=other").links
    for nonsense in ("kind=dragon", "page=0", "page=-3", "page=x", "page=99999999999999999999"):
        visitor.visit(f"/pound?{nonsense}")


@pytest.mark.parametrize("path", ["/pound", "/pound/records"])
def test_a_list_is_one_question_however_many_animals_there_are(visitor, database, queries, path):
    for _ in range(20):
        impounded(database)
    with queries() as counted:
        visitor.visit(path)
    assert len(counted) == 1


def test_its_people_see_that_it_is_there_and_that_its_license_is_in_order(resident, registrations, database):
    pepper = registrations.licensed("Pepper")
    impounded(database, animal_id=pepper.animal_id)
    assert "Pepper is at the pound" in resident.visit("/dogs").text
    page = resident.visit(f"/dogs/{pepper.animal_id}").click("See what taking Pepper home asks")
    assert page.h1 == "Pepper is at the pound"
    assert "So far, if you come today: $145.00" in page.text
    assert "Pepper’s license is in order" in page.text


def test_its_people_are_led_to_the_license_it_lacks(resident, registrations, database):
    """Example 46: the certificate and the fee are theirs to send and pay before they go."""
    rex = registrations.dog("Rex", certificate=LATER)
    impounded(database, animal_id=rex.animal_id)
    page = resident.visit(f"/dogs/{rex.animal_id}/pound")
    assert "So far, if you come today: $155.00" in page.text
    assert {"Pay now", "Add it"} <= set(page.links)


def test_an_animal_that_is_not_there_has_no_such_page(resident, registrations, database):
    pepper = registrations.licensed("Pepper")
    resident.visit(f"/dogs/{pepper.animal_id}/pound", status=404)
    impounded(database, animal_id=pepper.animal_id, basis=ImpoundBasis.SEIZED)
    resident.visit(f"/dogs/{pepper.animal_id}/pound", status=404)
    assert "at the pound" not in resident.visit(f"/dogs/{pepper.animal_id}").text

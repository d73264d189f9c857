"""A pet is missing: its notice is filed, shown, changed, and ends kindly (90.07)."""

from datetime import date, timedelta
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy.orm import Session

from portal.ordinance.wall_clock import SKIPPED
from portal.schema.notices import NoticeState
from portal.services.files.accept_upload import note_upload
from tests.support.documents import corners, saved
from tests.support.notices import notice
from tests.web.notices.conftest import PEPPER, photo

PAT = ("Pat", "O’Brien", "pat@example.com", "1310 Idaho")


def row(database):
    return database.rows("SELECT * FROM animal_control.pet_notice")[0]


def test_a_missing_pet_is_on_everybody_s_page_after_four_short_ones(miss, resident, visitor, outbox, database):
    miss(more={"temperament": "shy", "what_to_do": "Sit down and call her", "withheld_mark": "a scar under the chin"})
    assert "Nobody but you and the city" in resident.text
    resident.submit(button="Show it to everybody")
    assert resident.h1 == "Your notice: Pepper"
    reference = resident.path.rpartition("/")[2]
    visitor.visit(f"/lost/{reference}")
    assert visitor.h1 == "Pepper is missing"
    assert "Sit down and call her" in visitor.text
    letter = outbox.letters(to="pat@example.com", template="notice_filed")[0]
    assert letter.subject == "Everybody can see that Pepper is missing"
    event = database.rows("SELECT * FROM animal_control.event WHERE kind = 'notice.lost'")[0]
    for secret in ("a scar under the chin", *PAT):
        assert secret not in visitor.page.html
        assert secret not in str(event)


def test_a_registered_pet_is_filled_in_and_its_picture_is_a_copy(resident, registrations, gateways, files, database):
    """The copy goes with the notice; the record keeps its own."""
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        upload_id = note_upload(session, registrations.stored(), account_id=account_id).id
    kept = registrations.licensed("Pepper", photo_upload_id=upload_id)
    resident.visit(f"/dogs/{kept.animal_id}").click("Pepper is missing").submit(button="Start")
    assert resident.page.values["name"] == ["Pepper"]
    resident.submit(button="Continue")
    assert resident.h1 == "Is this photo good?"
    resident.submit(button="Continue").submit({"place": "Idaho"}, button="Continue").submit(button="Continue")
    resident.submit(button="Show it to everybody")
    missing = row(database)
    assert missing.animal_id == kept.animal_id
    own = set(database.rows("SELECT key FROM animal_control.document_page")[0].values())
    assert missing.photo_key not in own
    resident.submit(button="Pepper is home!")
    assert missing.photo_key not in files.files
    assert own <= set(files.files)


def test_a_page_takes_as_many_statements_however_many_wrote(missed, resident, visitor, watch, database):
    reference = missed()

    def statements():
        with watch.counting() as counted:
            resident.visit(f"/notices/{reference}")
        return len(counted)

    few = statements()
    database.run(
        "INSERT INTO animal_control.sighting (notice_id, holding, seen_at, place_text) "
        "SELECT id, 'sighted', now(), 'Main Street' FROM animal_control.pet_notice, generate_series(1, 30)"
    )
    assert statements() == few
    assert resident.text.count("Main Street") == 30


def test_another_s_registered_pet_is_not_offered(another_resident, registrations):
    kept = registrations.licensed("Pepper")
    another_resident.visit("/lost/new")
    assert str(kept.animal_id) not in another_resident.page.html


def test_a_photo_is_turned_and_cut_without_script_and_loses_its_metadata(resident, miss, files, database):
    exif = Image.Exif()
    exif[0x010F] = "Pats phone"
    resident.visit("/lost/new").submit(button="Start")
    resident.submit(PEPPER, button="Continue")
    resident.submit(photo=(saved(corners(640, 480), "JPEG", exif=exif), "pepper.jpg"), button="Send the photo")
    assert resident.h1 == "Is this photo good?"
    resident.submit({"turn": "right"}, button="Turn right")
    resident.visit("/notices/new/photo.jpg")
    assert Image.open(BytesIO(resident.answer.data)).size == (480, 640)
    resident.visit("/lost/new/photo").submit({"left": "20", "bottom": "40"}, button="Cut the photo")
    resident.visit("/notices/new/photo.jpg")
    picture = Image.open(BytesIO(resident.answer.data))
    assert picture.size == (384, 384)
    assert dict(picture.getexif()) == {}
    resident.visit("/lost/new/photo").submit(button="Continue")
    resident.submit({"place": "Idaho"}, button="Continue").submit(button="Continue")
    resident.submit(button="Show it to everybody")
    assert (row(database).photo_width, row(database).photo_height) == (384, 384)
    assert (640, 480) not in {Image.open(BytesIO(kept)).size for kept in files.files.values()}, (
        "what was cut off is gone"
    )


def test_a_file_that_is_no_photo_is_told_beside_its_control(resident):
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(photo=(b"no picture", "pepper.jpg"), button="Send the photo", status=422)
    assert len(resident.errors) == 1


def test_the_same_form_twice_is_one_notice(miss, resident, database):
    miss()
    form = resident.page.form(button="Show it to everybody")
    sent = {name: values[0] for name, values in form.filled({}, button="Show it to everybody").items()}
    first = resident.client.post("/lost/new/check", data=sent)
    second = resident.client.post("/lost/new/check", data=sent)
    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    assert database.value("SELECT count(*) FROM animal_control.pet_notice") == 1


def test_answers_survive_a_sign_in_that_ran_out(miss, resident, database):
    """F1: whoever was called away signs in again, and every answer is there."""
    miss()
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    resident.submit(button="Show it to everybody").submit(email="pat@example.com")
    resident.submit(code=resident.outbox.code("pat@example.com"))
    assert resident.path == "/lost/new/check"
    assert "a red collar" in resident.text
    resident.submit(button="Show it to everybody")
    assert resident.h1 == "Your notice: Pepper"


def test_a_phone_is_shown_only_with_its_tick(miss, resident, visitor):
    miss(more={"shown_phone": "(320) 555-0142", "show_phone": True}).submit(button="Show it to everybody")
    reference = resident.path.rpartition("/")[2]
    assert "(320) 555-0142" in visitor.visit(f"/lost/{reference}").text
    miss(more={"shown_phone": "(320) 555-0143"}).submit(button="Show it to everybody")
    reference = resident.path.rpartition("/")[2]
    assert "555-0143" not in visitor.visit(f"/lost/{reference}").text


def test_a_number_in_the_words_is_pointed_out_and_not_refused(miss, resident):
    miss(more={"what_to_do": "Call 320-555-0142"})
    assert "A number or an address in your words" in resident.text
    resident.submit(button="Show it to everybody")
    assert resident.h1 == "Your notice: Pepper"


def test_a_notice_with_a_link_in_it_waits_for_a_look(miss, resident, visitor, outbox, database):
    miss(more={"what_to_do": "Look at https://pets.example"}).submit(button="Show it to everybody")
    assert "Somebody of the city looks at it" in resident.text
    reference = resident.path.rpartition("/")[2]
    visitor.visit(f"/lost/{reference}", status=404)
    assert outbox.letters(to="pat@example.com", template="notice_filed")[0].subject == "We look at your notice first"


def test_a_time_to_come_is_explained_and_the_rest_is_kept(resident):
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(button="Go on without a photo")
    resident.submit({"place": "Idaho", "clock": "11:30 PM"}, button="Continue", status=422)
    assert resident.errors == ["That time is still to come. Check the day and the time"]
    assert resident.page.values["place"] == ["Idaho"]


def test_a_time_that_the_clock_skipped_in_spring_is_asked_for_again(resident):
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(button="Go on without a photo")
    resident.submit({"place": "Idaho", "on": date(2026, 3, 8), "clock": "2:30 AM"}, button="Continue", status=422)
    assert resident.errors == [SKIPPED]
    resident.submit({"clock": "3:00 AM"}, button="Continue")
    assert resident.h1 != "Where and when"


def test_it_can_be_changed(missed, resident, visitor):
    reference = missed(more={"withheld_mark": "a scar"})
    resident.submit(button="Change the notice")
    assert resident.h1 == "Who sees what"
    resident.visit("/lost/new/pet").submit({"wears": "a green coat"}, button="Continue")
    resident.submit(button="Save the changes")
    assert "a green coat" in visitor.visit(f"/lost/{reference}").text
    assert "a scar" in resident.submit(button="Change the notice").text


@pytest.mark.parametrize(("button", "status"), [("Pepper is home!", 200), ("Take the notice back", 404)])
def test_the_picture_goes_with_the_notice(resident, visitor, files, database, button, status):
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(photo=photo(), button="Send the photo").submit(button="Continue")
    resident.submit({"place": "Idaho"}, button="Continue").submit(button="Continue").submit(
        button="Show it to everybody"
    )
    reference, keys = resident.path.rpartition("/")[2], (row(database).photo_key, row(database).thumbnail_key)
    assert all(key in files.files for key in keys)
    visitor.visit(f"/lost/{reference}/photo.jpg")
    resident.submit(button=button)
    assert not any(key in files.files for key in keys)
    visitor.visit(f"/lost/{reference}/photo.jpg", status=404)
    visitor.visit(f"/lost/{reference}", status=status)
    assert row(database).photo_key is None


def test_a_library_s_computer_shows_nobody_else_what_was_answered(miss, resident, database):
    miss(more={"withheld_mark": "one white toe"})
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    for page in ("more", "photo", "check"):
        assert resident.visit(f"/lost/new/{page}").path.startswith("/sign-in?next=/lost/new/")
        assert "one white toe" not in resident.page.html
    resident.visit("/lost/new/more").submit(email="pat@example.com")
    resident.submit(code=resident.outbox.code("pat@example.com"))
    assert resident.page.values["withheld_mark"] == ["one white toe"]


def test_where_the_phone_was_is_said_and_can_be_left_out(resident, database):
    """A map shows it to everybody: whoever pressed the button reads so before it is sent, and may think again."""
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(button="Go on without a photo")
    resident.submit({"place": "Idaho", "latitude": "45.31", "longitude": "-95.6"}, button="Continue")
    resident.submit(button="Continue")
    assert "where your phone was when you pressed the button" in resident.text
    resident.visit("/lost/new/where").submit({"leaves_out": True}, button="Continue")
    assert "where your phone was" not in resident.text
    resident.submit(button="Show it to everybody")
    assert row(database).latitude is None


def test_a_phone_that_does_not_know_where_it_is_says_nothing(miss, resident, database):
    """Zero, zero lies in the Gulf of Guinea: no match would be near it."""
    miss(where={"place": "Idaho", "latitude": "0", "longitude": "0"}).submit(button="Show it to everybody")
    assert (row(database).latitude, row(database).longitude) == (None, None)


def test_a_picture_that_was_being_changed_goes_too(resident, files):
    resident.visit("/lost/new").submit(button="Start").submit(PEPPER, button="Continue")
    resident.submit(photo=photo(), button="Send the photo").submit(button="Continue")
    resident.submit({"place": "Idaho"}, button="Continue").submit(button="Continue")
    own = resident.submit(button="Show it to everybody").path
    resident.submit(button="Change the notice").visit("/lost/new/photo").submit(button="Turn left")
    resident.visit(own).submit(button="Pepper is home!")
    assert not list(files.files)
    assert resident.visit("/lost/new/check").path == own


def test_what_was_hidden_for_its_age_is_looked_at_too(missed, resident, visitor, database):
    """A link that was put in while nobody saw it is not shown by saying that it still holds."""
    reference = missed()
    database.run("UPDATE animal_control.pet_notice SET state = 'expired', closed_at = now()")
    resident.visit(f"/notices/{reference}").submit(button="Change the notice")
    resident.visit("/lost/new/more").submit({"what_to_do": "See www.example.com"}, button="Continue")
    resident.submit(button="Save the changes")
    assert "looks at it before it is shown" in resident.text
    visitor.visit(f"/lost/{reference}", status=404)


def test_nobody_looks_for_an_animal_that_died(resident, registrations, database):
    kept = registrations.licensed("Pepper")
    resident.visit("/lost/new").submit({"pet": str(kept.animal_id)}, button="Start").submit(button="Continue")
    resident.submit(button="Go on without a photo").submit({"place": "Idaho"}, button="Continue")
    resident.submit(button="Continue").submit(button="Show it to everybody")
    resident.visit(f"/dogs/{kept.animal_id}/gone").submit({"kind": "died"})
    assert row(database).state == NoticeState.WITHDRAWN


def test_the_picture_of_one_that_was_taken_down_goes_with_the_animal(registrations, household, database):
    pepper = registrations.licensed("Pepper")
    picture = {"photo_key": "notices/0f/0f", "thumbnail_key": "notices/0f/1f"}
    notice(database, animal_id=pepper.animal_id, state=NoticeState.TAKEN_DOWN, **picture)
    household.gives_away(pepper)
    assert (row(database).state, row(database).photo_key) == (NoticeState.WITHDRAWN, None)


def test_a_new_owner_reads_nothing_of_a_notice_that_was_over_before(
    resident, another_resident, registrations, household, database, clock
):
    pepper = registrations.licensed("Pepper")
    notice(database, animal_id=pepper.animal_id, account_id=registrations.account("pat@example.com"))
    household.claims(pepper, "gavin@example.com")
    clock.move_to(clock.at + timedelta(days=1))
    household.city_accepts()
    another_resident.visit("/notices/4K7PQ-XRM2T", status=404)
    assert "Pepper" not in another_resident.visit("/notices").text
    assert resident.visit("/notices/4K7PQ-XRM2T").h1 == "Your notice: Pepper"


def test_another_s_notice_is_managed_by_nobody_else(missed, another_resident, visitor):
    reference = missed()
    for page in ("", "/change", "/home", "/withdraw", "/keep", "/photo.jpg"):
        another_resident.visit(f"/notices/{reference}{page}", status=404)
        for any_other in (reference, "ZZZZZ-ZZZZZ"):
            assert visitor.visit(f"/notices/{any_other}{page}").h1 == "What is your e‑mail address?"


def test_one_that_was_hidden_is_shown_again(missed, resident, visitor, database, clock):
    reference = missed()
    database.run("UPDATE animal_control.pet_notice SET state = 'expired', closed_at = now(), asked_at = now()")
    clock.move_to(clock.at + timedelta(days=1))
    visitor.visit(f"/lost/{reference}", status=404)
    resident.visit("/notices").click("Pepper").submit(button="Show it again")
    visitor.visit(f"/lost/{reference}")
    assert row(database).renewed_at == clock.now()

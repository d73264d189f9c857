"""Filing certificates by page, and what a clinic sees of its own."""

from datetime import date, timedelta

import pytest

from portal.schema.clinics import FilingChannel
from tests.web.vet.conftest import TYPED

NEW = "/vet/certificates/new"


def rows(database):
    return database.rows("SELECT * FROM animal_control.clinic_filing ORDER BY created_at, id")


def test_one_is_filed_and_the_page_is_ready_for_the_next(vet, database):
    page = vet.visit(NEW).submit(**TYPED)
    assert page.path == NEW
    assert "Filed. File another" in page.text
    assert "Pepper, Pat O’Brien. Next due November 27, 2029" in page.text
    (row,) = rows(database)
    assert (row.state, row.channel, row.filed_by) == ("waiting", "page", "karin@clinic.example")
    assert (row.given_on, row.certificate_due_on) == (date(2026, 11, 27), date(2029, 11, 27))
    assert (row.owner_key, row.attested_name) == ("obrien", "Karin Dahl")
    assert page.page.values["owner_name"] == [""]
    assert page.page.values["veterinarian"] == ["Karin Dahl, DVM"]
    assert page.page.values["attested_name"] == [""]


def test_the_keyboard_starts_in_the_first_box(vet):
    page = vet.visit(NEW).page
    (first,) = [one for one in page.document.iter("input") if one.get("autofocus") is not None]
    assert first.get("name") == "owner_name"


def test_the_page_never_asks_the_browser_to_fill_in_names(vet):
    """F5: the clerk's own name has no business in an owner's box."""
    page = vet.visit(NEW).page
    boxes = [one for one in page.main.iter("input") if one.get("type") == "text"]
    assert {one.get("autocomplete") for one in boxes} == {"off"}


def test_the_given_date_is_today_until_somebody_says_otherwise(vet):
    assert vet.visit(NEW).page.values["given_on-day"] == ["30"]


def test_what_was_used_last_is_offered_again_and_of_this_clinic_alone(vet, other_vet):
    vet.visit(NEW).submit({**TYPED, "product": "Imrab 3", "lot": "18231A"})
    page = vet.visit(NEW)
    assert (page.page.values["product"], page.page.values["lot"]) == (["Imrab 3"], ["18231A"])
    assert 'option value="Karin Dahl, DVM"' in page.page.html
    assert "Karin Dahl" not in other_vet.visit(NEW).page.html


def folded(person):
    """What the line says behind which vaccine and veterinarian are folded away; None where their boxes are open."""
    found = person.page.main.find(".//details/summary")
    return None if found is None else "".join(found.itertext())


def test_the_vaccine_and_the_veterinarian_of_the_last_one_are_folded_away_and_still_filed(vet, database):
    assert folded(vet.visit(NEW)) is None
    vet.submit({**TYPED, "product": "Imrab 3", "lot": "18231A"})
    told = "Vaccine and veterinarian: Imrab 3, lot 18231A, inactivated (killed), good for 3 years, Karin Dahl, DVM"
    assert folded(vet) == told
    vet.submit(
        owner_name="Ole Berg",
        owner_address="12 Main St",
        animal_name="Rex",
        sex="male",
        description="Husky",
        weight="50 lb",
        attested_name="Karin Dahl",
    )
    _, second = rows(database)
    assert (second.product, second.lot, second.veterinarian) == ("Imrab 3", "18231A", "Karin Dahl, DVM")
    assert (second.given_on, second.certificate_due_on) == (date(2026, 11, 30), date(2029, 11, 30))


def test_the_first_of_a_day_shows_the_vaccine_again(vet, clock):
    vet.visit(NEW).submit(TYPED)
    clock.move_to(clock.now() + timedelta(days=1))
    assert folded(vet.visit(NEW)) is None
    assert vet.page.values["veterinarian"] == ["Karin Dahl, DVM"]


def test_what_the_practice_software_sends_meanwhile_changes_nothing_on_the_page(vet, filings, clinic_id):
    vet.visit(NEW).submit({**TYPED, "product": "Imrab 3", "lot": "18231A"})
    filings.file(clinic_id, channel=FilingChannel.API, product="Rabvac 1", lot="7")
    assert vet.visit(NEW).page.values["lot"] == ["18231A"]


@pytest.mark.parametrize(
    ("changed", "is_open"),
    [
        pytest.param({"sex": ""}, False, id="something else is wrong"),
        pytest.param({"due_on-month": "soon"}, True, id="something in it is wrong"),
        pytest.param({"sex": "", "due_on": date(2029, 11, 27)}, True, id="a due date is typed"),
        pytest.param({"vaccine_expires_on": date(2026, 1, 31)}, True, id="the rules notice something"),
    ],
)
def test_nothing_to_look_at_is_folded_away(vet, changed, is_open):
    vet.visit(NEW).submit(TYPED)
    vet.submit({**TYPED, **changed}, status=None)
    assert (folded(vet) is None) is is_open


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        pytest.param("owner_name", "Enter the owner’s name", id="90.04(D)(2) owner"),
        pytest.param("owner_address", "Enter the owner’s address", id="90.04(D)(2) address"),
        pytest.param("animal_name", "Enter the animal’s name", id="90.04(D)(2) name"),
        pytest.param("sex", "Choose female or male", id="90.04(D)(2) sex"),
        pytest.param("description", "Enter the breed, the color and any marks", id="90.04(D)(2) description"),
        pytest.param("weight", "Choose the size, or enter the weight", id="90.04(D)(2) weight"),
        pytest.param("attested_name", "Type the veterinarian’s name as signature", id="90.04(D)(2) signature"),
    ],
)
def test_each_of_the_nine_fields_is_asked_for(vet, database, missing, sentence):
    page = vet.visit(NEW).submit({**TYPED, missing: ""}, status=422)
    assert page.errors == [sentence]
    assert page.title.startswith("Error: ")
    assert rows(database) == []


def test_the_date_given_is_asked_for(vet):
    empty = {"given_on-month": "", "given_on-day": "", "given_on-year": ""}
    typed = {name: value for name, value in TYPED.items() if name != "given_on"}
    assert vet.visit(NEW).submit({**typed, **empty}, status=422).errors == ["Enter the date of the vaccination"]


def test_a_vaccination_to_come_is_refused(vet, database):
    page = vet.visit(NEW).submit({**TYPED, "given_on": date(2026, 12, 1)}, status=422)
    assert any("in the future" in error for error in page.errors)
    assert rows(database) == []


def test_dates_that_do_not_agree_are_told_once_and_then_filed_as_they_are(vet, database):
    """D5: a due date equal to the given date is shown, never refused."""
    page = vet.visit(NEW).submit({**TYPED, "due_on": TYPED["given_on"]})
    assert "Before you file it" in page.text
    assert rows(database) == []
    page.submit(attested_name="Karin Dahl", button="File it as it is")
    assert "Filed. File another" in page.text
    assert database.value("SELECT detail->'findings' FROM animal_control.event WHERE kind = 'filing.received'")


def test_the_same_button_pressed_twice_files_one(vet, database):
    page = vet.visit(NEW)
    sent = page.page.form(button="File it").filled(TYPED, button="File it")
    for _ in range(2):
        answer = vet.client.post(NEW, data=sent, base_url=vet.origin)
        assert answer.status_code == 303
    assert len(rows(database)) == 1


def test_a_certificate_typed_again_is_the_one_filed_before(vet, database):
    vet.visit(NEW).submit(TYPED)
    again = vet.visit(NEW).submit({**TYPED, "attested_name": "Karin J. Dahl"})
    assert "You filed this one before. Nothing is filed twice" in again.text
    assert len(rows(database)) == 1
    corrected = vet.visit(NEW).submit({**TYPED, "rabies_tag": "B-1"})
    assert "Filed. File another" in corrected.text
    assert len(rows(database)) == 2


def test_a_certificate_taken_back_may_be_typed_again(vet, database):
    vet.visit(NEW).submit(TYPED)
    database.run("UPDATE animal_control.clinic_filing SET state = 'withdrawn'")
    assert "Filed. File another" in vet.visit(NEW).submit(TYPED).text


def test_names_are_kept_as_typed(vet, database):
    """I1, I5, E1."""
    typed = {"owner_name": "Mai-Lee Nguyễn", "animal_name": "🐶 <b>Bailey</b>"}
    page = vet.visit(NEW).submit({**TYPED, **typed})
    assert "🐶 <b>Bailey</b>, Mai-Lee Nguyễn" in page.text
    assert rows(database)[0].owner_key == "nguyen"


def test_a_clinic_sees_its_own_newest_first_and_finds_one_by_words_or_state(vet):
    for name in ("Pepper", "Rex"):
        vet.visit(NEW).submit({**TYPED, "animal_name": name})
    page = vet.visit("/vet/certificates")
    assert page.text.index("Rex, Pat") < page.text.index("Pepper, Pat")
    assert "Rex" not in vet.visit("/vet/certificates?words=pepp").text
    assert "Pepper" in vet.visit("/vet/certificates?state=received").text
    assert "Nothing fits" in vet.visit("/vet/certificates?state=withdrawn").text
    assert "Nothing fits" in vet.visit("/vet/certificates?words=%25").text


def test_more_than_a_page_goes_on_where_it_stopped(vet, filings, clinic_id):
    for number in range(53):
        filings.file(clinic_id, animal_name=f"Dog {number:02}")
    page = vet.visit("/vet/certificates")
    assert "Dog 02" not in page.text
    page.click("Older ones")
    assert all(name in page.text for name in ("Dog 00", "Dog 01", "Dog 02"))
    assert "Dog 03" not in page.text
    assert "Older ones" not in page.links


@pytest.mark.parametrize("after", ["", "nonsense", "00000000-0000-0000-0000-000000000000"])
def test_a_place_that_is_not_there_breaks_no_list(vet, after):
    vet.visit(f"/vet/certificates?after={after}&state=nonsense")


def test_known_or_not_an_owner_is_never_told_of(vet, filings, clinic_id, registrations):
    """Matching reveals nothing: after the worker has looked, the page of each says the same."""
    registrations.licensed("Pepper")
    known = filings.file(clinic_id, owner_name="Pat O’Brien", animal_name="Pepper")
    unknown = filings.file(clinic_id, owner_name="Nobody Known", animal_name="Pepper")
    before = vet.visit(f"/vet/certificates/{known}").text
    filings.match()
    assert vet.visit(f"/vet/certificates/{known}").text == before
    told = [vet.visit(f"/vet/certificates/{one}").text for one in (known, unknown)]
    assert (
        told[0].replace("Pat O’Brien", "?").split("Received")[1]
        == told[1].replace("Nobody Known", "?").split("Received")[1]
    )
    index = vet.visit("/vet/certificates").text
    assert index.count("Received") >= 2
    assert "Filed" not in index


def test_filing_does_the_same_work_for_a_known_owner_as_for_an_unknown_one(vet, registrations, queries):
    """V3: neither what is answered nor how long it takes can tell whether the city knows the owner."""
    registrations.licensed("Pepper")
    sent, answers = [], []
    for lot, owner in enumerate(("Pat O’Brien", "Nobody Known", "Pat O’Brien", "Nobody Known")):
        page, typed = vet.visit(NEW), {**TYPED, "owner_name": owner, "duration_years": "3", "lot": f"L{lot}"}
        with queries() as statements:
            page.submit(typed, follow=False, status=303)
        sent.append(list(statements.sent))
        answers.append(
            {name: value for name, value in page.answer.headers.items() if name not in ("Set-Cookie", "X-Request-ID")}
        )
        page.follow()
    assert sent[0] == sent[1] == sent[2] == sent[3]
    assert answers[0] == answers[1] == answers[2] == answers[3]


def test_one_is_withdrawn_whether_it_was_matched_or_not(vet, filings, clinic_id, registrations, database):
    registrations.licensed("Pepper")
    filing_id = filings.file(clinic_id)
    filings.match()
    page = vet.visit(f"/vet/certificates/{filing_id}").click("Withdraw it").submit(button="Withdraw")
    assert "Withdrawn" in page.text
    (row,) = rows(database)
    assert row.state == "withdrawn"
    if row.vaccination_id:
        looked = database.rows("SELECT * FROM animal_control.vaccination WHERE id = :id", id=row.vaccination_id)[0]
        assert looked.needs_review
        assert "withdrawn this certificate" in looked.findings[-1]["sentence"]


def test_one_is_put_right_by_another_in_its_place(vet, filings, clinic_id, database):
    filing_id = filings.file(clinic_id)
    page = vet.visit(f"/vet/certificates/{filing_id}").click("Put it right")
    assert page.page.values["weight"] == ["62 lb"]
    page.submit(weight="26 lb", attested_name="Karin Dahl")
    assert "26 lb" in page.text
    first, second = rows(database)
    assert (first.state, second.state) == ("withdrawn", "waiting")
    assert vet.visit(f"/vet/certificates/{filing_id}").text.count("Put right: see") == 1


def test_one_that_came_back_says_why(vet, filings, clinic_id, database):
    filing_id = filings.file(clinic_id)
    database.run("UPDATE animal_control.clinic_filing SET state = 'sent_back', decision_reason = 'No such product.'")
    assert "No such product." in vet.visit(f"/vet/certificates/{filing_id}").text
    assert "Sent back No such product." in vet.visit("/vet/certificates").text


def test_answers_outlive_a_sign_in_that_ended(vet, database):
    """F1."""
    vet.visit(NEW)
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    vet.submit(**TYPED)
    assert vet.h1.startswith("What is your e")
    vet.submit(email=vet.email).submit(code=vet.outbox.code(vet.email))
    assert vet.path == NEW
    assert vet.page.values["animal_name"] == ["Pepper"]

"""A dog's four tracks: paid, certificate, license, tag. Each says who acts next and by when."""

from datetime import date, datetime

import pytest

from portal.ordinance.certificates import Dose
from portal.ordinance.licensing import Situation
from portal.schema.licenses import Delivery
from portal.services.draft_answers import CertificateAnswers
from tests.support.pages import joined
from tests.support.portal import CHICAGO
from tests.support.registrations import LATER

FIRST_DOSE = CertificateAnswers(
    is_read=True, given_on=date(2026, 11, 20), due_on=date(2029, 11, 20), dose=Dose.FIRST, duration_years=3
)


def tracks(person) -> list[str]:
    """The tracks as they are read out: label, state, detail."""
    return [joined(one) for one in person.page.by_class("track")]


def show(person, kept):
    return person.visit(f"/dogs/{kept.animal_id}")


def test_all_four_tracks_of_a_licensed_dog(resident, registrations):
    kept = registrations.licensed("Pepper")
    page = show(resident, kept)
    assert page.h1 == "Pepper"
    paid, certificate, license_, tag = tracks(resident)
    assert paid.startswith("✓ PaidDone $10.00 on November 30, 2026. Receipt")
    assert certificate.startswith("✓ Certificate acceptedDone Good to June 12, 2029.")
    assert license_.startswith("✓ Licensed for 2026Done Number 1, good to December 31, 2026.")
    assert tag.startswith("4 Tag goes in the mail by December 4, 2026Now To 1310 Idaho Ave.")
    assert page.links["Receipt"] == f"/pay/{kept.order_id}/receipt"
    assert page.links["Show proof of license"] == f"/dogs/{kept.animal_id}/proof"


def test_a_tag_to_pick_up_says_where_and_from_when(resident, registrations):
    show(resident, registrations.licensed("Pepper", delivery=Delivery.PICK_UP))
    assert "Pick up the tag from December 4, 2026" in tracks(resident)[3]
    assert "Benson Police Department, 1410 Kansas Avenue" in tracks(resident)[3]


def test_a_tag_that_is_late_says_whom_to_call_instead_of_a_day_gone_by(resident, registrations, clock):
    kept = registrations.licensed("Pepper")
    clock.move_to(datetime(2026, 12, 7, 9, tzinfo=CHICAGO))
    show(resident, kept)
    assert "December 4" not in tracks(resident)[3]
    assert "If it does not come soon, call 320-555-0100" in tracks(resident)[3]


def test_a_tag_that_was_sent_leaves_nothing_to_do(resident, registrations, database):
    kept = registrations.licensed("Pepper")
    database.run("UPDATE animal_control.tag SET state = 'sent', sent_at = '2026-12-03T18:00Z'")
    show(resident, kept)
    assert tracks(resident)[3] == "✓ Tag sentDone On December 3, 2026."
    assert "Now:" not in resident.visit("/dogs").text


def test_an_application_that_waits_for_money_and_for_an_officer(resident, registrations, database):
    kept = registrations.dog("Pepper")
    database.run("UPDATE animal_control.vaccination SET created_at = '2026-11-30T16:00Z'")
    page = show(resident, kept)
    paid, certificate, license_, tag = tracks(resident)
    assert paid.startswith("! $10.00 to payNeeds you")
    assert page.links["Pay now"] == f"/pay/{kept.order_id}"
    assert "An officer looks at it by December 3, 2026. You get a message." in certificate
    assert "Issued as soon as the fee is paid and a rabies certificate is accepted." in license_
    assert "It goes in the mail within 4 business days of the license." in tag
    assert "Show proof of license" not in page.links


def test_a_fee_for_several_dogs_says_so(resident, registrations):
    first, _ = registrations.dogs([registrations.animal("Pepper"), registrations.animal("Rex")])
    show(resident, first)
    assert "$10.00 to pay" in tracks(resident)[0]
    assert "$20.00 with your other dogs." in tracks(resident)[0]


def test_who_chose_the_counter_finds_the_slip(resident, registrations):
    kept = registrations.dog("Pepper")
    resident.visit(f"/pay/{kept.order_id}").submit(button="Pay at the police counter")
    page = show(resident, kept)
    assert "$10.00 to pay at the counter" in tracks(resident)[0]
    assert page.links["Payment slip"] == f"/pay/{kept.order_id}/slip"


@pytest.mark.parametrize(
    ("payment", "order", "label", "waits"),
    [
        pytest.param("processing", "open", "Payment on its way", True, id="P5 a bank debit takes days"),
        pytest.param("mismatch", "open", "Payment in question", True, id="an amount that differs"),
        pytest.param("disputed", "paid", "Payment in question", True, id="P5 disputed"),
        pytest.param("refunded", "refunded", "Paid back", True, id="P5 refunded in full"),
        pytest.param("partly_refunded", "paid", "Paid", False, id="P5 refunded in part"),
    ],
)
def test_each_named_state_of_a_payment_is_told(resident, registrations, database, payment, order, label, waits):
    kept = registrations.dog("Pepper")
    registrations.pay(kept)
    database.run("UPDATE animal_control.payment SET state = :state", state=payment)
    database.run("UPDATE animal_control.payment SET receipt_number = NULL WHERE :is_open", is_open=order == "open")
    database.run("UPDATE animal_control.fee_order SET state = :state", state=order)
    page = show(resident, kept)
    assert label in tracks(resident)[0]
    assert "Pay now" not in page.links
    assert ("the fee is paid" in tracks(resident)[2]) == waits


def test_a_certificate_that_came_back_shows_the_reason_and_asks_for_another(resident, registrations):
    kept = registrations.dog("Pepper")
    registrations.send_back(kept, reason="The <b>date</b> can’t be read")
    page = show(resident, kept)
    assert "! Certificate sent backNeeds you The <b>date</b> can’t be read. Send another" in tracks(resident)[1]
    assert page.links["Send another"] == f"/dogs/{kept.animal_id}/certificate"


def test_a_certificate_that_is_to_follow_is_asked_for(resident, registrations):
    kept = registrations.dog("Pepper", certificate=LATER)
    assert show(resident, kept).links["Add it"] == f"/dogs/{kept.animal_id}/certificate"


@pytest.mark.parametrize(
    ("on", "label", "state"),
    [
        pytest.param(datetime(2029, 5, 12, 9, tzinfo=CHICAGO), "Certificate accepted", "Done", id="31 days before"),
        pytest.param(datetime(2029, 5, 13, 9, tzinfo=CHICAGO), "Certificate runs out soon", "Now", id="30 days before"),
        pytest.param(
            datetime(2029, 6, 12, 23, 30, tzinfo=CHICAGO), "Certificate runs out soon", "Now", id="D1 last day"
        ),
        pytest.param(datetime(2029, 6, 13, 0, 30, tzinfo=CHICAGO), "Certificate ran out", "Needs you", id="over"),
    ],
)
def test_a_certificate_that_runs_out_asks_for_the_next_one(arrive, registrations, clock, on, label, state):
    kept = registrations.licensed("Pepper")
    clock.move_to(on)
    resident = arrive().sign_in()
    show(resident, kept)
    assert f"{label}{state}" in tracks(resident)[0]


def test_a_first_dose_shows_three_dates_with_their_sources(resident, registrations):
    """Example 22: immunized from 18 December, booster 20 November 2027, ordinance limit 20 November 2029."""
    kept = registrations.licensed("Pepper", certificate=FIRST_DOSE)
    text = show(resident, kept).text
    assert "Counts as immunized from December 18, 2026" in text
    assert "Booster due by November 20, 2027, one year after a first vaccination" in text
    assert "at least once every three years: until November 20, 2029" in text
    assert "City Code § 90.04(D)(1)" in text


def test_a_waiver_says_who_confirms_it_and_asks_for_no_money(resident, registrations):
    """Example 7 and 90.04(C)."""
    kept = registrations.dog("Pepper", situation=Situation.OTHER_SERVICE_DOG)
    page = show(resident, kept)
    paid, _, license_, _ = tracks(resident)
    assert (
        paid == "1 No fee, to be confirmedNow Benson Police Department confirms it. There is nothing to pay meanwhile."
    )
    assert "Benson Police Department has confirmed the waiver" in license_
    assert "Pay now" not in page.links


def test_a_license_ends_with_its_year_on_the_citys_clock(arrive, registrations, clock):
    kept = registrations.licensed("Pepper")
    clock.move_to(datetime(2026, 12, 31, 18, 30, tzinfo=CHICAGO))
    assert "Licensed for 2026" in show(arrive().sign_in(), kept).text  # D1: still 31 December here
    clock.move_to(datetime(2027, 1, 1, 0, 30, tzinfo=CHICAGO))
    page = show(arrive().sign_in(), kept)
    assert "License for 2026 is over" in page.text
    assert "Show proof of license" not in page.links


def test_a_puppy_is_told_the_day_from_which_it_needs_a_license(resident, registrations):
    """Example 1: born 31 August 2026, needed from Monday, 1 March 2027."""
    kept = registrations.dog("Pepper", born_on=date(2026, 8, 31), wants_license=False, certificate=LATER)
    show(resident, kept)
    assert "License needed from March 1, 2027Later You may apply earlier." in tracks(resident)[1]


def test_an_estimated_age_gives_an_estimated_day(resident, registrations):
    kept = registrations.dog(
        "Pepper",
        born_on=None,
        age_months=5,
        age_estimated_on=date(2026, 11, 20),
        wants_license=False,
        certificate=LATER,
    )
    show(resident, kept)
    assert "License needed from about December 21, 2026" in tracks(resident)[1]


def test_several_years_the_newest_first_the_others_in_details(resident, registrations, database):
    kept = registrations.licensed("Pepper", license_year=2027)
    database.run(
        """INSERT INTO animal_control.license (animal_id, year, valid_from, valid_until, basis, number, state,
                                               delivery, proof_code)
           VALUES (:id, 2026, '2026-02-01', '2026-12-31', 'fee', 77, 'issued', 'mail', 'OLD')""",
        id=kept.animal_id,
    )
    page = show(resident, kept)
    assert "Licensed for 2027" in tracks(resident)[2]
    assert "2026: number 77, February 1, 2026 to December 31, 2026" in page.text
    assert "Licensed for 2027, number 1 Licensed for 2026, number 77" in resident.visit("/dogs").text


def test_a_cat_has_a_certificate_and_no_license(resident, registrations):
    kept = registrations.dog("Minka", situation=Situation.CAT, license_year=None)
    page = show(resident, kept)
    assert len(tracks(resident)) == 1
    assert "Cats need no license" in page.text


def test_someone_else_who_keeps_the_dog_sees_it_but_not_the_receipt(resident, arrive, registrations, database):
    kept = registrations.licensed("Pepper")
    other = registrations.dog("Rex", email="gavin@example.com")
    database.run(
        "INSERT INTO animal_control.keeper (animal_id, person_id, role, since) VALUES (:a, :p, 'co_owner', now())",
        a=kept.animal_id,
        p=other.person_id,
    )
    page = show(arrive("gavin@example.com").sign_in(), kept)
    assert "Licensed for 2026" in page.text
    assert "Receipt" not in page.links
    assert "Receipt" in show(resident, kept).links


def test_one_dog_is_looked_up_with_two_queries(resident, registrations, queries):
    kept = registrations.licensed("Pepper")
    with queries() as counted:
        show(resident, kept)
    assert len([sent for sent in counted.sent if "animal_control." in sent]) == 2


@pytest.mark.parametrize(
    "name", ["O'Brien", "D’Angelo", "Nguyễn", "Null", "🐶 Bailey", "<a href=//evil.example>Rex</a>"]
)
def test_names_are_shown_as_typed(resident, registrations, name):
    kept = registrations.licensed(name)
    assert show(resident, kept).h1 == name
    assert name in resident.visit("/dogs").links
    assert name in resident.visit(f"/dogs/{kept.animal_id}/proof").text

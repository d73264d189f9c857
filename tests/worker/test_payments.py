"""Payments whose webhooks were lost, money that came twice, pages left open: found and put right on a schedule."""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import CheckoutState
from portal.gateways.payments.stripe_checkout import StripeCheckout
from portal.services.payments.pay_by_card import begin_card_payment, note_checkout
from portal.services.payments.reconcile_payments import BANK_DEBIT_TAKES
from portal.worker.jobs import reconcile_payments


def never() -> bool:
    return False


@dataclass(frozen=True)
class Attempt:
    """A card page that a person was sent to."""

    payment_id: UUID
    reference: str
    page: str


@pytest.fixture
def begin(gateways, database, card_page, clock):
    """Someone presses "pay by card" and is sent to the processor's page, ten minutes ago by the database's clock."""

    def begin(registered, *, noted=True) -> Attempt:
        with Session(gateways.engine) as session, session.begin():
            attempt = begin_card_payment(
                session,
                order_id=registered.order_id,
                person_id=registered.person_id,
                email=registered.email,
                base_url="http://localhost:8000",
                clock=clock,
            )
        checkout = gateways.processor.open_checkout(attempt.request)
        if noted:
            with Session(gateways.engine) as session, session.begin():
                note_checkout(session, payment_id=attempt.payment_id, checkout=checkout)
        date_back(database, clock, minutes=10)
        return Attempt(attempt.payment_id, checkout.reference, checkout.url)

    return begin


def date_back(database, clock, **ago):
    """Rows are dated by the database's own clock; the tests have another."""
    database.run("UPDATE animal_control.payment SET created_at = :at", at=clock.now() - timedelta(**ago))


def states(database):
    return [row.state for row in database.rows("SELECT state FROM animal_control.payment ORDER BY created_at, id")]


def order_state(database):
    return database.value("SELECT state FROM animal_control.fee_order")


def test_a_payment_whose_webhook_was_lost_is_settled_and_the_license_issued(
    parts, begin, registrations, card_page, database, outbox
):
    dog = registrations.dog()
    registrations.accept(dog)
    card_page.pay(begin(dog).page)
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["paid"], "paid")
    assert database.value("SELECT number FROM animal_control.license") == 1
    assert outbox.templates().count("receipt") == 1


def test_the_webhook_that_comes_after_all_changes_nothing(
    parts, begin, registrations, card_page, database, outbox, app
):
    """P3: whichever comes first, one receipt."""
    card_page.pay(begin(registrations.dog()).page)
    reconcile_payments(parts, never)
    assert {answer.status_code for answer in card_page.deliver(app)} == {200}
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["paid"], "paid")
    assert outbox.templates().count("receipt") == 1


def test_a_page_that_is_still_open_and_one_just_opened_are_left_alone(
    parts, begin, registrations, card_page, database, clock
):
    attempt = begin(registrations.dog())
    reconcile_payments(parts, never)
    assert states(database) == ["pending"]
    card_page.pay(attempt.page)
    date_back(database, clock, seconds=20)
    reconcile_payments(parts, never)
    assert states(database) == ["pending"], "its event is on its way: not asked yet"


def test_a_bank_debit_is_followed_until_it_comes(parts, begin, registrations, card_page, database):
    """P5"""
    attempt = begin(registrations.dog())
    card_page.pay(attempt.page, "bank")
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["processing"], "open")
    reconcile_payments(parts, never)
    assert states(database) == ["processing"]
    card_page.deed(attempt.page, "settle")
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["paid"], "paid")


def test_a_bank_debit_that_never_comes_has_failed_after_two_weeks_and_the_payer_is_told(
    parts, begin, registrations, card_page, database, clock, outbox
):
    card_page.pay(begin(registrations.dog()).page, "bank")
    reconcile_payments(parts, never)
    clock.move_to(clock.now() + BANK_DEBIT_TAKES + timedelta(days=1))
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["failed"], "open")
    assert outbox.templates().count("payment_failed") == 1


def test_a_page_nobody_paid_on_is_over_when_its_time_is(parts, begin, registrations, card_page, database, clock):
    attempt = begin(registrations.dog())
    parts.gateways.processor.expire_checkout(attempt.reference)
    reconcile_payments(parts, never)
    assert states(database) == ["expired"]


def test_a_dog_that_died_while_its_card_page_was_open_is_not_paid_for_and_the_other_is_asked_for_anew(
    parts, begin, registrations, resident, database
):
    rex, _ = registrations.dogs([registrations.animal("Rex"), registrations.animal("Bella")])
    attempt = begin(rex)
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    assert order_state(database) == "open", "it may be paid this very moment"
    parts.gateways.processor.expire_checkout(attempt.reference)
    reconcile_payments(parts, never)
    owed = {
        row.state: row.total_cents for row in database.rows("SELECT state, total_cents FROM animal_control.fee_order")
    }
    assert owed == {"canceled": 2000, "open": 1000}
    resident.visit("/dogs").click("Pay $10.00 for Bella")
    assert "Rex" not in resident.text


def test_a_bank_payment_that_fails_for_a_dog_that_died_asks_for_nothing(
    parts, begin, registrations, resident, card_page, database, outbox
):
    rex = registrations.dog("Rex")
    attempt = begin(rex)
    card_page.pay(attempt.page, "bank")
    reconcile_payments(parts, never)
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    date_back(database, parts.gateways.clock, days=BANK_DEBIT_TAKES.days + 1)
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["failed"], "canceled")
    assert "payment_failed" not in outbox.templates()


def test_pressing_the_button_after_the_page_ended_asks_for_the_dog_that_died_no_more(
    begin, registrations, resident, database, clock
):
    rex = registrations.dog("Rex")
    begin(rex)
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    clock.move_to(clock.now() + timedelta(hours=3))
    resident.visit(f"/pay/{rex.order_id}").submit(button="Pay $10.00 by card")
    assert resident.path == f"/pay/{rex.order_id}"
    assert (states(database), order_state(database)) == (["expired"], "canceled")


def test_an_attempt_whose_page_we_never_learned_of_is_over_when_its_time_is(
    parts, begin, registrations, database, clock
):
    begin(registrations.dog(), noted=False)
    reconcile_payments(parts, never)
    assert states(database) == ["pending"]
    clock.move_to(clock.now() + timedelta(hours=3))
    reconcile_payments(parts, never)
    assert states(database) == ["expired"]


def test_a_payment_in_the_last_second_of_a_page_is_found_although_we_closed_the_attempt(
    parts, begin, registrations, card_page, database, outbox
):
    card_page.pay(begin(registrations.dog()).page)
    database.run("UPDATE animal_control.payment SET state = 'expired'")
    reconcile_payments(parts, never)
    assert (states(database), order_state(database)) == (["paid"], "paid")


def test_an_attempt_that_is_over_is_asked_about_once_more_and_then_never_again(
    parts, begin, registrations, database, monkeypatch
):
    attempt = begin(registrations.dog())
    parts.gateways.processor.expire_checkout(attempt.reference)
    database.run("UPDATE animal_control.payment SET state = 'expired'")
    reconcile_payments(parts, never)
    asked = []
    counting = replace(parts, gateways=replace(parts.gateways, processor=Counting(parts.gateways.processor, asked)))
    reconcile_payments(counting, never)
    assert asked == []


@dataclass
class Counting:
    """A processor that notes what it is asked about."""

    processor: StripeCheckout
    asked: list[str]

    def read_checkout(self, reference):
        self.asked.append(reference)
        return self.processor.read_checkout(reference)


def test_the_page_of_an_order_paid_at_the_counter_is_closed(parts, begin, registrations, card_page, database, clock):
    dog = registrations.dog()
    attempt = begin(dog)
    registrations.pay(dog)
    date_back(database, clock, seconds=5)
    reconcile_payments(parts, never)
    assert parts.gateways.processor.read_checkout(attempt.reference).state is CheckoutState.EXPIRED
    assert sorted(states(database)) == ["expired", "paid"]
    assert order_state(database) == "paid"


def test_money_that_came_twice_is_given_back_once(parts, begin, registrations, card_page, database, app, outbox):
    """P5, and no license is touched: the counter took the money first, the payer's card was charged a moment later."""
    dog = registrations.dog()
    attempt = begin(dog)
    registrations.pay(dog)
    card_page.pay(attempt.page)
    reconcile_payments(parts, never)
    reconcile_payments(parts, never)
    refunded = "SELECT refunded_cents FROM animal_control.payment WHERE method = 'card'"
    assert (sorted(states(database)), database.value(refunded)) == (["paid", "refunded"], 1000)
    assert order_state(database) == "paid"
    card_page.deliver(app)
    assert (sorted(states(database)), database.value(refunded)) == (["paid", "refunded"], 1000)
    [letter] = outbox.letters(template="duplicate_refunded")
    assert (letter.to, letter.subject) == (dog.email, "We gave $10.00 back to you")
    refunds = database.rows("SELECT id FROM portal.processor_event WHERE id LIKE 'read%refunded'")
    assert len(refunds) == 1


def test_a_refund_cut_off_before_it_was_noted_is_made_once(parts, begin, registrations, card_page, database):
    dog = registrations.dog()
    attempt = begin(dog)
    registrations.pay(dog)
    card_page.pay(attempt.page)
    reconcile_payments(parts, never)
    database.run("UPDATE animal_control.payment SET state = 'duplicate', refunded_cents = 0 WHERE method = 'card'")
    database.run("DELETE FROM portal.processor_event WHERE id LIKE 'read%refunded'")
    reconcile_payments(parts, never)
    assert sorted(states(database)) == ["paid", "refunded"]
    with card_page.office.store.transaction() as db:
        assert db.execute("SELECT refunded_cents FROM payment").fetchall()[0][0] == 1000


def test_a_second_payment_the_bank_did_not_take_back_is_left_to_a_person(
    parts, begin, registrations, card_page, database, app
):
    dog = registrations.dog()
    attempt = begin(dog)
    registrations.pay(dog)
    card_page.pay(attempt.page)
    reconcile_payments(parts, never)
    card_page.deed(attempt.page, "fail_refunds")
    card_page.deliver(app)
    reconcile_payments(parts, never)
    row = database.rows("SELECT state, note FROM animal_control.payment WHERE method = 'card'")[0]
    assert (row.state, row.note) == ("duplicate", "Refund failed: lost_or_stolen_card")


def test_a_hundred_refunds_that_are_refused_do_not_hold_up_the_next(parts, begin, registrations, card_page, database):
    dog = registrations.dog()
    attempt = begin(dog)
    registrations.pay(dog)
    card_page.pay(attempt.page)
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents, charge_reference, created_at)"
        " SELECT :order_id, 'card', 'duplicate', 1000, 'pi_unknown' || n, now() - interval '400 days'"
        " FROM generate_series(1, 120) AS n",
        order_id=dog.order_id,
    )
    reconcile_payments(parts, never)
    assert states(database).count("refunded") == 1
    assert states(database).count("duplicate") == 120


def test_nothing_changes_while_the_processor_is_away(parts, begin, registrations, card_page, database, caplog):
    card_page.pay(begin(registrations.dog()).page)
    away = StripeCheckout(
        secret_key="sk_test_practice",
        webhook_secret="whsec_x",
        api_base="http://127.0.0.1:9",
        checkout_origin="http://127.0.0.1:9",
        time_out_seconds=1,
    )
    reconcile_payments(replace(parts, gateways=replace(parts.gateways, processor=away)), never)
    assert states(database) == ["pending"]
    assert "could not be asked about" in caplog.text
    reconcile_payments(parts, never)
    assert states(database) == ["paid"]

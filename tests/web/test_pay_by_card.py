"""Paying by card, over real HTTP: the real client, the practice processor, its signed webhooks (cases P1, P3, P5)."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import requests

from tests.support.owing import (
    accept_all,
    letters,
    license_numbers,
    order_state,
    owe,
    payment_states,
    take_at_counter,
)
from tests.support.paying import CITY, open_till
from tests.support.practice import wait_for


@pytest.fixture
def till(cluster, tmp_path, page_checker):
    with open_till(cluster.fresh_database(), tmp_path, page_checker=page_checker) as till:
        yield till


@pytest.fixture
def deaf_till(cluster, tmp_path, page_checker):
    """The processor's events are late: they reach nobody."""
    with open_till(cluster.fresh_database(), tmp_path, webhooks=False, page_checker=page_checker) as till:
        yield till


def asks_again_at(html):
    """The address that the page asks by itself; it is the same as its link's."""
    found = re.search(r'<a href="([^"]+)" hx-get="([^"]+)"', html)
    assert found.group(1) == found.group(2)
    return found.group(1)


def until(till, owed, state):
    wait_for(lambda: payment_states(till.engine, owed.order_id)[-1:] == [state])


def test_what_is_owed_is_shown_with_one_main_button_and_the_counter(till):
    owed = owe(till.engine, "Pepper", "Rex", clock=till.clock)
    page = till.payer(owed).visit(till.path(owed.order_id))
    assert page.heading == "Pay $20.00"
    assert page.buttons == ["Pay $20.00 by card", "Pay at the police counter"]
    assert "Dog license 2027: Pepper $10.00" in page.text
    assert "Fee set by Resolution 2026-14" in page.text
    assert "90.04(B)(4)" in page.text
    assert "needs JavaScript; the counter needs none" in page.text
    assert "This fee is a sample" in page.text


def test_a_fee_that_the_city_confirmed_is_not_called_a_sample(cluster, tmp_path):
    with open_till(cluster.fresh_database(), tmp_path, city=replace(CITY, samples=frozenset())) as till:
        owed = owe(till.engine, clock=till.clock)
        assert "sample" not in till.payer(owed).visit(till.path(owed.order_id)).text


def test_someone_elses_order_does_not_exist(till):
    mine, theirs = owe(till.engine, clock=till.clock), owe(till.engine, clock=till.clock)
    payer = till.payer(mine)
    for page in ("", "/return", "/slip", "/receipt"):
        assert payer.look(till.path(theirs.order_id, page)).status_code == 404
    for page in ("/card", "/counter"):
        answer = payer.press(till.path(theirs.order_id, page), on=payer.visit(till.path(mine.order_id)))
        assert answer.status_code == 404
    assert payment_states(till.engine, theirs.order_id) == []


def test_without_a_sign_in_one_is_asked_to_sign_in_and_comes_back(till):
    owed = owe(till.engine, clock=till.clock)
    answer = requests.get(till.url + till.path(owed.order_id), timeout=60, allow_redirects=False)
    assert answer.headers["Location"] == f"/sign-in?next=/pay/{owed.order_id}"


def test_a_button_pressed_after_the_sign_in_ended_leads_back_to_the_button(till):
    owed = owe(till.engine, clock=till.clock)
    for button in ("/card", "/counter"):
        page = till.payer(owed).visit(till.path(owed.order_id, button))
        assert page.path == till.path(owed.order_id)


def test_a_button_without_its_token_pays_nothing_and_says_what_to_do(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    for button in ("/card", "/counter"):
        answer = payer.browser.post(till.url + till.path(owed.order_id, button), timeout=60)
        assert answer.status_code == 422
        assert "press the button again" in answer.text
    assert payment_states(till.engine, owed.order_id) == []


def test_the_attempt_is_committed_before_the_payer_is_sent_away(till):
    owed = owe(till.engine, clock=till.clock)
    card_page = till.payer(owed).go_to_card_page(owed)
    assert card_page.startswith(f"{till.practice_url}/c/pay/")
    assert payment_states(till.engine, owed.order_id) == ["pending"]


def test_a_form_may_lead_to_the_processor(till):
    owed = owe(till.engine, clock=till.clock)
    policy = till.payer(owed).visit(till.path(owed.order_id)).response.headers["Content-Security-Policy"]
    assert f"form-action 'self' {till.practice_url}" in policy


def test_pressing_again_leads_to_the_same_page_of_the_processor(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    first, again = payer.go_to_card_page(owed), payer.go_to_card_page(owed)
    assert first == again
    page = payer.visit(till.path(owed.order_id))
    assert page.buttons == ["Continue to pay $10.00 by card", "Pay at the police counter"]


def test_two_presses_at_the_same_moment_make_one_attempt(till):
    owed = owe(till.engine, clock=till.clock)
    payers = [till.payer(owed) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        pages = set(pool.map(lambda payer: payer.go_to_card_page(owed), payers))
    assert len(pages) == 1
    assert payment_states(till.engine, owed.order_id) == ["pending"]


def test_paid_and_back_the_payer_gets_the_receipt_and_what_happens_next(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    leads_to = payer.act(payer.go_to_card_page(owed), "card").headers["Location"]
    assert leads_to == f"{till.url}/pay/{owed.order_id}/return"
    until(till, owed, "paid")
    page = payer.visit(till.path(owed.order_id, "/return"))
    assert page.path == till.path(owed.order_id, "/receipt")
    assert page.heading.startswith("Receipt ")
    assert "By card, online" in page.text
    assert "an officer checks the rabies certificate next" in page.text
    assert letters(till.engine, owed, "receipt") == 1


def test_back_before_the_webhook_the_payment_is_being_confirmed(deaf_till):
    """P1: no pay button, still signed in; nothing on this page marks anything paid; example 32: no tag number yet."""
    till = deaf_till
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    page = payer.visit(till.path(owed.order_id, "/return"))
    assert (page.status, page.heading) == (200, "Payment received, confirming")
    assert page.buttons == []
    assert "My dogs" in page.response.text
    assert "Check again" in page.text
    assert order_state(till.engine, owed.order_id) == "open"
    assert license_numbers(till.engine, owed) == [None]


def test_a_refresh_shows_it_paid_once_the_webhook_came(deaf_till):
    till = deaf_till
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    back = till.path(owed.order_id, "/return")
    assert payer.visit(back).path == back
    assert till.deliver(till.last_event()).status_code == 200
    assert payer.visit(back).path == till.path(owed.order_id, "/receipt")
    assert license_numbers(till.engine, owed) == [1]


def test_the_page_asks_again_by_itself_without_moving_and_goes_on_when_it_is_paid(deaf_till):
    till = deaf_till
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    again = asks_again_at(payer.visit(till.path(owed.order_id, "/return")).response.text)
    by_itself = {"HX-Request": "true"}
    waiting = payer.look(again, **by_itself)
    assert (waiting.status_code, waiting.headers["HX-Trigger"], waiting.text) == (204, "ask-soon", "")
    till.deliver(till.last_event())
    done = payer.look(again, **by_itself)
    assert (done.status_code, done.headers["HX-Redirect"]) == (204, till.path(owed.order_id, "/receipt"))


@pytest.mark.parametrize(
    ("seconds_ago", "status", "trigger"),
    [
        pytest.param(5, 204, "ask-soon", id="at first every two seconds"),
        pytest.param(60, 204, "ask-later", id="then every ten"),
        pytest.param(600, 200, None, id="then no more"),
    ],
)
def test_it_asks_less_often_and_then_says_that_it_takes_longer(deaf_till, seconds_ago, status, trigger):
    till = deaf_till
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    payer.go_to_card_page(owed)
    since = int(till.clock.now().timestamp()) - seconds_ago
    answer = payer.look(till.path(owed.order_id, f"/return?since={since}"), **{"HX-Request": "true"})
    assert (answer.status_code, answer.headers.get("HX-Trigger")) == (status, trigger)
    assert ("This takes longer than usual" in answer.text) == (trigger is None)


@pytest.mark.parametrize("since", ["", "-5", "9" * 11, "9" * 40, "²", "soon"])
def test_an_odd_address_of_the_waiting_page_is_only_a_new_beginning(deaf_till, since):
    till = deaf_till
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    payer.go_to_card_page(owed)
    page = payer.visit(till.path(owed.order_id, f"/return?since={since}"))
    assert page.heading == "Payment received, confirming"
    assert "hx-trigger" in page.response.text


def test_the_same_event_in_parallel_while_the_payer_is_back(deaf_till):
    """P3: one license, one tag number, one receipt, one message."""
    till = deaf_till
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    body = till.last_event()
    with ThreadPoolExecutor(9) as pool:
        deliveries = [pool.submit(till.deliver, body) for _ in range(6)]
        visits = [pool.submit(till.payer(owed).visit, till.path(owed.order_id, "/return")) for _ in range(3)]
        assert {delivery.result().status_code for delivery in deliveries} == {200}
        assert {visit.result().status for visit in visits} == {200}
    assert till.deliver(body).status_code == 200
    assert payment_states(till.engine, owed.order_id) == ["paid"]
    assert license_numbers(till.engine, owed) == [1]
    assert [letters(till.engine, owed, kind) for kind in ("receipt", "license_issued")] == [1, 1]


def test_a_declined_card_leaves_the_page_open_to_go_on(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    card_page = payer.go_to_card_page(owed)
    assert payer.act(card_page, "decline").status_code == 422
    page = payer.visit(till.path(owed.order_id))
    assert "your card was not charged" in page.text
    assert page.buttons[0] == "Continue to pay $10.00 by card"
    payer.act(payer.go_to_card_page(owed), "card")
    until(till, owed, "paid")


def test_a_bank_debit_is_on_its_way_then_fails_and_can_be_paid_anew(till):
    """P5: no tag until the money is there; each step in words."""
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    an_older_tab = payer.visit(till.path(owed.order_id))
    card_page = payer.go_to_card_page(owed)
    payer.act(card_page, "bank")
    until(till, owed, "processing")
    page = payer.visit(till.path(owed.order_id, "/return"))
    assert (page.heading, page.buttons) == ("Your bank payment is on its way", [])
    assert payer.press(till.path(owed.order_id, "/card"), on=an_older_tab).headers["Location"] == till.path(
        owed.order_id
    )
    assert payment_states(till.engine, owed.order_id) == ["processing"]
    till.dashboard(card_page, "fail")
    until(till, owed, "failed")
    page = payer.visit(till.path(owed.order_id))
    assert "You were not charged. Try again, or pay at the counter" in page.text
    assert page.buttons == ["Pay $10.00 by card", "Pay at the police counter"]
    assert license_numbers(till.engine, owed) == [None]
    assert letters(till.engine, owed, "payment_failed") == 1
    payer.act(payer.go_to_card_page(owed), "card")
    until(till, owed, "paid")
    assert payment_states(till.engine, owed.order_id) == ["failed", "paid"]
    assert license_numbers(till.engine, owed) == [1]


def test_a_bank_debit_that_arrives_issues_the_license(till):
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    card_page = payer.go_to_card_page(owed)
    payer.act(card_page, "bank")
    until(till, owed, "processing")
    till.dashboard(card_page, "settle")
    until(till, owed, "paid")
    assert license_numbers(till.engine, owed) == [1]


def test_a_part_and_then_the_whole_is_refunded_in_the_dashboard(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    card_page = payer.go_to_card_page(owed)
    payer.act(card_page, "card")
    until(till, owed, "paid")
    till.dashboard(card_page, "refund", amount="4.00")
    until(till, owed, "partly_refunded")
    assert order_state(till.engine, owed.order_id) == "paid"
    assert "Refunded: $4.00 of $10.00" in payer.visit(till.path(owed.order_id, "/receipt")).text
    till.dashboard(card_page, "refund", amount="6.00")
    until(till, owed, "refunded")
    assert payer.visit(till.path(owed.order_id)).heading == "Refunded"
    assert "the whole amount" in payer.visit(till.path(owed.order_id, "/receipt")).text
    accept_all(till.engine, owed, clock=till.clock)
    assert license_numbers(till.engine, owed) == [None]


def test_a_disputed_payment_is_named_and_issues_nothing_until_the_city_has_won(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    card_page = payer.go_to_card_page(owed)
    payer.act(card_page, "card")
    until(till, owed, "paid")
    till.dashboard(card_page, "dispute")
    until(till, owed, "disputed")
    assert "Your bank has disputed this payment" in payer.visit(till.path(owed.order_id, "/receipt")).text
    accept_all(till.engine, owed, clock=till.clock)
    assert license_numbers(till.engine, owed) == [None]
    till.dashboard(card_page, "win")
    until(till, owed, "paid")
    wait_for(lambda: license_numbers(till.engine, owed) == [1])


def test_no_answer_from_the_processor_charges_nothing_and_the_next_press_goes_on(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    till.fault("error", times="3")
    answer = payer.press_card(owed)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert "Nothing was charged" in answer.text
    assert "Pay at the police counter" in answer.text
    assert payment_states(till.engine, owed.order_id) == ["pending"]
    payer.act(payer.go_to_card_page(owed), "card")
    until(till, owed, "paid")
    assert payment_states(till.engine, owed.order_id) == ["paid"]


def test_a_lost_answer_of_the_processor_leads_to_the_page_it_opened(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    till.fault("drop")
    payer.press_card(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    until(till, owed, "paid")
    assert payment_states(till.engine, owed.order_id) == ["paid"]


def test_what_the_processor_refuses_is_told_with_a_reference_and_can_be_tried_anew(till, caplog):
    owed = owe(till.engine, clock=till.clock, cents=49)  # below what the processor takes; the city's file refuses it
    payer = till.payer(owed)
    for _ in range(2):
        answer = payer.press_card(owed)
        assert answer.status_code == 503
        assert "Nothing was charged" in answer.text
        reference = re.search(r"and say: ([0-9a-f]{8})", answer.text)
        assert reference
        assert reference.group(1) in caplog.text
    assert payment_states(till.engine, owed.order_id) == ["failed", "failed"]
    assert "You were not charged" in payer.visit(till.path(owed.order_id)).text


def test_paid_twice_the_second_is_kept_apart_and_told(deaf_till):
    """Example 33: the counter took the money while the card page was open."""
    till = deaf_till
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    card_page = payer.go_to_card_page(owed)
    take_at_counter(till.engine, owed, clock=till.clock)
    payer.act(card_page, "card")
    assert till.deliver(till.last_event()).status_code == 200
    assert sorted(payment_states(till.engine, owed.order_id)) == ["duplicate", "paid"]
    page = payer.visit(till.path(owed.order_id))
    assert page.heading == "Paid"
    assert "A second payment of $10.00 came" in page.text
    assert letters(till.engine, owed, "receipt") == 1
    till.dashboard(card_page, "refund", amount="10.00")
    assert till.deliver(till.last_event()).status_code == 200
    assert sorted(payment_states(till.engine, owed.order_id)) == ["paid", "refunded"]
    assert order_state(till.engine, owed.order_id) == "paid"
    assert "We gave back $10.00" in payer.visit(till.path(owed.order_id, "/receipt")).text

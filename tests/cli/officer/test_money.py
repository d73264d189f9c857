"""The officer at the console settles money in question: to the card, or over the counter."""

import pytest
from click.testing import CliRunner

from portal.cli import main
from tests.support.money import at_card

AMY = ("--officer", "amy@benson.example")
SETTLED = "SELECT outcome, decided_by FROM animal_control.payment_question WHERE settled_at IS NOT NULL"
HANDED = "SELECT coalesce(sum(amount_cents), 0) FROM animal_control.counter_refund"


@pytest.fixture
def settle(database, tmp_path, card_page, clock):
    """Settle the question of a kind; the output, or the sentence it failed with."""

    def settle(kind, *how, outcome="given_back", fails=False, processor=card_page.url):
        environment = {
            "DATABASE_URL": database.url,
            "PORTAL_DATA": str(tmp_path / "var"),
            "STRIPE_API_BASE": processor,
        }
        key = database.value("SELECT id FROM animal_control.payment_question WHERE kind = :kind", kind=kind)
        command = ["order", "settle", str(key), "--as", outcome, "--why", "Pat asks for it.", *how, *AMY]
        result = CliRunner().invoke(main, command, env=environment, obj=clock, catch_exceptions=False)
        assert result.exit_code == (1 if fails else 0), result.output
        return result.output

    return settle


@pytest.fixture
def list_questions(database, tmp_path, clock):
    def list_questions():
        environment = {"DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path / "var")}
        return (
            CliRunner().invoke(main, ["order", "questions"], env=environment, obj=clock, catch_exceptions=False).output
        )

    return list_questions


def test_to_card_has_the_processor_give_it_back(settle, four_dollars_failed, card_page, database):
    assert at_card(card_page) == 0
    assert settle("refund_failed", "--to-card") == "Settled: given back.\n"
    assert at_card(card_page) == 400
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 400
    assert tuple(database.rows(SETTLED)[0].values()) == ("given_back", "amy@benson.example")
    assert database.value(HANDED) == 0


def test_to_card_settles_nothing_when_the_processor_says_no(settle, another_amount, database, outbox):
    dog = another_amount()
    assert "The card processor does not give it back" in settle("amount_differs", "--to-card", fails=True)
    assert database.value("SELECT outcome FROM animal_control.payment_question") is None
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 0
    assert "given_back" not in outbox.templates(to=dog.email)


def test_to_card_waits_when_the_processor_is_away_and_is_asked_again(settle, four_dollars_failed, card_page, database):
    away = settle("refund_failed", "--to-card", fails=True, processor="http://127.0.0.1:9")
    assert "does not answer. Say it again later" in away
    assert settle("refund_failed", "--to-card") == "Settled: given back.\n"
    assert (at_card(card_page), database.value("SELECT refunded_cents FROM animal_control.payment")) == (400, 400)


def test_another_currency_is_named_in_the_list(list_questions, another_amount):
    another_amount(900, "eur")
    assert "9.00 EUR" in list_questions()


def test_over_counter_leaves_the_till_and_says_how_much(settle, another_amount, database, outbox):
    dog = another_amount()
    assert settle("amount_differs", "--over-counter") == "Settled: given back. Hand over $8.00.\n"
    assert database.value(HANDED) == 800
    [letter] = outbox.letters(to=dog.email, template="given_back")
    assert "back to you at the counter" in letter.text


def test_what_went_back_otherwise_is_noted_and_nothing_is_moved(settle, four_dollars_failed, card_page, database):
    assert settle("refund_failed") == "Settled: given back.\n"
    assert (at_card(card_page), database.value(HANDED)) == (0, 0)
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 400

"""The page of money in question at a real browser, in each of its states, on a narrow screen."""

import re

import pytest

from portal.gateways.payments.processor import ProcessorRefused, ProcessorUnavailable
from tests.support.screens import ANSWERED_BADLY

ANY = re.compile(".")  # whatever page comes
NARROW = {"width": 320, "height": 900}
QUESTION = "SELECT id FROM animal_control.payment_question WHERE settled_at IS NULL ORDER BY created_at LIMIT 1"
TWO_FEES = """
    INSERT INTO animal_control.fee_order_line
        (order_id, kind, license_id, description, amount_cents, resolution, ledger_code)
    SELECT order_id, kind, license_id, 'Late fee', 500, resolution, '101-99' FROM animal_control.fee_order_line
"""


@pytest.fixture
def open_question(open_desk, database):
    """The page of what waits longest."""

    def open_question():
        return open_desk(viewport=NARROW).visit(f"/desk/money/{database.value(QUESTION)}")

    return open_question


def test_money_that_can_go_back_either_way_until_it_is_settled(
    open_question, gallery, four_dollars_failed, card_page, database, registrations, monkeypatch
):
    registrations.dog("Rex")
    database.run(TWO_FEES)
    screen, to_card = open_question(), {"outcome": "given_back", "how": "card", "reason": "They have a new card."}
    gallery.look(screen, "money-either-way")
    for said, name in ((ProcessorRefused("no"), "refused"), (ProcessorUnavailable("no answer"), "no-answer")):

        def fails(_self, *, said=said, **_):
            raise said

        with monkeypatch.context() as meanwhile, screen.complaining(ANSWERED_BADLY, "Failed to load resource"):
            meanwhile.setattr(type(card_page.processor), "refund", fails)
            if name == "refused":
                gallery.look_at_mistakes(screen, "money", button="Settle it")
            screen.answer(to_card).press("Settle it", leads_to=ANY)
            gallery.look(screen, f"money-{name}")
    page = f"/desk/money/{database.value(QUESTION)}"
    gallery.look(screen.visit(page), "money-asked-of-the-card")
    screen.press("Settle it", leads_to=ANY)
    gallery.look(screen.visit(page), "money-settled")


@pytest.mark.parametrize("ends", ["win", "lose"])
def test_a_dispute_before_and_after_the_bank_decides(open_question, gallery, paid, card_page, app, database, ends):
    card_page.deed(paid, "dispute")
    card_page.deliver(app)
    screen, page = open_question(), f"/desk/money/{database.value(QUESTION)}"
    gallery.look(screen, "money-disputed")
    card_page.deed(paid, ends)
    card_page.deliver(app)
    gallery.look(screen.visit(page), f"money-disputed-{ends}")
    if ends == "lose":
        screen.answer(outcome="given_back", reason="The bank has decided.").press("Settle it", leads_to=ANY)
        gallery.look(screen.visit(page), "money-disputed-lost-and-settled")


def test_other_money_than_was_asked(open_question, gallery, another_amount, registrations):
    another_amount(900, "eur")
    gallery.look(open_question(), "money-in-euros")

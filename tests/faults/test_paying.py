"""The web process is killed while people pay by card: nothing paid is lost, nothing is charged or issued twice."""

import pytest

from tests.faults.people import Payer
from tests.faults.relay import Moment
from tests.faults.sweep import EVERYTHING, sweep
from tests.faults.truth import Truth
from tests.faults.watch import AgainAndAgain
from tests.faults.world import FRONT_DOOR, WEB, WEB_DATABASE, WEB_PROCESSOR, WEBHOOK_DOOR, World
from tests.support.owing import Owed, owe

ALL_AROUND_WEB = (FRONT_DOOR, WEBHOOK_DOOR, WEB_DATABASE, WEB_PROCESSOR)


def pays_by_card(world: World, truth: Truth) -> Owed:
    """Somebody whose certificates are accepted pays, is back before the processor's word, and gets the licenses."""
    owed = owe(world.database.engine, "Pepper", "Rex", clock=world.clock, accepted=True)
    payer, webhooks = Payer.of(world, owed), world.relays[WEBHOOK_DOOR]
    webhooks.hold()
    payer.act(payer.go_to_card_page())
    back = payer.visit(f"/pay/{owed.order_id}/return")
    assert back.h1 == "Payment received, confirming"
    assert not [form for form in back.forms if form.action.endswith("/card")], "P1: no button to pay again"
    webhooks.release()
    truth.wait_until_paid(owed)
    assert payer.visit(f"/pay/{owed.order_id}/return").path.endswith("/receipt")
    truth.paid_and_issued_once(owed)
    return owed


def test_the_web_may_be_killed_at_any_step_of_a_payment(world, truth):
    said = sweep(world, lambda: pays_by_card(world, truth), victim=WEB, relays=ALL_AROUND_WEB)
    assert "POST /v1/checkout/sessions" in said
    assert any(one.startswith("COMMIT INSERT processor_event, UPDATE fee_order") for one in said)
    truth.numbers_are_whole()


@pytest.mark.parametrize("moment", Moment)
def test_the_web_may_be_killed_again_and_again_during_one_payment(world, truth, moment):
    pays_by_card(world, truth)
    trap = AgainAndAgain((WEB_DATABASE,), moment, stride=1 if EVERYTHING else 5)
    with world.trap(trap, victim=WEB):
        pays_by_card(world, truth)
    assert trap.kills > 3
    truth.numbers_are_whole()

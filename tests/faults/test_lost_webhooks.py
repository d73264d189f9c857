"""The worker is killed while it finds out what the processor's lost events would have told."""

from tests.faults.people import Payer, Processor
from tests.faults.relay import Step
from tests.faults.sweep import is_telling, sweep
from tests.faults.truth import Truth
from tests.faults.world import WEBHOOK_DOOR, WORKER, WORKER_DATABASE, WORKER_PROCESSOR, World
from tests.support.owing import Owed, owe, take_at_counter
from tests.support.practice import wait_for

WORKER_ASKS = (WORKER_DATABASE, WORKER_PROCESSOR)


def is_paid_and_nobody_tells(world: World, truth: Truth, processor: Processor) -> Owed:
    """The payer has paid and closed the browser, the events are lost; two minutes later a worker starts."""
    owed = owe(world.database.engine, clock=world.clock, accepted=True)
    payer = Payer.of(world, owed)
    world.relays[WEBHOOK_DOOR].hold()
    payer.act(payer.go_to_card_page())
    lose_what_is_held(world, processor)
    truth.letters_came(owed, "certificate_accepted")
    world.attempts_grow_old()
    world.kill(WORKER)
    truth.wait_until_paid(owed)
    truth.paid_and_issued_once(owed)
    return owed


def lose_what_is_held(world: World, processor: Processor) -> None:
    """The processor gives up, and what is on its way is cut off."""
    webhooks = world.relays[WEBHOOK_DOOR]
    processor.give_up()
    webhooks.refuse()
    wait_for(lambda: not webhooks.holds)
    processor.give_up()
    webhooks.release()


def is_paid_twice(world: World, truth: Truth, processor: Processor) -> Owed:
    """Somebody has the card page open, pays at the counter, and then pays on the card page too."""
    owed = owe(world.database.engine, clock=world.clock, accepted=True)
    payer, webhooks = Payer.of(world, owed), world.relays[WEBHOOK_DOOR]
    card_page = payer.go_to_card_page()
    take_at_counter(world.database.engine, owed, clock=world.clock)
    payer.act(card_page)
    wait_for(lambda: "duplicate" in truth.states(owed))
    wait_for(processor.all_delivered)
    truth.wait_for_letters(owed)
    webhooks.hold()
    world.kill(WORKER)
    wait_for(lambda: sorted(truth.states(owed)) == ["paid", "refunded"])
    webhooks.release()
    wait_for(processor.all_delivered)
    assert truth.events(owed).count("payment.refunded") == 1
    truth.paid_and_issued_once(owed, by_card=False)
    return owed


def of_the_processor(step: Step) -> bool:
    """What is asked of the processor, and what its answer changes. Letters are swept elsewhere."""
    return step.relay == WORKER_PROCESSOR or (is_telling(step) and "processor_event" in step.said)


def test_the_worker_may_be_killed_at_any_step_of_finding_a_lost_payment(world, truth, processor):
    def walk() -> None:
        is_paid_and_nobody_tells(world, truth, processor)

    said = sweep(world, walk, victim=WORKER, relays=WORKER_ASKS, where=of_the_processor)
    assert "GET /v1/checkout/sessions/cs_practice_*" in said
    assert any(one.startswith("COMMIT INSERT processor_event, UPDATE fee_order") for one in said)
    truth.numbers_are_whole()


def test_the_worker_may_be_killed_at_any_step_of_giving_back_what_was_paid_twice(world, truth, processor):
    def walk() -> None:
        is_paid_twice(world, truth, processor)

    said = sweep(world, walk, victim=WORKER, relays=WORKER_ASKS, where=of_the_processor)
    assert "POST /v1/refunds" in said
    truth.numbers_are_whole()

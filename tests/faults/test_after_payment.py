"""The web process is killed while the processor tells what became of a payment later (P5)."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.faults.people import Payer, Processor
from tests.faults.relay import Step
from tests.faults.sweep import is_telling, sweep
from tests.faults.truth import Truth
from tests.faults.world import WEB, WEB_DATABASE, WEBHOOK_DOOR, World
from tests.support.owing import owe
from tests.support.practice import wait_for


@dataclass(frozen=True)
class Story:
    """What happens at the processor after the payer has pressed a button, and how it ends."""

    way: str
    deeds: tuple[tuple[str, dict[str, str]], ...]
    payment: str
    order: str
    events: tuple[str, ...]
    is_issued: bool


STORIES = [
    pytest.param(
        Story("bank", (("settle", {}),), "paid", "paid", ("payment.processing", "payment.paid"), is_issued=True),
        id="a bank debit that settles",
    ),
    pytest.param(
        Story("bank", (("fail", {}),), "failed", "open", ("payment.processing", "payment.failed"), is_issued=False),
        id="a bank debit that fails",
    ),
    pytest.param(
        Story(
            "card",
            (("refund", {"amount": "4"}), ("refund", {})),
            "refunded",
            "refunded",
            ("payment.paid", "payment.partly_refunded", "payment.refunded", "order.refunded"),
            is_issued=True,
        ),
        id="a refund in two parts",
    ),
    pytest.param(
        Story(
            "card",
            (("dispute", {}), ("win", {})),
            "paid",
            "paid",
            ("payment.paid", "payment.disputed", "payment.paid"),
            is_issued=True,
        ),
        id="a dispute that the city wins",
    ),
]


def goes_on(world: World, truth: Truth, processor: Processor, story: Story) -> None:
    """The payer presses a button, then the processor does its deeds, and the portal hears of each."""
    owed = owe(world.database.engine, clock=world.clock, accepted=True)
    payer = Payer.of(world, owed)
    card_page = payer.go_to_card_page()
    deeds: list[Callable[[], None]] = [lambda: payer.act(card_page, story.way)]
    deeds += [lambda deed=deed, more=more: processor.deed(card_page, deed, **more) for deed, more in story.deeds]
    for deed in deeds:
        deed()
        wait_for(processor.all_delivered)
    told = [kind for kind in truth.events(owed) if kind.startswith(("payment.", "order."))]
    assert [kind for kind in told if kind in story.events] == list(story.events)
    assert truth.states(owed) == [story.payment]
    assert truth.order_state(owed) == story.order
    assert truth.issued(owed) == [story.is_issued]
    assert truth.events(owed).count("license.issued") == story.is_issued
    truth.wait_for_letters(owed)


@pytest.mark.parametrize("story", STORIES)
def test_the_web_may_be_killed_at_any_step_of_hearing_about(world, truth, processor, story):
    def walk() -> None:
        goes_on(world, truth, processor, story)

    def where(step: Step) -> bool:
        return is_telling(step) and "processor_event" in step.said

    said = sweep(world, walk, victim=WEB, relays=(WEBHOOK_DOOR, WEB_DATABASE), where=where)
    assert len(said) >= 1 + len(story.deeds)
    truth.numbers_are_whole()

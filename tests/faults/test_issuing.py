"""The console is killed while an officer decides: every license is issued once, and every number is given once."""

from contextlib import ExitStack

from tests.faults.people import Officer
from tests.faults.sweep import sweep
from tests.faults.truth import Truth
from tests.faults.world import CONSOLE, CONSOLE_DATABASE, World
from tests.support.owing import owe, take_at_counter
from tests.support.practice import wait_for

AT_ONCE = 10
ISSUED = "SELECT count(*) FROM animal_control.license WHERE state = 'issued'"


def is_paid_at_the_counter_and_accepted(world: World, truth: Truth, officer: Officer) -> None:
    """Staff take the money, then the officer accepts the certificate, which issues the license."""
    owed = owe(world.database.engine, clock=world.clock)
    officer.take_payment(owed)
    officer.accept(owed)
    truth.paid_and_issued_once(owed, by_card=False)


def test_the_console_may_be_killed_at_any_step_of_issuing(world, truth, officer):
    def walk() -> None:
        is_paid_at_the_counter_and_accepted(world, truth, officer)

    said = sweep(world, walk, victim=CONSOLE, relays=(CONSOLE_DATABASE,))
    assert any("INSERT license_counter" in one for one in said)
    truth.numbers_are_whole()


def test_c1_ten_licenses_issued_at_once_get_ten_numbers_though_some_consoles_are_killed(world, truth, officer):
    owing = [owe(world.database.engine, clock=world.clock) for _ in range(AT_ONCE)]
    for owed in owing:
        take_at_counter(world.database.engine, owed, clock=world.clock)
    with ExitStack() as stack:
        relay = world.relays[CONSOLE_DATABASE]
        relay.hold()
        stack.callback(relay.release)
        commands = [
            world.command("certificate", "accept", str(owed.vaccination_ids[0]), "--officer", "officer@benson.example")
            for owed in owing
        ]
        wait_for(lambda: relay.holds == AT_ONCE)
        for killed in commands[::3]:
            killed.kill()
            world.figures.kills += 1
    for command in commands:
        command.wait()
    for owed in owing:
        officer.accept(owed)
        truth.paid_and_issued_once(owed, by_card=False)
    assert world.database.value(ISSUED) == AT_ONCE
    truth.numbers_are_whole()

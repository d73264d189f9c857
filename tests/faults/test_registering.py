"""The web process is killed while a registration is sent: it arrives, and arrives once."""

from concurrent.futures import ThreadPoolExecutor

import requests

from portal.services.draft_answers import CertificateAnswers
from tests.faults.drafts import answered_draft
from tests.faults.people import Resident, until_it_works
from tests.faults.relay import Step
from tests.faults.sweep import is_telling, sweep
from tests.faults.truth import Truth
from tests.faults.world import FRONT_DOOR, WEB, WEB_DATABASE, World
from tests.support.pages import Form
from tests.support.practice import wait_for

CHECK = "/register/check"
REGISTERED = """
    SELECT count(DISTINCT k.animal_id) AS dogs, count(DISTINCT l.id) AS licenses, count(DISTINCT o.id) AS orders,
        count(DISTINCT o.id) FILTER (WHERE o.state = 'open') AS open
    FROM portal.account a
    LEFT JOIN animal_control.keeper k USING (person_id)
    LEFT JOIN animal_control.license l USING (animal_id)
    LEFT JOIN animal_control.fee_order o USING (person_id)
    WHERE a.email = :email
"""
LETTERS = "SELECT template FROM portal.outgoing_message WHERE recipient = :email"


def is_sent(world: World, truth: Truth) -> None:
    """Press “Send”; when no answer comes, send the same form once more, as a browser offers to."""
    account_id, email, _ = answered_draft(
        world.database.engine, clock=world.clock, certificate=CertificateAnswers(is_later=True)
    )
    resident = Resident(world, account_id)
    form = until_it_works(lambda: resident.form(CHECK, on=CHECK))
    filled = form.filled({"is_true": True}, button=None)
    answer = until_it_works(lambda: resident.send(CHECK, filled))
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/pay/")
    assert resident.visit(answer.headers["Location"]).h1.startswith("Pay ")
    world.figures.accepted += 1
    registered_once(world, email)


def registered_once(world: World, email: str) -> None:
    (found,) = world.database.rows(REGISTERED, email=email)
    assert (found.dogs, found.licenses, found.orders, found.open) == (1, 1, 1, 1)
    assert [row.template for row in world.database.rows(LETTERS, email=email)] == ["application_received"]


def test_the_web_may_be_killed_at_any_step_of_sending_a_registration(world, truth):
    def where(step: Step) -> bool:
        return is_telling(step) and (step.relay == FRONT_DOOR or "fee_order" in step.said)

    said = sweep(world, lambda: is_sent(world, truth), victim=WEB, relays=(FRONT_DOOR, WEB_DATABASE), where=where)
    assert any("INSERT fee_order" in one for one in said)


def test_a_registration_open_in_two_tabs_and_sent_from_both_at_once_arrives_once(world):
    account_id, email, _ = answered_draft(
        world.database.engine, clock=world.clock, certificate=CertificateAnswers(is_later=True)
    )
    tabs = [Resident(world, account_id) for _ in range(2)]
    forms = [tab.form(CHECK, on=CHECK) for tab in tabs]
    database = world.relays[WEB_DATABASE]
    database.hold()
    with ThreadPoolExecutor() as hands:
        pressed = [hands.submit(_press, tab, form) for tab, form in zip(tabs, forms, strict=True) if form]
        wait_for(lambda: database.holds == len(tabs))
        database.release()
        answers = [one.result() for one in pressed]
    assert {answer.status_code for answer in answers} <= {200, 303, 422}
    registered_once(world, email)


def _press(tab: Resident, form: Form) -> requests.Response:
    answer = tab.send(CHECK, form.filled({"is_true": True}, button=None))
    assert answer is not None, "a failure of ours"
    return answer

"""C2: while a picture is read, a letter is handed over or the processor is asked, no transaction is open."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
import requests

from portal.services.draft_answers import CertificateAnswers
from tests.faults.drafts import answered_draft
from tests.faults.figures import Figures
from tests.faults.mail_server import running_mail_server
from tests.faults.people import Payer, Processor, Resident
from tests.faults.programs import Nursery
from tests.faults.world import WEB, WEB_PROCESSOR, WORKER, WORKER_MAIL, WORKER_PROCESSOR, World, running_world
from tests.support.cluster import Cluster
from tests.support.owing import Owed, owe, take_at_counter
from tests.support.practice import wait_for

PHOTO = Path(__file__).parents[1] / "samples" / "certificate-photo-iphone.heic"
SUBMITS = 20
READER = "pictures_child.py"
OPEN = """
    SELECT application_name, state, query FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND application_name IN ('portal_web', 'portal_worker') AND xact_start IS NOT NULL
"""
CHOSEN = "SELECT count(*) FROM animal_control.fee_order WHERE counter_chosen_at IS NOT NULL"


@pytest.fixture
def world(nursery: Nursery, cluster: Cluster, figures: Figures) -> Iterator[World]:
    """The same, with a mail server."""
    url = cluster.fresh_database()
    with (
        running_mail_server() as server,
        running_world(nursery, url, figures, mail_address=server.address) as world,
    ):
        yield world
    cluster.drop(url)


def nothing_is_open(world: World) -> bool:
    """No connection of the portal holds a transaction, at work or idle."""
    return world.database.rows(OPEN) == []


def test_twenty_submits_succeed_while_a_photo_is_being_read(world):
    owing = [owe(world.database.engine, clock=world.clock) for _ in range(SUBMITS)]
    account_id, _, dog_id = answered_draft(world.database.engine, clock=world.clock, certificate=CertificateAnswers())
    uploader, page = Resident(world, account_id), f"/register/animals/{dog_id}/certificate"
    upload = {"file": (PHOTO.read_bytes(), PHOTO.name)}
    with ThreadPoolExecutor(SUBMITS + 1) as hands:
        sent = hands.submit(uploader.press, page, on=page, answers=upload)
        reader = wait_for(lambda: _reader(world))
        reader.suspend()
        wait_for(lambda: nothing_is_open(world))
        answers = list(hands.map(lambda owed: _choose_counter(world, owed), owing))
        assert [answer.status_code for answer in answers] == [303] * SUBMITS
        assert world.database.value(CHOSEN) == SUBMITS
        assert reader.status() == psutil.STATUS_STOPPED, "the photo was still being read"
        assert nothing_is_open(world)
        reader.resume()
        assert sent.result().headers["Location"].endswith("/certificate/details")


def test_no_transaction_is_open_while_the_processor_is_asked_for_its_page(world):
    owed = owe(world.database.engine, clock=world.clock)
    payer, processor = Payer.of(world, owed), world.relays[WEB_PROCESSOR]
    processor.hold()
    with ThreadPoolExecutor(1) as hands:
        pressed = hands.submit(payer.go_to_card_page)
        wait_for(lambda: processor.holds)
        assert nothing_is_open(world)
        assert world.database.value("SELECT state FROM animal_control.payment") == "pending", "P2: kept before asking"
        processor.release()
        pressed.result()


def test_no_transaction_is_open_while_a_letter_is_handed_over(world):
    mail = world.relays[WORKER_MAIL]
    mail.hold()
    owe(world.database.engine, clock=world.clock, accepted=True)
    wait_for(lambda: mail.holds)
    wait_for(lambda: nothing_is_open(world))
    assert mail.holds, "it was still being handed over"
    mail.release()
    wait_for(lambda: world.database.value("SELECT count(*) FROM portal.outgoing_message WHERE sent_at IS NULL") == 0)


def test_no_transaction_is_open_while_the_processor_is_asked_to_give_money_back(world):
    owed = owe(world.database.engine, clock=world.clock)
    payer, processor = Payer.of(world, owed), world.relays[WORKER_PROCESSOR]
    card_page = payer.go_to_card_page()
    take_at_counter(world.database.engine, owed, clock=world.clock)
    payer.act(card_page)
    wait_for(Processor(world).all_delivered)
    processor.hold()
    world.kill(WORKER)
    wait_for(lambda: processor.holds)
    wait_for(lambda: nothing_is_open(world))
    assert processor.holds, "it was still being asked"
    processor.release()
    wait_for(lambda: Processor(world).charged(owed) == [])


def _reader(world: World) -> psutil.Process | None:
    """The process in which the web process has a picture read."""
    children = psutil.Process(world.running[WEB].pid).children()
    return next((child for child in children if any(READER in part for part in child.cmdline())), None)


def _choose_counter(world: World, owed: Owed) -> requests.Response:
    page = f"/pay/{owed.order_id}"
    return Payer.of(world, owed).press(f"{page}/counter", on=page)

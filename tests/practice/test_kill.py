"""A practice processor killed without warning forgets nothing that it answered."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from portal.gateways.payments.processor import EventKind
from portal.gateways.payments.stripe_checkout import StripeCheckout
from tests.practice.conftest import checkout_request, post
from tests.support.practice import free_socket, receiving, url_of, wait_for

ROOT = Path(__file__).parents[2]


@contextmanager
def process(folder: Path, url: str, webhook_url: str) -> Iterator[None]:
    """The app as a process; on the way out it is killed with signal 9."""
    port = url.rpartition(":")[2]
    command = [sys.executable, "-m", "tests.practice.serve", str(folder), port, webhook_url]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: answers(url))
        yield
    finally:
        child.kill()
        child.wait()


def answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).ok
    except requests.ConnectionError:
        return False


@pytest.mark.parametrize("_time", range(3))
def test_a_payment_taken_just_before_the_kill_is_told_after_it(tmp_path, _time):
    with free_socket() as listener:
        url = url_of(listener)
    processor = StripeCheckout(secret_key="sk_test_practice", webhook_secret="whsec_practice", api_base=url)
    asked = checkout_request()
    with receiving() as webhooks:
        with process(tmp_path, url, "http://127.0.0.1:9/nobody-is-there"):
            checkout = processor.open_checkout(asked)
        with process(tmp_path, url, "http://127.0.0.1:9/nobody-is-there"):
            assert processor.open_checkout(asked) == checkout
            assert post(f"{url}/c/pay/{checkout.reference}", way="card").status_code == 303
        with process(tmp_path, url, webhooks.url):
            (paid,) = wait_for(lambda: webhooks.read_by(processor))
            assert (paid.kind, paid.payment_id) == (EventKind.PAID, asked.payment_id)
            assert processor.read_checkout(checkout.reference).is_paid

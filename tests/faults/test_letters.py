"""The worker is killed while it delivers a letter: the letter comes, and once more only if it had been handed over."""

from collections.abc import Iterator

import pytest

from tests.faults.figures import Figures
from tests.faults.mail_server import MailServer, running_mail_server
from tests.faults.programs import Nursery
from tests.faults.relay import Step
from tests.faults.sweep import is_telling, sweep
from tests.faults.truth import Truth, truth_about
from tests.faults.world import WORKER, WORKER_DATABASE, WORKER_MAIL, World, running_world
from tests.support.cluster import Cluster
from tests.support.owing import owe


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def world(nursery: Nursery, cluster: Cluster, figures: Figures, mail_server: MailServer) -> Iterator[World]:
    """The same, with letters handed to a real mail server."""
    url = cluster.fresh_database()
    with running_world(nursery, url, figures, mail_address=mail_server.address) as world:
        yield world
    cluster.drop(url)


@pytest.fixture
def truth(world: World, mail_server: MailServer) -> Truth:
    return truth_about(world, lambda: list(mail_server.taken))


def test_the_worker_may_be_killed_at_any_step_of_delivering_a_letter(world, truth, figures):
    def walk() -> None:
        owed = owe(world.database.engine, clock=world.clock, accepted=True)
        truth.letters_came(owed, "certificate_accepted")

    def where(step: Step) -> bool:
        return step.relay == WORKER_MAIL or is_telling(step)

    said = sweep(world, walk, victim=WORKER, relays=(WORKER_DATABASE, WORKER_MAIL), where=where)
    assert {"EHLO", "MAIL", "RCPT", "DATA", "the letter", "QUIT", "COMMIT UPDATE outgoing_message"} <= set(said)
    # Handed over and not noted: after the letter was taken, at both ends of the good-bye, and before the note arrived.
    assert 0 < figures.letters_sent_again <= figures.kills / 2

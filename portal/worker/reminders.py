"""The job that reminds people of what is due: by day alone, and each of them once, however many workers there are."""

from collections.abc import Callable
from functools import partial

from portal.ordinance.texting import is_decent
from portal.services.remind_of_certificates import CERTIFICATES
from portal.services.remind_of_licenses import PUPPIES, RENEWALS
from portal.services.remind_of_the_unfinished import UNFINISHED, UNPAID_ORDERS
from portal.services.reminding import Sort, remind
from portal.worker.parts import Parts
from portal.worker.schedule import one_by_one

SORTS = (RENEWALS, CERTIFICATES, PUPPIES, UNPAID_ORDERS, UNFINISHED)


def send_reminders(parts: Parts, stopping: Callable[[], bool]) -> None:
    """Queue every reminder that is due; one kind that fails does not hold up the others."""
    gateways = parts.gateways
    if is_decent(gateways.clock.now().astimezone(gateways.city.time_zone).time()):
        one_by_one("kind of reminder", SORTS, partial(_send, parts, stopping), stopping=stopping)


def _send(parts: Parts, stopping: Callable[[], bool], sort: Sort) -> None:
    """A page of accounts in each transaction."""
    gateways, after, is_done = parts.gateways, None, False
    while not is_done and not stopping():
        with parts.transaction() as session:
            after = remind(session, sort, after, city=gateways.city, clock=gateways.clock, secret_key=parts.secret_key)
        is_done = after is None

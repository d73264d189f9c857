"""The job that reminds people of what is due: by day alone, and each of them once, however many workers there are."""

from collections.abc import Callable
from functools import partial
from itertools import islice

from portal.ordinance.texting import is_decent
from portal.services.reminders.certificates import CERTIFICATES
from portal.services.reminders.dangerous_dogs import DANGEROUS_DOGS, WRITTEN_NOTICES
from portal.services.reminders.licenses import PUPPIES, RENEWALS
from portal.services.reminders.reminding import Sort, accounts_to_remind, remind
from portal.services.reminders.unfinished import UNFINISHED, UNPAID_ORDERS
from portal.worker.parts import Parts
from portal.worker.schedule import one_by_one

ACCOUNTS_A_PAGE = 500
SORTS = (RENEWALS, CERTIFICATES, PUPPIES, DANGEROUS_DOGS, WRITTEN_NOTICES, UNPAID_ORDERS, UNFINISHED)


def send_reminders(parts: Parts, stopping: Callable[[], bool]) -> None:
    """Queue every reminder that is due; one kind that fails does not hold up the others."""
    gateways = parts.gateways
    if is_decent(gateways.clock.now().astimezone(gateways.city.time_zone).time()):
        one_by_one("kind of reminder", SORTS, partial(_send, parts, stopping), stopping=stopping)


def _send(parts: Parts, stopping: Callable[[], bool], sort: Sort) -> None:
    """Some accounts in each transaction."""
    city, clock = parts.gateways.city, parts.gateways.clock
    with parts.transaction() as session:
        waiting = iter(accounts_to_remind(session, sort, city=city, clock=clock))
    while not stopping() and (some := list(islice(waiting, ACCOUNTS_A_PAGE))):
        with parts.transaction() as session:
            remind(session, sort, some, city=city, clock=clock, secret_key=parts.secret_key)

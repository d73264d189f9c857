"""The job that asks whether notices still hold and hides old ones: by day alone, a batch in each transaction."""

from collections.abc import Callable

from portal.ordinance.texting import is_decent
from portal.services.reminders.notices import A_BATCH, ask_about_notices, hide_old_notices
from portal.worker.parts import Parts


def mind_notices(parts: Parts, stopping: Callable[[], bool]) -> None:
    """Hide first: whoever is hidden today is not asked today as well."""
    gateways = parts.gateways
    if not is_decent(gateways.clock.now().astimezone(gateways.city.time_zone).time()):
        return
    for deed in (hide_old_notices, ask_about_notices):
        done = A_BATCH
        while done == A_BATCH and not stopping():
            with parts.transaction() as session:
                done = deed(session, clock=gateways.clock)

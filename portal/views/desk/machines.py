"""For machines: whether the desk can work, and how much waits there for people."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.gateways.measures import Gauge
from portal.services.desk.queue import look
from portal.services.watching.measuring import gauges, measure
from portal.views import health
from portal.views.desk.access import Desk, open_to
from portal.views.desk.prefix import PREFIX
from portal.views.desk.registry import KINDS
from portal.views.metrics import check_token, told
from portal.views.work import gateways, reading

blueprint = Blueprint("machines", __name__, url_prefix=PREFIX)


@blueprint.get("/health/live")
@open_to(Desk.ANYONE)
def live() -> ResponseReturnValue:
    """The process answers."""
    return health.alive()


@blueprint.get("/health/ready")
@open_to(Desk.ANYONE)
def ready() -> ResponseReturnValue:
    """As for the public pages; behind a balancer the desk is asked by itself."""
    return health.as_answer(health.readiness())


@blueprint.get("/metrics")
@open_to(Desk.ANYONE)
def metrics() -> ResponseReturnValue:
    """What only the desk may count, with what the public pages count too: each kind of item, and how many are late."""
    check_token()
    return told([*_queues(), *gauges(measure(reading(), clock=gateways().clock))])


def _queues() -> list[Gauge]:
    """One statement a kind. Late are those of the oldest fifty: beyond that the number matters no more."""
    city, clock = gateways().city, gateways().clock
    found = look(reading(), [kind.queue for kind in KINDS], city=city, clock=clock)
    waiting = tuple((one.queue.kind, float(one.count)) for one in found)
    late = tuple((one.queue.kind, float(sum(line.due_on < clock.today() for line in one.lines))) for one in found)
    return [
        Gauge("portal_desk_waiting", "What waits at the desk.", "kind", waiting),
        Gauge("portal_desk_overdue", "What should have been done there, of the oldest fifty of a kind.", "kind", late),
    ]

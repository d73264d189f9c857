"""The queue: everything that waits for somebody at the desk, the oldest promise first."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from portal.services.desk.queue import SHOWN_OF_A_KIND, SHOWN_OF_ALL, in_order, look
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.desk.registry import item_url, queues_of
from portal.views.work import gateways, reading

blueprint = Blueprint("queue", __name__, url_prefix=PREFIX)


@blueprint.get("")
@open_to(Desk.CLERK)
def show() -> ResponseReturnValue:
    """All of it, or one kind with `?kind=`."""
    queues, wanted = queues_of(member()), request.args.get("kind") or None
    if wanted and wanted not in {queue.kind for queue in queues}:
        abort(404)
    found = look(reading(), queues, kind=wanted, city=gateways().city, clock=gateways().clock)
    lines = in_order(found)[: SHOWN_OF_A_KIND if wanted else SHOWN_OF_ALL]
    return page(
        "desk/queue.html",
        found=found,
        lines=[(queue, line, item_url(queue, line)) for queue, line in lines],
        shown=sum(line.stands_for for _queue, line in lines),
        count=sum(one.count for one in found if wanted in (None, one.queue.kind)),
        all_count=sum(one.count for one in found),
        wanted=next((queue for queue in queues if queue.kind == wanted), None),
        today=gateways().clock.today(),
    )

"""What the pages of all kinds of items share: the version seen, who else has it open, and where to go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from portal.forms.desk import DecisionForm
from portal.services.desk.queue import Queue, in_order, look
from portal.services.desk.seen import (
    also_open,
    expect_version,
    last_happened,
    note_closing,
    note_opening,
    version_of,
)
from portal.views.answers import see_other
from portal.views.desk.desk_words import say
from portal.views.desk.identity import member
from portal.views.desk.registry import item_url
from portal.views.work import gateways, reading, transaction

# The one table that the desk decides about and may not look at.
OUT_OF_SIGHT = "outgoing_message"


@contextmanager
def deciding(
    queue: Queue,
    model: Any,
    item_id: UUID,
    form: DecisionForm,
    *,
    first: Callable[[Session, UUID], None] | None = None,
    rows: ColumnElement[bool] | None = None,
) -> Iterator[Session]:
    """The one transaction of a decision. The row is locked, and must be as it was seen.

    `first` locks what everybody locks before such a row; `rows` are all that is decided with it.

    Without a `model`, of rows that the desk may not look at, the deed itself notices who was first.
    """
    with transaction() as db:
        if first is not None:
            first(db, item_id)
        if model is not None:
            expect_version(db, model, item_id, form.seen.data or "", rows=rows)
        yield db
        note_closing(db, kind=queue.kind, item_id=item_id, staff_id=member().staff_id)


def decided(queue: Queue, sentence: str, *, after: UUID | None = None) -> ResponseReturnValue:
    """Say what was done, and go on to the next of its kind, or back to the queue when there is none.

    `after` is an item that may still wait: whoever asked a reporter something does not come back to it at once.
    """
    say(sentence)
    found = look(reading(), [queue], kind=queue.kind, city=gateways().city, clock=gateways().clock)
    lines = [line for _, line in in_order(found)]
    place = next((number for number, line in enumerate(lines) if line.item_id == after), None)
    rest = lines if place is None else lines[place + 1 :]
    return see_other(item_url(queue, rest[0]) if rest else url_for("queue.show"))


def item_page(
    template: str,
    queue: Queue,
    model: Any,
    item_id: UUID,
    form: DecisionForm,
    *,
    rows: ColumnElement[bool] | None = None,
    **context: object,
) -> ResponseReturnValue:
    """The item as it is now, with who else has it open. The second of two reads what the first did, and gets 409."""
    table = model.__tablename__ if model is not None else OUT_OF_SIGHT
    seen = version_of(reading(), model, item_id, rows=rows) if model is not None else ""
    mine = {"item_id": item_id, "staff_id": member().staff_id}
    if request.method == "GET":
        with transaction() as db:
            note_opening(db, kind=queue.kind, **mine, clock=gateways().clock)
    others = also_open(reading(), kind=queue.kind, **mine, clock=gateways().clock)
    happened = last_happened(reading(), table, item_id) if form.has_changed else None
    form.seen.data = seen
    status = 409 if form.has_changed else 422 if form.is_submitted() and form.problems else 200
    return render_template(
        template, form=form, queue=queue, others=others, happened=happened, is_error=status == 409, **context
    ), status

"""Write to whoever owes an order."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.orders import Order, OrderLine
from portal.services.messages.queue_message import queue_message


def tell_payer(session: Session, order: Order, *, template: str, clock: Clock, **more: str | int | None) -> None:
    """Queue the letter; it knows the order's lines, total and page besides `more`."""
    wanted = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.description)
    lines = session.scalars(wanted).all()
    context = {
        "reference": order.reference,
        "total_cents": order.total_cents,
        "lines": [
            {"description": line.description, "amount_cents": line.amount_cents, "kind": line.kind.value}
            for line in lines
        ],
        "path": f"/pay/{order.id}",
        **more,
    }
    for email in session.scalars(select(Account.email).where(Account.person_id == order.person_id)):
        queue_message(session, to=email, template=template, context=context, at=clock.now())

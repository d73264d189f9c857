"""Reminders of what somebody began: an order that is not paid (90.04(B)(4)), an application that was not sent."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, Select, exists, func, select

from portal.city import City
from portal.ordinance.days import ONE_DAY
from portal.ordinance.reminders import after, days_in_question
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState
from portal.schema.dangerous import DangerousRegistration
from portal.schema.drafts import Draft
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, OrderState, Payment, PaymentState
from portal.schema.reminders import ReminderKind
from portal.schema.tag_requests import TagRequest
from portal.services.orders.standing import UNSETTLED
from portal.services.reminders.reminding import Asking, Sort, Thing, reminders_of

# While a card page is open, money is on its way or is in question, there is nothing for the person to do.
NOT_WAITING_FOR_THEM = (*UNSETTLED, PaymentState.MISMATCH)


def _unpaid(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """Open orders that wait for the person's money, for at least one dog that is kept."""
    first, last = days_in_question(steps, on=asking.today)
    names = (
        select(func.array_agg(Animal.name.distinct()))
        .select_from(OrderLine)
        .outerjoin(TagRequest, TagRequest.id == OrderLine.tag_request_id)
        .outerjoin(License, License.id == func.coalesce(OrderLine.license_id, TagRequest.license_id))
        .outerjoin(DangerousRegistration, DangerousRegistration.id == OrderLine.dangerous_registration_id)
        .join(Animal, Animal.id == func.coalesce(License.animal_id, DangerousRegistration.animal_id))
        .where(OrderLine.order_id == Order.id, Animal.state == AnimalState.KEPT)
        .scalar_subquery()
    )
    found = reminders_of(
        ReminderKind.UNPAID_ORDER,
        Order.id,
        Order.reference,
        Order.total_cents,
        Order.counter_chosen_at,
        Order.created_at,
        names.label("names"),
    )
    return (
        found.join(Order, Order.person_id == Account.person_id)
        .where(
            Order.state == OrderState.OPEN,
            Order.total_cents > 0,
            Order.created_at >= asking.beginning_of(first),
            Order.created_at < asking.beginning_of(last + ONE_DAY),
            names.is_not(None),
            ~exists().where(Payment.order_id == Order.id, Payment.state.in_(NOT_WAITING_FOR_THEM)),
        )
        .order_by(Order.created_at, Order.id)
    )


def _order(row: Row[Any], asking: Asking) -> Thing:
    told = {
        "order_id": str(row.subject_id),
        "reference": row.reference,
        "total_cents": row.total_cents,
        "at_counter": row.counter_chosen_at is not None,
        "animals": row.names,
    }
    return Thing(asking.civil(row.created_at), None, told)


def _unpaid_letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    orders = [
        {
            "animals": thing["animals"],
            "reference": thing["reference"],
            "total_cents": thing["total_cents"],
            "at_counter": thing["at_counter"],
            "path": opens(f"/pay/{thing['order_id']}{'/slip' if thing['at_counter'] else ''}"),
        }
        for thing in things
    ]
    return {"orders": orders}


def _unfinished(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """Drafts with at least one animal that were begun and not sent."""
    first, last = days_in_question(steps, on=asking.today)
    touched_on = asking.civil_column(Draft.updated_at)
    begun = Draft.answers["animals"]
    found = reminders_of(
        ReminderKind.UNFINISHED,
        Draft.id,
        touched_on.label("touched_on"),
        begun.label("animals"),
        due_on=touched_on,
    )
    return found.join(Draft, Draft.account_id == Account.id).where(
        Draft.submitted_at.is_(None),
        Draft.updated_at >= asking.beginning_of(first),
        Draft.updated_at < asking.beginning_of(last + ONE_DAY),
        func.jsonb_array_length(begun) > 0,
    )


def _draft(row: Row[Any], asking: Asking) -> Thing:
    return Thing(row.touched_on, None, {"animals": [one["name"] for one in row.animals if one.get("name")]})


def _unfinished_letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    """An account has one open draft."""
    return {"animals": things[0]["animals"], "path": opens("/register/resume")}


def _unpaid_steps(city: City) -> tuple[int, ...]:
    return after(city.reminders.unpaid_days)


def _unfinished_steps(city: City) -> tuple[int, ...]:
    return after(city.reminders.unfinished_days)


UNPAID_ORDERS = Sort(ReminderKind.UNPAID_ORDER, _unpaid_steps, _unpaid, _order, _unpaid_letter)
UNFINISHED = Sort(ReminderKind.UNFINISHED, _unfinished_steps, _unfinished, _draft, _unfinished_letter)

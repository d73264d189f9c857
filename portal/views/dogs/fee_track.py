"""The first of a dog's four tracks: the fee, or that none is due (90.04(B)(4), 90.04(C))."""

from functools import partial

from flask import url_for

from portal.schema.licenses import WaiverState
from portal.schema.orders import OrderState, PaymentState
from portal.services.animals.dogs_kept import LicenseKept, OrderKept
from portal.views.dogs.look import DONE, NOW, PROBLEM, WAITING, Link, Look, Track
from portal.views.words import day, money


def paid_track(license_: LicenseKept, look: Look) -> Track:
    """90.04(B)(4): the fee, or that none is due (90.04(C))."""
    police = look.city.police
    if license_.is_waived:
        return _waiver_track(license_, look)
    order = license_.order
    if order is None:
        label, state = ("Paid", DONE) if license_.is_issued else ("Pay at the counter", PROBLEM)
        return Track(label, state, f"{police.name}, {', '.join(police.address)}.")
    if order.state is OrderState.OPEN:
        return _owed_track(order, look)
    receipt = Link(partial(url_for, "pay.receipt", order_id=order.id), "Receipt") if _is_mine(order, look) else None
    if order.state is OrderState.REFUNDED:
        return Track("Paid back", DONE, f"{money(order.amount_cents)} went back to you.", receipt)
    if order.settled_state is PaymentState.DISPUTED:
        return Track("Payment in question", NOW, f"Your bank asked for it back. {police.name} looks into it.")
    if order.amount_cents == 0:
        return Track("Nothing to pay", DONE, "", receipt)
    return Track("Paid", DONE, f"{money(order.amount_cents)} on {day(order.paid_at)}.", receipt)


def _waiver_track(license_: LicenseKept, look: Look) -> Track:
    police = look.city.police
    if license_.waiver_state is WaiverState.CONFIRMED:
        return Track("No fee", DONE, f"{police.name} confirmed it.")
    return Track("No fee, to be confirmed", NOW, f"{police.name} confirms it. There is nothing to pay meanwhile.")


def _owed_track(order: OrderKept, look: Look) -> Track:
    police, due = look.city.police, money(order.amount_cents)
    if order.is_in_question:
        return Track("Payment in question", NOW, f"What came is not what was asked. {police.name} looks into it.")
    if order.attempt_state is PaymentState.PROCESSING:
        return Track("Payment on its way", NOW, "Your bank takes a few days. You get a message when it is here.")
    if not _is_mine(order, look):
        return Track("Not paid yet", WAITING, "The person who applied pays the fee.")
    others = "" if order.total_cents == order.amount_cents else f" {money(order.total_cents)} with your other dogs."
    if order.counter_chosen_at:
        slip = Link(partial(url_for, "pay.slip", order_id=order.id), "Payment slip")
        return Track(
            f"{due} to pay at the counter", PROBLEM, f"{police.name}, {', '.join(police.address)}.{others}", slip
        )
    return Track(
        f"{due} to pay", PROBLEM, others.strip(), Link(partial(url_for, "pay.show", order_id=order.id), "Pay now")
    )


def _is_mine(order: OrderKept, look: Look) -> bool:
    """A receipt and a slip are for the person the order is of, not for everyone who keeps the dog."""
    return order.person_id == look.person_id

"""Accounts of the city's books that fees went to, to choose one of."""

from wtforms import SelectChoice

from portal.forms.choices import choice
from portal.schema.orders import Payment
from portal.services.payments.hand_over import accounts_left
from portal.views.words import money
from portal.views.work import reading


def account_choices(payment: Payment, *, at_least: int = 1) -> list[SelectChoice]:
    """What of a payment is left on each that has so much."""
    return [
        choice(one.ledger_code, one.fees, f"{one.ledger_code}, {money(one.left_cents)} left")
        for one in accounts_left(reading(), payment)
        if one.left_cents >= at_least
    ]

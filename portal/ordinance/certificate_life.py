"""How long an accepted rabies certificate is good for, and when to ask for the next (90.04(D)(1))."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.ordinance.rabies import Gate


class Life(StrEnum):
    """Where an accepted certificate is in its life. A license that was issued on it stays in force (90.04(B)(5))."""

    GOOD = "good"
    ENDING = "ending"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedDates:
    """The two intervals of a certificate, and the day somebody accepted it."""

    ordinance_until: date | None
    certificate_due: date | None
    accepted_on: date


def good_until(dates: AcceptedDates, gate: Gate) -> date | None:
    """90.04(D)(1) read with the city's gate: the last day on which the certificate counts.

    Under the strictest gate it is the earlier of the two intervals. One that had passed already when a person accepted
    the certificate was looked at then, and no longer counts against it.
    """
    if gate is Gate.ORDINANCE:
        return dates.ordinance_until or dates.certificate_due
    if gate is Gate.CERTIFICATE:
        return dates.certificate_due or dates.ordinance_until
    ends = [day for day in (dates.ordinance_until, dates.certificate_due) if day]
    ahead = [day for day in ends if day >= dates.accepted_on]
    return min(ahead) if ahead else max(ends, default=None)


def life(good_to: date | None, *, on: date, reminder_days: Collection[int]) -> Life:
    """90.04(D)(1): ending from the first reminder on, over on the day after its last; without a date it is good."""
    if good_to is None:
        return Life.GOOD
    if good_to < on:
        return Life.OVER
    return Life.ENDING if good_to - on <= timedelta(days=max(reminder_days, default=0)) else Life.GOOD

"""A bite is told to the police at once (90.08(A)(1))."""

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.services.messages.queue_message import queue_message


def tell_police_at_once(
    session: Session,
    *,
    reference: str,
    place: str,
    animal: str,
    is_going_on: bool,
    city: City,
    clock: Clock,
    is_again: bool = False,
) -> None:
    """90.08(A)(1): a bite is reported promptly. The letter names the place and the animal, and nobody.

    `is_again`: whoever reported it before says that it happened again.
    """
    if city.police.email is None:
        return
    queue_message(
        session,
        to=city.police.email,
        template="report_urgent",
        context={
            "reference": reference,
            "where": place,
            "what": animal,
            "is_going_on": is_going_on,
            "is_again": is_again,
        },
        at=clock.now(),
        is_confidential=True,
    )

"""What the worker does for pets that are missing: their people hear of it when theirs is at the pound."""

from collections.abc import Callable
from functools import partial

from portal.services.tell_of_impounding import Turn, stays_to_tell_of, tell_of_stay
from portal.worker.parts import Parts
from portal.worker.schedule import all_in_turn

Stopping = Callable[[], bool]


def tell_of_impounding(parts: Parts, stopping: Stopping) -> None:
    """Write to the keepers of animals at the pound, as soon as it is known whose they are."""
    all_in_turn("impoundment", partial(_stays_to_tell_of, parts), partial(_tell_of_stay, parts), stopping=stopping)


def _stays_to_tell_of(parts: Parts, after: Turn | None) -> list[Turn]:
    with parts.transaction() as session:
        return stays_to_tell_of(session, after=after)


def _tell_of_stay(parts: Parts, turn: Turn) -> None:
    gateways = parts.gateways
    _, impoundment_id = turn
    with parts.transaction() as session:
        tell_of_stay(session, impoundment_id, city=gateways.city, clock=gateways.clock)

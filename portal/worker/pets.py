"""What the worker does for missing pets: it compares them with those that were found, and tells their people."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from sqlalchemy.orm import Session

from portal.services.matching.match_pets import compare_notice, compare_stay, notices_to_compare, stays_to_compare
from portal.services.matching.tell_of_matches import Missing, missing_to_tell_of, tell_of_matches
from portal.services.pound.tell_of_impounding import Turn, stays_to_tell_of, tell_of_stay
from portal.worker.parts import Parts
from portal.worker.schedule import all_in_turn, one_by_one

Stopping = Callable[[], bool]


def tell_of_impounding(parts: Parts, stopping: Stopping) -> None:
    """Write to the keepers of animals at the pound, as soon as it is known whose they are."""
    all_in_turn("impoundment", partial(_stays_to_tell_of, parts), partial(_tell_of_stay, parts), stopping=stopping)


def match_pets(parts: Parts, stopping: Stopping) -> None:
    """Compare what is new or changed with the rest, both ways, and tell the people of missing pets what came of it."""
    one_by_one("notice", _due(parts, notices_to_compare), partial(_compare, parts, compare_notice), stopping=stopping)
    one_by_one("impoundment", _due(parts, stays_to_compare), partial(_compare, parts, compare_stay), stopping=stopping)
    all_in_turn("match", partial(_missing_to_tell_of, parts), partial(_tell_of_matches, parts), stopping=stopping)


def _due(parts: Parts, look: Callable[[Session], list[UUID]]) -> list[UUID]:
    with parts.transaction() as session:
        return look(session)


def _compare(parts: Parts, compare: Callable[..., None], key: UUID) -> None:
    gateways = parts.gateways
    with parts.transaction() as session:
        compare(session, key, city=gateways.city, clock=gateways.clock)


def _missing_to_tell_of(parts: Parts, after: Missing | None) -> list[Missing]:
    with parts.transaction() as session:
        return missing_to_tell_of(session, after=after, clock=parts.gateways.clock)


def _tell_of_matches(parts: Parts, missing: Missing) -> None:
    with parts.transaction() as session:
        tell_of_matches(session, missing, clock=parts.gateways.clock)


def _stays_to_tell_of(parts: Parts, after: Turn | None) -> list[Turn]:
    with parts.transaction() as session:
        return stays_to_tell_of(session, after=after)


def _tell_of_stay(parts: Parts, turn: Turn) -> None:
    gateways = parts.gateways
    _, impoundment_id = turn
    with parts.transaction() as session:
        tell_of_stay(session, impoundment_id, city=gateways.city, clock=gateways.clock)

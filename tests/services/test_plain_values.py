"""What is kept as plain values comes back as it was, at little cost."""

import linecache
from dataclasses import dataclass
from datetime import date
from uuid import UUID

import pytest

from portal.services.plain_values import plain_values


@dataclass(frozen=True)
class Seen:
    """Something with a key and a day."""

    key: UUID
    on: date


SEEN = Seen(UUID(int=7), date(2026, 11, 30))


def test_what_was_kept_comes_back_as_it_was() -> None:
    assert plain_values().loads(plain_values().dumps(SEEN), Seen) == SEEN


def test_what_another_release_wrote_beside_it_is_passed_over() -> None:
    kept = {**plain_values().unstructure(SEEN), "mood": "glad"}
    assert plain_values().structure(kept, Seen) == SEEN


def test_a_class_is_learned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To learn it is to write and compile a function: a millisecond, and as much to throw away."""
    plain_values().structure(plain_values().unstructure(SEEN), Seen)
    monkeypatch.setattr(linecache, "cache", {})
    assert plain_values().structure(plain_values().unstructure(SEEN), Seen) == SEEN
    assert linecache.cache == {}, "something was compiled"

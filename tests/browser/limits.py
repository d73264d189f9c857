"""Limits reached as people reach them."""

from contextlib import suppress

from portal.gateways.rate_limits import Limit, RateLimits, TooOften


def use_up(limits: RateLimits, limit: Limit, key: str) -> None:
    """Try until it is too often."""
    with suppress(TooOften):
        while True:
            limits.take(limit, key)

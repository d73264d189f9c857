"""What something costs, in words for whoever stands at the counter, before the clerk presses (90.18)."""

from portal.views.words import money
from portal.views.work import gateways

SAMPLE = "The fees are samples, not yet confirmed by the city."


def costs(cents: int) -> str:
    """$5.00, or nothing."""
    return money(cents) if cents else "nothing"


def sample_notes() -> tuple[str, ...]:
    """That they are samples, while the city has not confirmed them."""
    return (SAMPLE,) if gateways().city.is_sample("fees") else ()

"""What the sender of a picture might want to do better. Advice only: nothing is refused for it.

The thresholds were found on photographed certificates that were blurred and dimmed step by step: letters stay readable
above them. `tests/gateways/pictures/test_pictures_advice.py` walks the same steps.
"""

from enum import StrEnum

MEASURES = ("lightest", "span", "edges")

# Of 255 tones: paper in good light is above 200.
DARK_BELOW = 110
# A page with anything on it spans more tones.
EMPTY_BELOW = 25
# The hardest edges against the span of tones: sharp print has 0.4 and more.
BLURRED_BELOW = 0.12


class Advice(StrEnum):
    """What may be wrong with a page."""

    DARK = "dark"
    EMPTY = "empty"
    BLURRED = "blurred"


def advice_on(*, lightest: float, span: float, edges: float) -> tuple[Advice, ...]:
    """The advice for a page that measures like this."""
    found = []
    if lightest < DARK_BELOW:
        found.append(Advice.DARK)
    if span < EMPTY_BELOW:
        return (*found, Advice.EMPTY) if not found else tuple(found)
    if edges < BLURRED_BELOW:
        found.append(Advice.BLURRED)
    return tuple(found)

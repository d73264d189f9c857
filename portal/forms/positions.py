"""Where a phone is, beside a place as typed: only if its owner pressed the button."""

from math import isfinite

from wtforms import HiddenField

from portal.forms.base import PortalForm
from portal.forms.fields import ConfirmField


class Positioned(PortalForm):
    """`leaves_out` is asked only where a position is there to be taken back."""

    latitude = HiddenField()
    longitude = HiddenField()
    leaves_out = ConfirmField("Leave out where my phone was")

    def position(self) -> tuple[float | None, float | None]:
        """Where the phone is; nothing where it did not say, or not in numbers, or is not to say."""
        if self.leaves_out.data:
            return None, None
        latitude, longitude = _degrees(self.latitude.data, 90), _degrees(self.longitude.data, 180)
        return (latitude, longitude) if latitude is not None and longitude is not None else (None, None)

    def known_position(self) -> tuple[float | None, float | None]:
        """The same without 0, 0: so says a phone that does not know where it is."""
        found = self.position()
        return found if any(found) else (None, None)


def _degrees(typed: str | None, most: int) -> float | None:
    try:
        found = float(typed or "")
    except ValueError:
        return None
    return found if isfinite(found) and abs(found) <= most else None

"""Where a phone is, beside a place as typed: only if its owner pressed the button."""

from math import isfinite

from wtforms import HiddenField

from portal.forms.base import PortalForm


class Positioned(PortalForm):
    latitude = HiddenField()
    longitude = HiddenField()

    def position(self) -> tuple[float | None, float | None]:
        """Where the phone is; nothing where it did not say, or not in numbers."""
        latitude, longitude = _degrees(self.latitude.data, 90), _degrees(self.longitude.data, 180)
        return (latitude, longitude) if latitude is not None and longitude is not None else (None, None)


def _degrees(typed: str | None, most: int) -> float | None:
    try:
        found = float(typed or "")
    except ValueError:
        return None
    return found if isfinite(found) and abs(found) <= most else None

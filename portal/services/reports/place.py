"""Whether a place may lie outside the city. It is only ever said, and never a reason to refuse (R5)."""

import re

from portal.city import City

ZIP_CODE = re.compile(r"\b(\d{5})(?:-\d{4})?\s*$")


def may_be_outside(place: str, *, latitude: float | None, longitude: float | None, city: City) -> bool:
    """Another ZIP code at the end of what was typed, or a phone that stands elsewhere or does not know where."""
    typed = ZIP_CODE.search(place)
    if typed and typed[1] != city.zip_code:
        return True
    if latitude is None or longitude is None or city.area is None:
        return False
    return not city.area.holds(latitude, longitude)

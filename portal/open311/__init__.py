"""Reports by other software: Open311 GeoReport v2 at /open311/v2 (https://wiki.open311.org/GeoReport_v2)."""

from portal.open311 import discovery, requests, sending
from portal.open311.blueprint import blueprint

__all__ = ["blueprint", "discovery", "requests", "sending"]

"""The city is a file: its name, offices, holidays, fees and choices, read and checked when the portal starts."""

from portal.city.city import City, Retention
from portal.city.loading import load_city
from portal.city.reading import CityFileError

__all__ = ["City", "CityFileError", "Retention", "load_city"]

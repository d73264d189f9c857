"""Reading the city's file: every value is asked for by its place, and a bad one is named with what to do about it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, TypeVar

Item = TypeVar("Item")


class CityFileError(Exception):
    """A value in the city's file that cannot be used; the sentence names its place and what to do."""

    def __init__(self, key: str, what_to_do: str) -> None:
        super().__init__(f"{key}: {what_to_do}")
        self.key = key
        self.what_to_do = what_to_do


@dataclass
class Table:
    """One table of the file, which remembers its place and which of its keys were asked for."""

    place: str
    values: Mapping[str, Any]
    asked: set[str] = field(default_factory=set)

    def at(self, key: str) -> str:
        """The full place of a key, as an error names it."""
        return f"{self.place}.{key}" if self.place else key

    def has(self, key: str) -> bool:
        """Whether an optional value is there."""
        self.asked.add(key)
        return key in self.values

    def text(self, key: str) -> str:
        """A line of text that is not empty."""
        value = self._value(key)
        if not isinstance(value, str) or not value.strip():
            raise CityFileError(self.at(key), 'write some text between quotes, such as "Benson"')
        return value.strip()

    def whole(self, key: str, *, least: int, most: int) -> int:
        """A whole number between two bounds."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise CityFileError(self.at(key), f"write a whole number from {least} to {most}, without quotes")
        return value

    def degrees(self, key: str, *, most: int) -> float:
        """A place on the globe, in degrees north or east."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not -most <= value <= most:
            raise CityFileError(self.at(key), f"write degrees from {-most} to {most}, without quotes, such as 45.31")
        return float(value)

    def switch(self, key: str) -> bool:
        """True or false."""
        value = self._value(key)
        if not isinstance(value, bool):
            raise CityFileError(self.at(key), "write true or false, without quotes")
        return value

    def day(self, key: str) -> date:
        """A civil date."""
        return a_date(self._value(key), self.at(key))

    def items(self, key: str, item: Callable[[Any, str], Item]) -> tuple[Item, ...]:
        """A list in square brackets, each of its values read by `item`."""
        value = self._value(key)
        if not isinstance(value, list):
            raise CityFileError(self.at(key), "write a list in square brackets; [] is an empty one")
        return tuple(item(each, self.at(key)) for each in value)

    def table(self, key: str) -> "Table":
        """A table inside this one."""
        return a_table(self._value(key), self.at(key))

    def array(self, key: str) -> tuple["Table", ...]:
        """Tables of one name, each under its own [[heading]]; at least one."""
        value = self._value(key)
        if not isinstance(value, list) or not value:
            raise CityFileError(self.at(key), f"write at least one [[{key}]] table, as in portal/city/benson.toml")
        return tuple(a_table(each, f"{self.at(key)}[{number}]") for number, each in enumerate(value, start=1))

    def tables(self) -> Iterator[tuple[str, "Table"]]:
        """Every table inside this one, by its name; anything else among them is refused."""
        for key in self.values:
            yield key, self.table(key)

    def finish(self) -> None:
        """Refuse a key that nothing asked for: it is most likely misspelled."""
        for key in self.values:
            if key not in self.asked:
                raise CityFileError(self.at(key), "the portal knows no such key here; check its spelling or remove it")

    def _value(self, key: str) -> Any:
        self.asked.add(key)
        if key not in self.values:
            raise CityFileError(self.at(key), "this is missing; add it, as in portal/city/benson.toml")
        return self.values[key]


def a_table(value: Any, place: str) -> Table:
    """A table, wherever it stands."""
    if not isinstance(value, dict):
        raise CityFileError(place, f"write this as a table, as [{place}] in portal/city/benson.toml")
    return Table(place, value)


def a_date(value: Any, place: str) -> date:
    """A civil date; a date with a time of day is not one."""
    if isinstance(value, datetime) or not isinstance(value, date):
        raise CityFileError(place, "write a date without quotes, such as 2026-01-31")
    return value


def a_text(value: Any, place: str) -> str:
    """One line of a list of texts."""
    if not isinstance(value, str) or not value.strip():
        raise CityFileError(place, 'write each line as text between quotes, such as ["1410 Kansas Avenue"]')
    return value.strip()


def a_day_count(value: Any, place: str) -> int:
    """A number of days, at least one."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 366:
        raise CityFileError(place, "write each as a whole number of days from 1 to 366")
    return value

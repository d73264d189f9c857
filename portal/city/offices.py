"""Offices in the city's file: addresses, telephone numbers and opening hours."""

import re
from collections.abc import Mapping
from datetime import time
from types import MappingProxyType
from typing import Any

from portal.city.city import Office
from portal.city.reading import CityFileError, Table, a_text
from portal.ordinance.days import Opening, OpeningHours

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NEEDED_OFFICES = ("police", "pound")
PHONE = re.compile(r"\d{3}-\d{3}-\d{4}")
OPENING = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")


def read_offices(offices: Table) -> Mapping[str, Office]:
    """Every office of the file. The police and the pound have to be there."""
    for key in NEEDED_OFFICES:
        offices.table(key)
    return MappingProxyType({key: _office(key, table) for key, table in offices.tables()})


def _office(key: str, table: Table) -> Office:
    found = Office(
        key=key,
        name=table.text("name"),
        address=table.items("address", a_text),
        phone=_phone(table),
        email=_email(table),
        hours=_hours(table.table("hours")),
    )
    table.finish()
    return found


def _phone(table: Table) -> str:
    phone = table.text("phone")
    if not PHONE.fullmatch(phone):
        raise CityFileError(table.at("phone"), "write the number as 320-555-0100")
    return phone


def _email(table: Table) -> str | None:
    if not table.has("email"):
        return None
    email = table.text("email")
    if email.count("@") != 1 or any(character.isspace() for character in email):
        raise CityFileError(table.at("email"), "write one e-mail address, such as animals@benson.example")
    return email


def _hours(table: Table) -> OpeningHours:
    found = {day: table.items(name, _opening) for day, name in enumerate(WEEKDAYS) if table.has(name)}
    table.finish()
    return MappingProxyType(found)


def _opening(value: Any, place: str) -> Opening:
    what_to_do = 'write each opening as "08:00-16:30", the earlier time first'
    matched = OPENING.fullmatch(value) if isinstance(value, str) else None
    if not matched:
        raise CityFileError(place, what_to_do)
    from_hour, from_minute, to_hour, to_minute = (int(part) for part in matched.groups())
    try:
        opening = Opening(time(from_hour, from_minute), time(to_hour, to_minute))
    except ValueError as wrong:
        raise CityFileError(place, what_to_do) from wrong
    if opening.opens >= opening.closes:
        raise CityFileError(place, what_to_do)
    return opening

"""Dates as a file that a phone's calendar takes (RFC 5545); the only module that knows icalendar."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from icalendar import Alarm, Calendar, Event

from portal.gateways.mail.letter import one_line

PRODUCT = "-//Owner portal//Designated dogs//EN"
# Nine in the morning of the day before: an entry for a whole day begins at midnight.
RINGS_BEFORE = timedelta(hours=15)


@dataclass(frozen=True)
class Entry:
    """A day to keep in mind. The same `key` in a later file moves the entry instead of adding another."""

    key: str
    on: date
    title: str
    words: str
    address: str
    """The page that says more."""


def calendar_file(entries: Iterable[Entry], *, name: str, made_at: datetime) -> bytes:
    """The entries as whole days that leave the day free, each with one alarm the morning before."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", one_line(name))
    for entry in entries:
        calendar.add_component(_event(entry, made_at))
    content: bytes = calendar.to_ical()
    return content


def _event(entry: Entry, made_at: datetime) -> Event:
    event = Event()
    event.add("uid", entry.key)
    event.add("dtstamp", made_at)
    event.add("dtstart", entry.on)
    event.add("dtend", entry.on + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    event.add("summary", one_line(entry.title))
    event.add("description", f"{entry.words}\n{entry.address}")
    event.add("url", entry.address)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", one_line(entry.title))
    alarm.add("trigger", -RINGS_BEFORE)
    event.add_component(alarm)
    return event

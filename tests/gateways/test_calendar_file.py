"""Dates that a phone's calendar takes, whatever the dog is called."""

from datetime import UTC, date, datetime

import pytest

from portal.gateways.calendar_file import Entry, calendar_file

MADE_AT = datetime(2026, 11, 12, 15, 0, tzinfo=UTC)
HEARING = Entry(
    "hearing-4f2a@portal.example",
    date(2026, 11, 25),
    "Rex: last day to ask for a hearing",
    "City Code § 90.13(E)(3)(a)(v)",
    "https://animals.example/dogs/4f2a/dangerous",
)


def lines(content: bytes) -> list[str]:
    """The lines as a calendar reads them: long ones were folded (RFC 5545, 3.1)."""
    return content.decode().replace("\r\n ", "").split("\r\n")


def test_an_entry_is_a_whole_day_that_leaves_the_day_free():
    found = lines(calendar_file([HEARING], name="Rex", made_at=MADE_AT))
    assert found[0] == "BEGIN:VCALENDAR"
    for line in (
        "UID:hearing-4f2a@portal.example",
        "DTSTAMP:20261112T150000Z",
        "DTSTART;VALUE=DATE:20261125",
        "DTEND;VALUE=DATE:20261126",
        "TRANSP:TRANSPARENT",
        "SUMMARY:Rex: last day to ask for a hearing",
        "URL:https://animals.example/dogs/4f2a/dangerous",
        "TRIGGER:-PT15H",
    ):
        assert line in found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Rex\r\nATTACH:https://evil.example", id="a line break"),
        pytest.param('Rex; Bailey, \\ and "Max"', id="the format's own signs"),
        pytest.param("🐶 Ñandú " * 30, id="long, accents and emoji"),
    ],
)
def test_what_a_person_typed_stays_inside_its_line(name):
    entry = Entry("k@portal.example", date(2026, 11, 25), name, "words", "https://animals.example/dogs")
    content = calendar_file([entry], name=name, made_at=MADE_AT)
    assert not [line for line in lines(content) if line.startswith("ATTACH")]
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert content.count(b"BEGIN:VEVENT") == 1

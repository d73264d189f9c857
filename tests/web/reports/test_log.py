"""A barking log: tapped on a phone that may send late and twice, typed by hand, read back, printed (90.10(A))."""

import json
import re
from datetime import UTC, date, datetime, time, timedelta
from uuid import uuid4

import pytest

from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import EpisodeSource
from portal.services.refusal import Refused
from portal.services.reports.follow_report import whole_report
from portal.services.reports.handle_report import close_report
from portal.services.reports.log import Tapped, timed, typed
from tests.support.portal import CHICAGO
from tests.support.reporting import NEXT_DOOR

NIGHT = datetime(2026, 11, 29, 21, tzinfo=CHICAGO)
SUNDAY = date(2026, 11, 29)


def milliseconds(moment):
    return int(moment.timestamp() * 1000)


@pytest.fixture
def sent(reporting):
    return reporting.send()


@pytest.fixture
def address(sent):
    return f"/reports/{sent.filed.reference}/log"


@pytest.fixture
def reporter(visitor, sent, address):
    """Whoever holds the link, at the log."""
    return visitor.visit(f"/reports/open/{sent.token}").visit(address)


@pytest.fixture
def entries(reporting, sent):
    """What is in the log."""

    def entries():
        with reporting.portal() as session:
            found = whole_report(session, sent.way, reference=sent.filed.reference, clock=reporting.clock)
        return found.episodes

    return entries


def tapped(*pairs):
    """As the script writes them."""
    return [{"id": str(uuid4()), "from": milliseconds(begin), "to": milliseconds(end)} for begin, end in pairs]


def send(person, address, entries, *, phone_says):
    """What the script of the timer sends."""
    form = person.page.form(button="Send now", names=["entries"]).filled(
        {"entries": json.dumps(entries), "phone_says": milliseconds(phone_says)}, button="Send now"
    )
    return person.client.post(address, data=form)


def minutes(*lengths, begin=NIGHT, apart=10):
    """Barkings of so many minutes, `apart` minutes from start to start."""
    starts = [begin + timedelta(minutes=apart * number) for number in range(len(lengths))]
    return [(start, start + timedelta(minutes=length)) for start, length in zip(starts, lengths, strict=True)]


def test_times_typed_by_hand_grow_the_log_and_it_says_what_it_shows(reporter):
    assert "Nothing is in the log yet." in reporter.text
    for start, end in (("9:00 PM", "9:03 PM"), ("9:30 PM", "9:40 PM")):
        reporter.submit(day=SUNDAY, started=start, ended=end, heard_from="My bedroom", button="Add this entry")
    assert "The log shows 2 intervals of at least three minutes, on one day." in reporter.text
    assert "9:30 p.m. to 9:40 p.m.: 10 minutes, three minutes or more" in reporter.text
    assert "(typed, afterwards), from My bedroom" in reporter.text


def test_two_minutes_once_are_taken_and_the_rule_is_told(reporter):
    """Example 47, T30."""
    reporter.submit(day=SUNDAY, started="9:00 PM", ended="9:02 PM", button="Add this entry")
    assert "The longest barking in the log is 2 minutes." in reporter.text
    assert "an officer looks at every one" in reporter.text
    assert "violation" not in reporter.text


def test_barking_that_ends_in_the_minute_it_began_is_told_with_that_minute(reporter):
    reporter.submit(day=SUNDAY, started="9:30 PM", ended="9:30 PM", button="Add this entry")
    assert "9:30 p.m.: less than a minute" in reporter.text
    assert "9:30 p.m. to 9:30 p.m." not in reporter.text


def test_barking_for_the_hour_that_comes_twice_is_told_with_both_ends(reporter, address, clock):
    """Sunday, November 1, 2026: from 1:30 to the next time the clock showed 1:30."""
    first = datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
    send(reporter, address, tapped((first, first + timedelta(hours=1))), phone_says=clock.now())
    assert "1:30 a.m. to 1:30 a.m.: 1 hour" in reporter.visit(address).text


def test_every_time_on_the_page_is_written_the_same_way(reporter, address):
    reporter.submit(day=SUNDAY, started="9:30 PM", ended="23:40", button="Add this entry")
    for page in (address, f"{address}/sheet"):
        reporter.visit(page)
        assert "9:30 p.m. to 11:40 p.m." in reporter.text
        assert not re.search(r"\d ?(?:AM|PM|am|pm)\b|\b(?:1[3-9]|2[0-3]):\d\d\b", reporter.text)


def test_an_end_before_the_start_is_after_midnight(reporter, entries):
    reporter.submit(day=SUNDAY, started="11:50 PM", ended="12:10 AM", button="Add this entry")
    (entry,) = entries()
    assert entry.ended_at - entry.started_at == timedelta(minutes=20)
    assert "Sunday, November 29, 2026" in reporter.text


def test_what_is_wrong_stands_beside_the_answers(reporter, entries):
    reporter.submit(started="soon", button="Add this entry", status=422)
    assert reporter.errors == ["Enter a time like 9:30 p.m.", "Enter when you last heard it, like 9:42 p.m."]
    reporter.submit(day=date(2026, 11, 30), started="11:00 AM", ended="11:05 AM", button="Add this entry", status=422)
    assert reporter.errors == ["This is still to come. Check the day and the times"]
    assert entries() == ()


def test_a_phone_sends_what_it_tapped_and_sending_again_adds_nothing(reporter, address, entries, clock):
    taps = tapped(*minutes(4, 5, begin=clock.now() - timedelta(minutes=16)))
    for _ in range(2):
        answer = send(reporter, address, taps, phone_says=clock.now())
        assert (answer.status_code, answer.location) == (303, address)
    found = entries()
    assert [one.source for one in found] == [EpisodeSource.TIMER] * 2
    assert [one.is_backdated for one in found] == [False, False]
    assert "The log shows 2 intervals of at least three minutes, on one day." in reporter.visit(address).text


def test_what_a_phone_sends_the_next_morning_is_marked(reporter, address, entries, clock):
    send(reporter, address, tapped(*minutes(4)), phone_says=clock.now())
    assert [one.is_backdated for one in entries()] == [True]
    assert "(timed, sent later)" in reporter.visit(address).text


def test_a_phone_whose_clock_is_wrong_is_read_by_the_difference(reporter, address, entries, clock):
    an_hour_fast = clock.now() + timedelta(hours=1)
    begin = an_hour_fast - timedelta(minutes=8)
    send(reporter, address, tapped((begin, begin + timedelta(minutes=4))), phone_says=an_hour_fast)
    (entry,) = entries()
    assert entry.started_at == clock.now() - timedelta(minutes=8)


@pytest.mark.parametrize(
    "nonsense",
    [
        "no list",
        "{}",
        '[{"id": "a", "from": 1764500000000, "to": 1764500000000}]',
        '[{"id": "00000000-0000-4000-8000-000000000000", "from": 1, "to": 2}]',
        "[3]",
        "7",
    ],
)
def test_what_no_phone_sends_is_refused_and_nothing_is_kept(reporter, address, entries, nonsense, clock):
    form = reporter.page.form(button="Send now", names=["entries"]).filled(
        {"entries": nonsense, "phone_says": milliseconds(clock.now())}, button="Send now"
    )
    assert reporter.client.post(address, data=form).status_code == (303 if nonsense == "{}" else 422)
    assert entries() == ()


def test_only_barking_has_a_log(visitor, reporting):
    sent = reporting.send(Nuisance.LITTER)
    visitor.visit(f"/reports/open/{sent.token}")
    assert "Barking log and timer" not in visitor.links
    visitor.visit(f"/reports/{sent.filed.reference}/log", status=404)


def test_a_closed_report_takes_no_more_entries(reporter, reporting, sent, address, entries, clock):
    with reporting.desk() as desk:
        close_report(desk, report_id=sent.id, reason="Settled.", officer="Kim", clock=clock)
    assert send(reporter, address, tapped(*minutes(4)), phone_says=clock.now()).status_code == 422
    assert entries() == ()
    assert "This report is closed. Nothing can be added to its log." in reporter.visit(address).text


def test_the_sheet_is_dated_and_names_nobody(reporter, address):
    reporter.submit(day=SUNDAY, started="11:50 PM", ended="12:10 AM", button="Add this entry")
    reporter.click("The log on paper")
    assert reporter.h1.startswith("Barking log, ")
    assert "The log as it stood on November 30, 2026 at 10:00 a.m., without who kept it" in reporter.text
    assert "Intervals of three minutes or more1, on 1 day" in reporter.text
    bars = [
        one
        for one in reporter.page.document.iter("{http://www.w3.org/2000/svg}rect")
        if one.get("class") == "is-counted"
    ]
    assert [(bar.get("x"), bar.get("width")) for bar in bars] == [("1430", "10"), ("0", "10")]
    assert "style=" not in reporter.page.html


def test_whoever_hears_it_now_finds_the_timer_on_the_first_page(visitor):
    visitor.visit("/reports/new/barking").click("Use the timer")
    assert visitor.path == "/reports/log"
    assert "Use the timer" not in visitor.visit("/reports/new/damage").links


def test_the_timer_begins_before_there_is_a_report(visitor, clock):
    visitor.visit("/reports/log")
    assert visitor.h1 == "Barking log"
    taps = tapped(*minutes(4, 5))
    for _ in range(2):
        assert send(visitor, "/reports/log", taps, phone_says=clock.now()).location == "/reports/log"
    assert "The log shows 2 intervals" in visitor.visit("/reports/log").text
    visitor.submit(day=SUNDAY, started="8:00 PM", ended="8:04 PM", button="Add this entry")
    assert "The log shows 3 intervals" in visitor.text
    assert visitor.links["Put this log in a report"] == "/reports/new/barking"


def test_what_was_timed_first_is_in_the_report_that_is_sent_afterwards(visitor, database, clock):
    visitor.visit("/reports/log")
    send(visitor, "/reports/log", tapped(*minutes(4, 5)), phone_says=clock.now())
    finish(visitor.visit("/reports/log").click("Put this log in a report").submit(button="Start"))
    kept = database.rows("SELECT source, is_backdated FROM animal_control.report_episode")
    assert [(one["source"], one["is_backdated"]) for one in kept] == [("timer", True)] * 2
    assert "Nothing is in the log yet." in visitor.visit("/reports/log").text  # the next one begins anew


def finish(person):
    """Answer what is left, as briefly as it goes, and send it."""
    said = {"where": {"place": NEXT_DOOR}, "when": {"is_when": "unsure"}, "who": {"is_named": "no"}}
    while (step := person.path.rpartition("/")[2]) != "check":
        person.submit(said.get(step, {}), button="Continue")
    person.submit(signed=True, button="Send the report")


def test_whoever_times_the_barking_for_days_and_reports_a_loose_dog_meanwhile_still_has_the_log(
    visitor, database, clock
):
    """F1. It goes with the report about the barking, and with no other."""
    visitor.visit("/reports/log")
    send(visitor, "/reports/log", tapped(*minutes(4, 5)), phone_says=clock.now())
    finish(visitor.visit("/reports/new/at_large").submit(button="Start"))
    assert database.value("SELECT count(*) FROM animal_control.report_episode") == 0
    assert "The log shows 2 intervals" in visitor.visit("/reports/log").text
    finish(visitor.click("Put this log in a report").submit(button="Start"))
    kept = database.rows(
        "SELECT kind FROM animal_control.report_episode JOIN animal_control.report ON report.id = report_id"
    )
    assert [one["kind"] for one in kept] == ["barking", "barking"]
    assert "Nothing is in the log yet." in visitor.visit("/reports/log").text


def test_whoever_presses_the_timer_half_way_through_a_report_of_a_bite_goes_on_with_the_bite(visitor, database, clock):
    """F1."""
    visitor.visit("/reports/new/bite").submit(button="Start").submit(place=NEXT_DOOR, button="Continue")
    visitor.submit(is_when="now", button="Continue").submit(injury="My left hand", button="Continue")
    visitor.visit("/reports/log")
    send(visitor, "/reports/log", tapped(*minutes(4, 5)), phone_says=clock.now())
    assert "The log shows 2 intervals" in visitor.visit("/reports/log").text
    visitor.visit("/reports/new").click("Go on with it")
    assert visitor.path == "/reports/new/bite/animal"
    finish(visitor)
    [bite] = database.rows("SELECT kind, details FROM animal_control.report")
    assert (bite["kind"], bite["details"]["injury"]) == ("bite", "My left hand")
    assert database.value("SELECT count(*) FROM animal_control.report_episode") == 0
    assert "The log shows 2 intervals" in visitor.visit("/reports/log").text


def test_another_browser_sees_nothing_of_it(visitor, another_resident, clock):
    visitor.visit("/reports/log")
    send(visitor, "/reports/log", tapped(*minutes(4)), phone_says=clock.now())
    assert "Nothing is in the log yet." in another_resident.visit("/reports/log").text


def test_a_clock_that_is_nearly_right_is_left_alone():
    begin = datetime(2026, 11, 30, 3, tzinfo=UTC)
    now = begin + timedelta(minutes=5)
    (entry,) = timed([Tapped(uuid4(), begin, begin)], phone_says=now - timedelta(seconds=50), now=now)
    assert entry.started_at == begin


@pytest.mark.parametrize(
    ("start", "end", "length"),
    [
        pytest.param(time(0, 50), time(1, 10), timedelta(minutes=20), id="before the clocks change"),
        pytest.param(time(1, 50), time(1, 10), timedelta(minutes=20), id="the hour that comes twice"),
        pytest.param(time(1, 50), time(2, 10), timedelta(minutes=80), id="an hour longer than the clock says"),
        pytest.param(time(23, 50), time(0, 10), timedelta(minutes=20), id="past midnight"),
        pytest.param(time(22), time(22), timedelta(0), id="one bark"),
    ],
)
def test_lengths_in_the_night_the_clocks_go_back(start, end, length):
    """Sunday, November 1, 2026."""
    now = datetime(2026, 11, 3, tzinfo=UTC)
    entry = typed(date(2026, 11, 1), start, end, key=uuid4(), heard_from=None, zone=CHICAGO, now=now)
    assert entry.ended_at - entry.started_at == length


@pytest.mark.parametrize(
    ("day", "start", "end", "field"),
    [
        pytest.param(date(2026, 3, 8), time(2, 30), time(3, 10), "started", id="it begins in the hour that is skipped"),
        pytest.param(date(2026, 3, 8), time(1, 50), time(2, 30), "ended", id="it ends in it"),
        pytest.param(date(2026, 3, 7), time(23, 50), time(2, 30), "ended", id="it ends in it, after midnight"),
    ],
)
def test_a_time_that_the_clock_skipped_in_spring_is_asked_for_again(day, start, end, field):
    now = datetime(2026, 3, 10, tzinfo=UTC)
    with pytest.raises(Refused, match="this time was skipped") as refused:
        typed(day, start, end, key=uuid4(), heard_from=None, zone=CHICAGO, now=now)
    assert [one.field for one in refused.value.refusals] == [field]


def test_around_the_skipped_hour_barking_is_as_long_as_it_was():
    now = datetime(2026, 3, 10, tzinfo=UTC)
    entry = typed(date(2026, 3, 8), time(1, 50), time(3, 10), key=uuid4(), heard_from=None, zone=CHICAGO, now=now)
    assert entry.ended_at - entry.started_at == timedelta(minutes=20)


def test_what_is_still_to_come_is_no_entry():
    now = datetime(2026, 11, 30, 16, tzinfo=UTC)
    with pytest.raises(Refused):
        typed(date(2026, 11, 30), time(10), time(10, 5), key=uuid4(), heard_from=None, zone=CHICAGO, now=now)

"""A phone in the night: the timer of a barking log, without a signal, with a reload in between, and sent later."""

import json
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from portal.services.reports.follow_report import whole_report
from tests.support.portal import MORNING
from tests.support.screens import NO_NETWORK

KEPT = "() => Object.fromEntries(Object.entries(localStorage))"


@pytest.fixture
def sent(reporting):
    return reporting.send()


@pytest.fixture
def at_the_log(open_screen, sent):
    """Whoever holds the link, at the log of their report, with a clock that the test moves."""

    def at_the_log(**how):
        screen = open_screen(**how)
        screen.page.clock.set_fixed_time(MORNING)
        screen.visit(f"/reports/open/{sent.token}").follow("Barking log and timer", leads_to="Barking log")
        return screen

    return at_the_log


@pytest.fixture
def entries(reporting, sent):
    """What the city has of it, as lengths in seconds."""

    def entries():
        with reporting.portal() as session:
            found = whole_report(session, sent.way, reference=sent.filed.reference, clock=reporting.clock)
        return [round((one.ended_at - one.started_at).total_seconds()) for one in found.episodes]

    return entries


def pass_time(screen, seconds):
    """The phone's clock goes on; it stands still otherwise, so that a slow machine adds nothing to what is counted."""
    now = screen.page.evaluate("() => Date.now()") / 1000
    screen.page.clock.set_fixed_time(datetime.fromtimestamp(now + seconds, UTC))


def says(screen, words):
    expect(screen.page.locator("[data-sent]")).to_have_text(re.compile(words))


def shows(screen, words):
    expect(screen.page.locator("[data-barking-shown]")).to_contain_text(words)


def test_taps_without_a_signal_are_kept_and_sent_when_it_is_back(at_the_log, entries):
    screen = at_the_log()
    context = screen.page.context
    context.set_offline(True)
    with screen.complaining(NO_NETWORK):
        screen.press("It barks now")
        pass_time(screen, 200)
        expect(screen.page.locator("[data-elapsed]")).to_have_text("3 min 20 s")
        screen.press("It is quiet now")
        says(screen, "1 entry is on this device")
        pass_time(screen, 90)
        screen.press("It barks again")
        pass_time(screen, 240)
        screen.press("It is quiet now")
        says(screen, "2 entries are on this device")
        screen.press("I stop listening")
        expect(screen.page.get_by_role("button", name="It barks now")).to_be_focused()
        assert entries() == []
        context.set_offline(False)
        says(screen, "Everything is sent")
    shows(screen, "The log shows 2 intervals of at least three minutes, on one day.")
    assert entries() == [200, 240]
    assert screen.page.evaluate(KEPT) == {}


def test_a_reload_and_a_sleeping_phone_lose_nothing(at_the_log, entries):
    screen = at_the_log()
    screen.press("It barks now")
    pass_time(screen, 100)
    screen.page.reload()
    screen.settle()
    expect(screen.page.get_by_role("button", name="It is quiet now")).to_be_visible()
    pass_time(screen, 100)
    expect(screen.page.locator("[data-elapsed]")).to_have_text("3 min 20 s")
    screen.press("It is quiet now")
    says(screen, "Everything is sent")
    assert entries() == [200]


def test_entries_that_waited_are_sent_by_the_next_visit(at_the_log, entries):
    screen = at_the_log()
    screen.page.context.set_offline(True)
    with screen.complaining(NO_NETWORK):
        screen.press("It barks now")
        pass_time(screen, 185)
        screen.press("It is quiet now")
        says(screen, "1 entry is on this device")
        screen.page.context.set_offline(False)
        screen.page.reload()
        screen.settle()
        shows(screen, "The log shows one interval of at least three minutes.")
    assert entries() == [185]


def test_whoever_forgot_to_press_ends_it_when_they_last_heard_it(at_the_log, entries):
    screen = at_the_log()
    screen.press("It barks now")
    pass_time(screen, 190)
    screen.press("It is still barking")
    pass_time(screen, 4 * 3600)
    screen.press("It stopped when I last heard it")
    says(screen, "Everything is sent")
    assert entries() == [190]


def test_a_reply_that_got_lost_adds_nothing_when_it_is_sent_again(at_the_log, entries):
    screen = at_the_log()

    def lose_the_reply(route):
        route.fetch(max_redirects=0)
        route.abort()

    screen.page.route("**/log", lose_the_reply, times=1)
    with screen.complaining(NO_NETWORK):
        screen.press("It barks now")
        pass_time(screen, 185)
        with screen.page.expect_event("requestfailed"):
            screen.press("It is quiet now")
        says(screen, "1 entry is on this device")
        screen.press("Send now")
        says(screen, "Everything is sent")
    assert entries() == [185]


def test_the_timer_runs_before_there_is_a_report(open_screen):
    screen = open_screen()
    screen.page.clock.set_fixed_time(MORNING)
    screen.visit("/reports/log").arrive("Barking log").press("It barks now")
    pass_time(screen, 300)
    screen.press("It is quiet now")
    says(screen, "Everything is sent")
    shows(screen, "The log shows one interval of at least three minutes.")
    screen.visit("/reports/log").arrive("Barking log")
    shows(screen, "The log shows one interval of at least three minutes.")


def test_a_device_that_forgets_the_report_forgets_its_timer(at_the_log, sent):
    screen = at_the_log().press("It barks now")
    assert list(screen.page.evaluate(KEPT)) == [f"barking:{sent.filed.reference}"]
    assert json.loads(next(iter(screen.page.evaluate(KEPT).values())))["running"]
    screen.follow("Your report", leads_to=re.compile("^‹?.*Barking, report"))
    screen.press("Forget this report on this device", leads_to="My reports")
    assert screen.page.evaluate(KEPT) == {}


def test_signing_out_takes_the_taps_that_were_not_sent(open_screen):
    screen = open_screen(email="pat@example.com")
    screen.visit("/reports/log").arrive("Barking log").press("It barks now")
    assert list(screen.page.evaluate(KEPT)) == ["barking:new"]
    screen.visit("/dogs").press("Sign out", leads_to="What do you need to do?")
    assert screen.page.evaluate(KEPT) == {}


def test_deleting_what_was_begun_deletes_what_the_timer_kept(open_screen):
    """Else it would come back in whatever report is begun next on this device."""
    screen = open_screen().visit("/reports/log").arrive("Barking log").press("It barks now").press("It is quiet now")
    says(screen, "Everything is sent")
    screen.press("It barks again")
    assert list(screen.page.evaluate(KEPT)) == ["barking:new"]
    screen.visit("/reports/new").arrive("What happened?").press("Delete what I wrote", leads_to="What happened?")
    assert screen.page.evaluate(KEPT) == {}


def test_without_script_times_are_typed(open_screen, sent, entries):
    screen = open_screen(script=False).visit(f"/reports/open/{sent.token}")
    screen.follow("Barking log and timer", leads_to="Barking log")
    expect(screen.page.get_by_role("button", name="It barks now")).to_be_hidden()
    screen.page.get_by_text("Enter times by hand").first.click()
    screen.answer(started="01:10", ended="01:15").press("Add this entry", leads_to="Barking log")
    assert entries() == [300]


def test_each_page_of_following_and_its_mistakes(at_the_log, sent, gallery, open_screen, clock):
    screen = at_the_log()
    gallery.look(screen, "log-idle")
    screen.press("It barks now")
    pass_time(screen, 252)
    gallery.look(screen, "log-barking")
    screen.press("It is quiet now")
    says(screen, "Everything is sent")
    gallery.look(screen, "log-quiet")
    screen.press("I stop listening")
    screen.page.get_by_text("Enter times by hand").first.click()
    gallery.look_at_mistakes(screen, "log-by-hand", button="Add this entry")
    path = f"/reports/{sent.filed.reference}"
    gallery.look(screen.visit(f"{path}/log/sheet"), "log-sheet")
    gallery.look(screen.visit(path), "report")
    gallery.look_at_mistakes(screen, "report", button="Add this")
    for page, button in (("files", "Add it"), ("name", "Add my name")):
        gallery.look(screen.visit(f"{path}/{page}"), f"report-{page}")
        gallery.look_at_mistakes(screen, f"report-{page}", button=button)
    gallery.look(screen.visit(f"{path}/invite").press("Make a code"), "report-invite")
    gallery.look(screen.visit("/reports/join"), "report-join")
    gallery.look_at_mistakes(screen, "report-join", button="Join it")
    gallery.look(screen.visit(f"{path}/withdraw"), "report-withdraw")
    gallery.look(screen.visit("/reports"), "reports")
    other = open_screen()
    with other.complaining("Failed to load resource: "):
        gallery.look(other.visit("/reports/open/wrong"), "report-over")
    gallery.look(other.visit("/reports"), "reports-none")
    gallery.look(other.visit("/reports/log"), "timer")
    gallery.look(other.visit("/reports/log/no-signal"), "timer-no-signal")


def test_the_page_opens_again_without_a_signal(at_the_log, entries):
    """A phone puts a sleeping page away, and loads it again when it wakes."""
    screen = at_the_log()
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    screen.press("It barks now")
    with screen.complaining(NO_NETWORK):
        screen.page.context.set_offline(True)
        screen.page.reload()
        screen.arrive("Barking log").page.get_by_text("There is no signal now").first.wait_for()
        pass_time(screen, 200)
        screen.press("It is quiet now")
        says(screen, "1 entry is on this device")
        assert entries() == []
        screen.page.context.set_offline(False)
        shows(screen, "The log shows one interval of at least three minutes.")
    assert entries() == [200]
    screen.press("I stop listening")
    assert screen.page.evaluate(KEPT) == {}


def test_what_a_phone_keeps_for_no_signal_is_the_same_for_all(at_the_log, sent):
    screen = at_the_log()
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    kept = screen.page.evaluate(
        "async () => (await (await caches.match('/reports/log/no-signal')).text()) + "
        "(await (await caches.open('barking-log')).keys()).map((one) => one.url)"
    )
    assert "Barking log" in kept
    assert sent.filed.reference not in kept
    assert "1312 Idaho" not in kept

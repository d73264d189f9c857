"""Whatever goes wrong on the way, something is said and nothing typed is lost (cases F2 and U5)."""

import re
import time
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from portal.gateways.rate_limits import MAILBOX
from tests.browser import journey
from tests.browser.conftest import EMAIL
from tests.browser.limits import use_up
from tests.support.registering import HOME, OWNER, PHONE_PHOTO
from tests.support.screens import SECONDS

SAID_BY_HTMX = ("Failed to load resource: ", "Response Status Error Code ", "htmx:sendError", "htmx:afterRequest")
LONG = "Fluffy, Great Pyrenees, white, female\n" * 16_000


def said(screen):
    """The words that appear in the page's place of failure, which a screen reader is told at once."""
    box = screen.page.get_by_role("alert")
    expect(box).to_be_in_viewport()
    return box


def paste(box, words):
    """At once: the browser takes minutes to type half a megabyte."""
    box.evaluate("(one, words) => { one.value = words; }", words)


def test_without_a_network_it_says_so_and_goes_on_later(open_screen):
    screen = open_screen().visit("/register").answer(situation="resident_dog")
    with screen.complaining(*SAID_BY_HTMX):
        screen.page.context.set_offline(True)
        screen.press("Continue")
        expect(said(screen)).to_contain_text("The connection was lost")
        expect(said(screen)).to_contain_text("Everything you entered is still here")
        expect(screen.control("situation", "resident_dog")).to_be_checked()
        screen.page.context.set_offline(False)
        screen.press("Try again", leads_to="How old is it?")


def test_too_many_tries_are_told_with_the_wait(open_screen, gateways):
    use_up(gateways.limits, MAILBOX, EMAIL)
    screen = open_screen().visit("/sign-in").answer(email=EMAIL)
    with screen.complaining(*SAID_BY_HTMX):
        screen.press("Send me a code")
        expect(said(screen)).to_contain_text(re.compile("Please wait 1[0-5] minutes"))
    assert screen.value("email") == EMAIL


def test_a_fault_of_ours_leaves_the_file_chosen_and_the_button_works_again(at_the_certificate, files):
    screen = at_the_certificate().answer(file=PHONE_PHOTO)
    files.is_broken = True
    with screen.complaining(*SAID_BY_HTMX):
        screen.press("Send this certificate")
        expect(said(screen)).to_contain_text("Something went wrong on our side")
        expect(said(screen)).to_contain_text(re.compile("quote [0-9a-f]{8}"))
    files.is_broken = False
    screen.press("Send this certificate", leads_to=re.compile("certificate say"))


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_file_of_30_megabytes_is_refused_with_the_limit(at_the_certificate, tmp_path, script):
    """U5."""
    large = tmp_path / "photo.jpg"
    large.write_bytes(b"x" * 30_000_000)
    screen = at_the_certificate(script=script).answer(file=large)
    with screen.complaining(*SAID_BY_HTMX):
        if script:
            expect(screen.page.locator("[data-chosen]")).to_have_text(re.compile("has 30 MB; the limit is 15 MB"))
            screen.press("Send this certificate")
            expect(said(screen)).to_contain_text("The limit is 20 MB")
        else:
            screen.press("Send this certificate", leads_to="This is too large to send")
            expect(screen.page.locator("main")).to_contain_text("The limit is 20 MB")
            screen.page.go_back()
    screen.arrive("Pepper’s rabies certificate").answer(file=PHONE_PHOTO)
    screen.press("Send this certificate", leads_to=re.compile("certificate say"))


def test_the_newest_refusal_stands_alone(at_the_certificate, tmp_path):
    """First nothing is chosen, then something too large: the older words go, above the form and beside the answer."""
    large = tmp_path / "photo.jpg"
    large.write_bytes(b"x" * 30_000_000)
    screen = at_the_certificate()
    screen.press("Send this certificate").is_told()
    screen.answer(file=large)
    with screen.complaining(*SAID_BY_HTMX):
        screen.press("Send this certificate")
        expect(said(screen)).to_contain_text("The limit is 20 MB")
    expect(screen.page.locator(".error-summary, .is-wrong, [aria-invalid]")).to_have_count(0)
    assert "error" not in (screen.control("file").get_attribute("aria-describedby") or "")
    screen.answer(file=PHONE_PHOTO)
    screen.press("Send this certificate", leads_to=re.compile("certificate say"))


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_600_kilobytes_in_a_box_are_refused_beside_it_with_every_answer_kept(open_screen, script):
    """U5."""
    screen = open_screen(script=script, email=EMAIL).visit("/register/owner")
    screen.answer(OWNER).press("Continue", leads_to="Where does the dog live?")
    paste(screen.answer(HOME).control("mailing_address"), LONG)
    screen.press("Continue").is_told()
    expect(screen.page.locator(".error-summary")).to_contain_text("400")
    assert screen.value("line1") == HOME["line1"]
    is_whole = screen.value("mailing_address").strip() == LONG.strip()
    assert is_whole


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_whoever_was_signed_out_meanwhile_signs_in_and_finds_the_answers(open_screen, database, script):
    screen = open_screen(script=script, email=EMAIL).visit("/register/owner").answer(OWNER)
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    screen.press("Continue", leads_to=re.compile("mail address"))
    journey.sign_in(screen, EMAIL, leads_to="Who owns the dog?")
    assert screen.value("owner_name") == OWNER["owner_name"]
    expect(screen.control("is_adult", "yes")).to_be_checked()
    screen.press("Continue", leads_to="Where does the dog live?")


def test_a_button_pressed_twice_sends_once(open_screen):
    screen = open_screen().visit("/register").answer(situation="resident_dog")
    sent = []
    screen.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    screen.page.get_by_role("button", name="Continue").dblclick()
    screen.arrive("How old is it?")
    assert len(sent) == 1


def test_a_page_that_asks_by_itself_holds_no_button_back_and_says_nothing_when_it_fails(at_the_certificate):
    """The page asks whether the certificate is read while its keeper fills it in."""
    screen = at_the_certificate().answer(file=PHONE_PHOTO)
    asked = []
    screen.page.route("**/*?waiting=yes", lambda route: asked.append(route))
    with asking(screen, asked):
        screen.press("Send this certificate", leads_to=re.compile("certificate say"))
    with asking(screen, asked):
        screen.press("Send the certificate").is_told()
    with screen.complaining(*SAID_BY_HTMX):
        with screen.page.expect_event("requestfailed"):
            asked[-1].abort()
        expect(screen.page.locator("[data-failed]")).to_have_count(0)


@contextmanager
def asking(screen, asked):
    """Meanwhile or after it the page has asked by itself."""
    before = len(asked)
    yield
    until = time.monotonic() + SECONDS
    while len(asked) == before:
        assert time.monotonic() < until, "the page asks no more"
        screen.page.wait_for_timeout(50)


def test_the_answer_to_a_form_is_where_one_reads_on(open_screen):
    """X3: after a mistake the focus is on the summary, which is an alert; once it is right, the next page begins."""
    screen = open_screen(email=EMAIL, keyboard=True).visit("/register/home")
    screen.answer(HOME, line1="PO Box 12").press("Continue").is_told()
    expect(screen.focused).to_have_attribute("role", "alert")
    expect(screen.page).to_have_title(re.compile("^Error: "))
    screen.page.keyboard.press("Tab")
    expect(screen.focused).to_contain_text("Enter the street or rural address")
    screen.page.keyboard.press("Enter")
    expect(screen.control("line1")).to_be_focused()
    screen.answer(line1="1310 Idaho Ave").press("Continue", leads_to=re.compile("."))
    expect(screen.page).not_to_have_title(re.compile("^Error: "))


def test_what_the_rules_say_to_a_certificate_is_read_out_before_it_is_sent(at_the_certificate):
    """X3: the same page comes back with a notice; nothing on it is a mistake."""
    screen = at_the_certificate()
    screen.answer(file=PHONE_PHOTO).press("Send this certificate", leads_to=re.compile("certificate say"))
    screen.answer(journey.LAPSED).press("Send the certificate")
    expect(screen.page.locator("[data-live]")).to_have_text("Before you send it")
    expect(screen.focused).to_have_text(re.compile("certificate say"))

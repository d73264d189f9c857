"""One Chromium for each test process, a fresh context for each screen."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from portal.schema.staff import StaffRole
from tests.browser.looking import Gallery
from tests.support.browser import FLAGS, chromium_path
from tests.support.desk import OFFICER
from tests.support.outbox import Outbox
from tests.support.people import Arrival
from tests.support.registrations import Registrations
from tests.support.screens import SECONDS, Keyboard, Screen

EMAIL = "pat@example.com"
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}

ScreenMaker = Callable[..., Screen]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=SECONDS * 1000)  # two cores are busy with other tests
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_screen(browser: Browser, server: str, outbox: Outbox, arrive: Arrival) -> Iterator[ScreenMaker]:
    """A phone: `open_screen()`, `open_screen(script=False)`, `open_screen(email=...)` signed in already."""
    opened: list[Screen] = []

    def open_screen(
        *, script: bool = True, keyboard: bool = False, email: str | None = None, then: str = "/register", **more: Any
    ) -> Screen:
        settings = {"viewport": PHONE, "locale": "en-US", "java_script_enabled": script, **more}
        context = browser.new_context(**settings)
        kind = Keyboard if keyboard else Screen
        screen = kind(context.new_page(), server, outbox)
        if email:
            cookie = arrive(email).sign_in(then=then).client.get_cookie("portal", domain="localhost")
            assert cookie is not None
            context.add_cookies([{"name": "portal", "value": cookie.value, "url": server}])
        opened.append(screen)
        return screen

    yield open_screen
    for screen in opened:
        screen.page.context.close()
    complaints = [complaint for screen in opened for complaint in screen.complaints]
    assert complaints == [], "the browser complained"


@pytest.fixture
def open_desk(browser: Browser, desk_server, outbox, working) -> Iterator[Callable[..., Screen]]:
    """A tablet at the desk: `open_desk()` signed in as an officer, `open_desk(email=None)` signed out."""
    opened: list[Screen] = []

    def open_desk(email: str | None = OFFICER, role: StaffRole = StaffRole.OFFICER, **more) -> Screen:
        context = browser.new_context(**{"viewport": TABLET, "locale": "en-US", **more})
        screen = Screen(context.new_page(), desk_server, outbox)
        if email:
            cookie = working(email, role).client.get_cookie("desk", domain="localhost")
            context.add_cookies([{"name": "desk", "value": cookie.value, "url": desk_server}])
        opened.append(screen)
        return screen

    yield open_desk
    for screen in opened:
        screen.page.context.close()
    assert [complaint for screen in opened for complaint in screen.complaints] == []


@pytest.fixture
def at_the_certificate(open_screen: ScreenMaker, registrations: Registrations) -> ScreenMaker:
    """Someone about to send another certificate of a registered dog."""

    def at_the_certificate(**how: Any) -> Screen:
        kept = registrations.dog("Pepper")
        return open_screen(email=EMAIL, then="/dogs", **how).visit(f"/dogs/{kept.animal_id}/certificate")

    return at_the_certificate


@pytest.fixture
def gallery() -> Iterator[Gallery]:
    """Pages to look at closely; whatever is wrong with any is told at the end, all at once."""
    gallery = Gallery()
    yield gallery
    assert gallery.faults == [], "\n" + "\n".join(gallery.faults)

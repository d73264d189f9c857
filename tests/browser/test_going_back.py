"""The back button after signing out, on a computer that others use too: nothing of the person is shown again."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import FLAGS, chromium_path
from tests.support.desk import OFFICER

# Chromium under Playwright keeps no pages to go back to, as everybody's browser does.
KEEPS_NONE = "--disable-back-forward-cache"


@pytest.fixture(scope="module")
def keeping(browser: Browser) -> Iterator[Browser]:
    """A browser that keeps pages whole, to go back to at once."""
    launch = browser.browser_type.launch
    other = launch(executable_path=chromium_path(), args=list(FLAGS), ignore_default_args=[KEEPS_NONE])
    yield other
    other.close()


def open_signed_in(keeping: Browser, server: str, name: str, cookie: Any) -> Page:
    context = keeping.new_context()
    context.add_cookies([{"name": name, "value": cookie.value, "url": server}])
    return context.new_page()


def test_going_back_after_signing_out_shows_a_resident_nothing(keeping, server, arrive, registrations):
    registered = registrations.licensed("Pepper")
    cookie = arrive().sign_in(then="/dogs").client.get_cookie("portal", domain="localhost")
    page = open_signed_in(keeping, server, "portal", cookie)
    for path in (f"/dogs/{registered.animal_id}", "/me", "/dogs"):
        page.goto(server + path)
        assert "Pepper" in page.content() or "O’Brien" in page.content()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="What do you need to do?").wait_for()
    page.wait_for_load_state()
    for _ in range(3):
        page.go_back(wait_until="commit")
        page.wait_for_load_state()
        assert "Pepper" not in page.content()
        assert "O’Brien" not in page.content()
        assert "/sign-in" in page.url
    page.context.close()


def test_going_back_after_signing_out_shows_nothing_of_the_desk(keeping, desk_server, working, registrations):
    registered = registrations.licensed("Pepper")
    cookie = working(OFFICER).client.get_cookie("desk", domain="localhost")
    page = open_signed_in(keeping, desk_server, "desk", cookie)
    for path in (f"/desk/dogs/{registered.animal_id}", "/desk"):
        page.goto(desk_server + path)
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in to the desk").wait_for()
    page.wait_for_load_state()
    for _ in range(3):
        page.go_back(wait_until="commit")
        page.wait_for_load_state()
        assert "Pepper" not in page.content()
        assert "/desk/sign-in" in page.url
    page.context.close()

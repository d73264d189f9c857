"""The page that waits for its reading, in a real browser: it asks by itself, and disturbs nobody who types."""

import pytest
from playwright.sync_api import expect

from tests.reading.conftest import parts, post, read_as, worker_engine
from tests.support.registering import PHONE_PHOTO
from tests.support.registrations import LATER

__all__ = ["parts", "post", "read_as", "worker_engine"]

FILL = "Fill in what we read"


@pytest.fixture
def waiting(open_screen, registrations):
    """Someone whose certificate is being read."""
    rex = registrations.dog("Rex", certificate=LATER)
    screen = open_screen(email=rex.email, then="/dogs").visit(f"/dogs/{rex.animal_id}/certificate")
    screen.answer(file=PHONE_PHOTO)
    return screen.press("Send this certificate", leads_to="What does Rex’s certificate say?")


def test_what_was_read_is_offered_while_somebody_types(waiting, read_as):
    expect(waiting.page.locator("#reading")).to_contain_text("We are reading the certificate")
    waiting.control("veterinarian").press_sequentially("Dr. Ng")
    read_as(animal_name="Rex")
    expect(waiting.page.get_by_role("button", name=FILL)).to_be_visible()
    expect(waiting.control("veterinarian")).to_be_focused()
    waiting.page.keyboard.type("uyễn")
    waiting.page.get_by_role("button", name=FILL).click()
    expect(waiting.control("product")).to_have_value("Imrab 3")
    expect(waiting.control("veterinarian")).to_have_value("Dr. Nguyễn")
    waiting.press("Send the certificate", leads_to="Rex")


def test_whoever_reads_is_not_disturbed_while_nothing_is_new(waiting, read_as):
    """A word that was chosen stays chosen, the focus where it is, and the page where it was scrolled to."""
    page = waiting.page
    page.evaluate("document.activeElement.blur()")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#reading p'))")
    page.evaluate("document.querySelector('#reading').dataset.same = 'yes'")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.get_by_role("button", name="Send the certificate")
    where = last.bounding_box()["y"]
    for _ in range(2):
        with page.expect_response(lambda answer: answer.url.endswith("?waiting=yes")) as asked:
            pass
        assert asked.value.status == 204
    assert page.evaluate("document.querySelector('#reading').dataset.same") == "yes"
    assert page.evaluate("getSelection().toString()").startswith("We are reading")
    assert abs(last.bounding_box()["y"] - where) < 1
    read_as(animal_name="Rex")
    expect(page.get_by_role("button", name=FILL)).to_be_attached()
    expect(page.locator("[data-live]")).to_have_text("We have read the certificate.")
    assert abs(last.bounding_box()["y"] - where) < 1
    assert page.evaluate("document.activeElement === document.body")


def test_the_enter_key_sends_and_does_not_fill_in(waiting, read_as):
    read_as(animal_name="Rex")
    expect(waiting.page.get_by_role("button", name=FILL)).to_be_visible()
    waiting.control("veterinarian").press("Enter")
    expect(waiting.page.locator(".error-summary")).to_be_focused()
    expect(waiting.control("product")).to_have_value("")

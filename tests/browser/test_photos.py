"""Sending a photo from a phone: what is said, what leaves the phone, and what happens on a bad line (X2, V1)."""

import re
from io import BytesIO

import pytest
from flask import request, request_started
from PIL import Image
from playwright.sync_api import expect

from tests.support.documents import corners, saved
from tests.support.registering import PHONE_PHOTO, SAMPLES

WITH_PLACE = SAMPLES / "certificate-photo-orientation-6-gps.jpg"
GPS = 0x8825
QUESTION = "A photo or PDF of the certificate"
UNFINISHED = (
    "This file did not finish uploading, so part of it is missing. Choose it again. If that does not help, take a new "
    "photo."
)
NETWORK_IS_OFF = ("Failed to load resource: net::ERR_", "htmx:sendError", "htmx:afterRequest")


@pytest.fixture
def received(app):
    """The files that reached the server, as they came."""
    files = []

    def note(_app, **_):
        for sent in request.files.values():
            files.append(sent.stream.read())
            sent.stream.seek(0)

    with request_started.connected_to(note, app):
        yield files


def chosen(screen):
    """The words beside the input, in a region whose changes are read out."""
    place = screen.page.locator("[data-chosen]")
    expect(place).to_have_attribute("role", "status")
    return place


def test_what_was_chosen_is_announced(at_the_certificate):
    screen = at_the_certificate()
    screen.page.get_by_label(QUESTION, exact=True).set_input_files(PHONE_PHOTO)
    expect(chosen(screen)).to_have_text("certificate-photo-iphone.heic is chosen, 247 kB.")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        pytest.param("script.svg", "script.svg is not a photo or a PDF. Choose a photo or a PDF.", id="a wrong type"),
        pytest.param("empty.jpg", "empty.jpg is empty. Choose it again, or take a new photo.", id="nothing in it"),
    ],
)
def test_a_file_that_will_not_do_is_announced_and_refused_with_a_reason(at_the_certificate, file, words):
    screen = at_the_certificate().answer(file=SAMPLES / file)
    expect(chosen(screen)).to_have_text(words)
    screen.press("Send this certificate").is_told()
    expect(screen.page.locator(".error-summary")).to_be_focused()


def test_the_input_is_named_as_its_question_reads(at_the_certificate):
    screen = at_the_certificate()
    words = screen.page.locator("label[for=file]").inner_text()
    expect(screen.control("file")).to_have_accessible_name(words)
    assert words == QUESTION


def test_a_photo_is_made_smaller_on_the_phone_and_its_place_stays_there(at_the_certificate, received):
    before = Image.open(BytesIO(WITH_PLACE.read_bytes()))
    assert before.getexif().get_ifd(GPS)
    screen = at_the_certificate().answer(file=WITH_PLACE)
    expect(chosen(screen)).to_contain_text("is now")
    screen.press("Send this certificate", leads_to=re.compile("certificate say"))
    [sent] = received
    after = Image.open(BytesIO(sent))
    assert len(sent) < WITH_PLACE.stat().st_size
    assert max(after.size) <= 2048
    assert (after.width > after.height) != (before.width > before.height)  # upright: it was taken turned
    assert not after.getexif()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photo_that_was_cut_short_is_not_made_whole_on_the_phone(at_the_certificate, received, tmp_path, kind):
    """U7."""
    whole = saved(corners(640, 480), kind)
    cut = tmp_path / f"certificate.{kind.lower()}"
    cut.write_bytes(whole[: len(whole) * 3 // 4])
    for photo in (cut, SAMPLES / "truncated.jpg"):
        screen = at_the_certificate().answer(file=photo).press("Send this certificate")
        screen.is_told(UNFINISHED)
        assert received[-1] == photo.read_bytes()


def test_without_script_the_photo_goes_as_it_is(at_the_certificate, received):
    screen = at_the_certificate(script=False).answer(file=WITH_PLACE)
    screen.press("Send this certificate", leads_to=re.compile("certificate say"))
    assert received == [WITH_PLACE.read_bytes()]


def test_how_much_is_sent_is_shown_and_said(at_the_certificate):
    screen = at_the_certificate().answer(file=PHONE_PHOTO)
    line = screen.page.context.new_cdp_session(screen.page)
    line.send("Network.enable")
    slow = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 30_000}
    line.send("Network.emulateNetworkConditions", slow)
    screen.press("Send this certificate")
    expect(screen.page.get_by_role("progressbar", name="Sending")).to_be_visible()
    expect(screen.page.locator("[data-live]")).to_have_text(re.compile("percent sent"))
    line.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})  # it was seen
    screen.arrive(re.compile("certificate say"))


def test_a_lost_connection_is_told_and_the_photo_is_sent_again_by_itself(at_the_certificate, received):
    screen = at_the_certificate().answer(file=PHONE_PHOTO)
    expect(chosen(screen)).to_contain_text("is chosen")
    with screen.complaining(*NETWORK_IS_OFF):
        screen.page.context.set_offline(True)
        screen.press("Send this certificate")
        expect(screen.page.get_by_role("alert")).to_contain_text("We try again by ourselves in a moment")
        screen.page.context.set_offline(False)
        screen.arrive(re.compile("certificate say"))
    assert received == [PHONE_PHOTO.read_bytes()]

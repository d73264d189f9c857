"""What the portal tells browsers: nothing runs that is not ours, nothing private is kept, files are kept for a year."""

import gzip
from collections.abc import Callable
from datetime import timedelta

import brotli
import pytest
from flask import Flask

from portal.gateways.payments.stripe_checkout import StripeCheckout
from portal.views.words import BUILT, manifest
from tests.support.people import Arrival, Person
from tests.support.portal import AppMaker
from tests.support.registrations import Registrations

OPEN_PAGES = ["/", "/sign-in", "/register", "/proof", "/fees", "/rules", "/privacy", "/accessibility"]
ANY_ANSWER = [*OPEN_PAGES, "/dogs", "/nothing-here", "/health/live", "/health/ready"]


def policy(app: Flask, path: str) -> dict[str, list[str]]:
    """The content security policy of an answer, by directive."""
    directives = app.test_client().get(path).headers["Content-Security-Policy"].split("; ")
    return {name: sources.split() for name, _, sources in (directive.partition(" ") for directive in directives)}


@pytest.mark.parametrize("path", ANY_ANSWER)
def test_only_our_own_files_run_or_style_a_page(app: Flask, path: str) -> None:
    found = policy(app, path)
    assert found["default-src"] == ["'none'"]
    assert found["script-src"] == ["'self'"]
    assert found["style-src"] == ["'self'"]
    assert found["base-uri"] == ["'none'"]
    assert found["frame-ancestors"] == ["'none'"]
    assert not [source for sources in found.values() for source in sources if "unsafe" in source or source == "*"]


def test_forms_lead_to_us_and_to_the_card_page_alone(app: Flask, make_app: AppMaker) -> None:
    stripe = StripeCheckout(secret_key="sk", webhook_secret="wh")
    assert policy(make_app(processor=stripe), "/")["form-action"] == ["'self'", "https://checkout.stripe.com"]


@pytest.mark.parametrize("path", ANY_ANSWER)
def test_an_answer_is_taken_for_what_it_is_and_shown_in_no_frame(app: Flask, path: str) -> None:
    headers = app.test_client().get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/sign-in", "/nothing-here"])
def test_a_page_is_told_apart_from_what_a_script_asks_for(app: Flask, path: str) -> None:
    assert "HX-Request" in app.test_client().get(path).headers["Vary"]


def test_nothing_of_a_person_is_kept_by_a_browser(resident: Person, registrations: Registrations) -> None:
    registered = registrations.dog()
    for path in ("/dogs", f"/dogs/{registered.animal_id}", f"/pay/{registered.order_id}", "/register/owner"):
        resident.visit(path)
        assert resident.answer.headers["Cache-Control"] == "no-store", path


def test_the_form_of_someone_signed_out_is_not_kept_either(visitor: Person) -> None:
    visitor.visit("/sign-in")
    assert visitor.answer.headers["Cache-Control"] == "no-store"


def test_the_cookie_is_ours_alone_and_out_of_reach_of_scripts(visitor: Person) -> None:
    visitor.visit("/sign-in").submit(email="pat@example.com", follow=False, status=303)
    cookie = visitor.answer.headers["Set-Cookie"]
    assert cookie.startswith("portal=")
    assert "; HttpOnly" in cookie
    assert "; SameSite=Lax" in cookie
    assert "Domain" not in cookie


def test_in_public_the_cookie_and_the_site_are_for_https_alone(make_app: AppMaker, arrive: Arrival) -> None:
    person = arrive(app=make_app(base_url="https://animals.example.gov"))
    person.origin = "https://animals.example.gov"
    person.visit("/sign-in").submit(email="pat@example.com", follow=False, status=303)
    cookie = person.answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-portal=")
    assert "; Secure" in cookie
    assert "; Path=/" in cookie
    assert person.answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")


@pytest.mark.parametrize("path", ANY_ANSWER)
def test_every_answer_over_https_asks_for_https_from_then_on(make_app: AppMaker, path: str) -> None:
    answer = (
        make_app(base_url="https://animals.example.gov").test_client().get(path, base_url="https://animals.example.gov")
    )
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert answer.headers["Referrer-Policy"] == "same-origin", "forms over HTTPS need their Referer"


@pytest.mark.parametrize("name", sorted(manifest()))
def test_a_built_file_is_kept_for_good_since_its_name_changes_with_it(app: Flask, name: str) -> None:
    with app.test_client().get(f"/static/{manifest()[name]}") as answer:
        assert answer.status_code == 200
        assert answer.cache_control.immutable
        assert (answer.cache_control.max_age or 0) >= timedelta(days=365).total_seconds()


@pytest.mark.parametrize(
    ("coding", "suffix", "opened"), [("br", ".br", brotli.decompress), ("gzip", ".gz", gzip.decompress)]
)
@pytest.mark.parametrize("name", ["portal.css", "portal.js", "start.js"])
def test_a_built_file_lies_compressed(
    app: Flask, name: str, coding: str, suffix: str, opened: Callable[[bytes], bytes]
) -> None:
    built = manifest()[name]
    with app.test_client().get(f"/static/{built}", headers={"Accept-Encoding": coding}) as answer:
        assert answer.headers["Content-Encoding"] == coding
        assert answer.data == (BUILT / f"{built}{suffix}").read_bytes()
        assert opened(answer.data) == (BUILT / built).read_bytes()


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_a_page_is_compressed_on_its_way(app: Flask, coding: str) -> None:
    answer = app.test_client().get("/", headers={"Accept-Encoding": coding})
    assert answer.headers["Content-Encoding"] == coding


def test_every_file_a_page_asks_for_is_our_own(visitor: Person) -> None:
    visitor.visit("/")
    wanted = [
        one.get("src") or one.get("href")
        for one in visitor.page.document.iter()
        if one.tag in ("script", "link", "img")
    ]
    assert wanted
    assert all(address and address.startswith("/static/") for address in wanted)

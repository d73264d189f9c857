"""The town's pages: fees, rules, privacy, accessibility."""

from dataclasses import replace
from datetime import date

import pytest

from portal.ordinance.citation import Rule
from portal.ordinance.fees import LateFee, LicenseTiers

PAGES = ["/fees", "/rules", "/privacy", "/accessibility"]


def with_city(arrive, make_app, gateways, **changes):
    return arrive(app=make_app(city=replace(gateways.city, **changes)))


@pytest.mark.parametrize("path", PAGES)
def test_the_towns_pages_are_open_to_everyone_and_linked_from_each_page(visitor, path):
    page = visitor.visit(path)
    assert "no-store" not in page.answer.headers["Cache-Control"]
    assert "Set-Cookie" not in page.answer.headers
    assert path in [link.get("href") for link in page.page.document.iter("a")]


def test_each_fee_has_its_purpose_section_and_resolution(visitor):
    page = visitor.visit("/fees")
    for words in ("$10.00", "$5.00", "$300.00", "$25.00", "$20.00", "Sample resolution 2026-01", "January 1, 2026"):
        assert words in page.text
    for section in ("90.04(B)(4)", "90.04(B)(5)", "90.07(C)", "90.13(H)(6)", "90.18"):
        assert f"City Code § {section}" in page.text


def test_fees_nobody_confirmed_are_marked_and_confirmed_ones_are_not(visitor, arrive, make_app, gateways):
    assert "is not confirmed by the city yet" in visitor.visit("/fees").text
    confirmed = with_city(arrive, make_app, gateways, samples=frozenset())
    assert "sample" not in confirmed.visit("/fees").text.replace("Sample resolution", "")


def test_a_new_resolution_is_shown_before_it_starts(arrive, make_app, gateways):
    """Example 38."""
    coming = replace(
        gateways.city.fees[0],
        effective_from=date(2027, 1, 1),
        resolution="Resolution 2026-40",
        license_cents=1500,
        tiers=LicenseTiers(1200, 2400),
        late=LateFee(700, 30),
        duplicate_tag_cents=0,
    )
    text = with_city(arrive, make_app, gateways, fees=(*gateways.city.fees, coming)).visit("/fees").text
    assert text.index("$10.00") < text.index("From January 1, 2027 Resolution 2026-40") < text.index("$12.00")
    for words in ("$24.00", "$7.00", "Once 30 days have passed", "No charge"):
        assert words in text


def test_before_any_resolution_the_page_says_whom_to_ask(arrive, make_app, gateways):
    later = replace(gateways.city.fees[0], effective_from=date(2030, 1, 1))
    assert "No fees are set for today" in with_city(arrive, make_app, gateways, fees=(later,)).visit("/fees").text


def test_every_rule_about_licenses_stands_with_its_section(visitor, gateways):
    text = visitor.visit("/rules").text
    licensing = [rule for rule in Rule if rule.startswith("90.04")]
    for rule in (*licensing, Rule.KENNEL, Rule.STATE_IMPORT, Rule.ADA_SERVICE_ANIMALS):
        assert gateways.city.citation(rule).label in text


def test_another_citys_sections_are_printed_as_its_file_says(arrive, make_app, gateways):
    citations = {**gateways.city.citations, Rule.TAG: replace(gateways.city.citation(Rule.TAG), label="Ord. 5 § 7")}
    assert "Ord. 5 § 7" in with_city(arrive, make_app, gateways, citations=citations).visit("/rules").text


def test_the_privacy_notice_answers_what_the_law_asks(visitor):
    """Minn. Stat. 13.04 subd. 2: purpose, whether required, consequences, who may receive; 5B.05; 138.17."""
    text = visitor.visit("/privacy").text
    for words in (
        "This is notice number 4",
        "What we ask, and why",
        "What you must answer",
        "Without them no license can be issued",
        "Nothing happens if you do",
        "Who sees it",
        "Safe at Home",
        "is public unless a law says otherwise",
        "delete my account",
    ):
        assert words in text


def test_the_accessibility_page_names_the_standard_its_gaps_and_the_counter(visitor):
    text = visitor.visit("/accessibility").text
    for words in ("Guidelines 2.2", "320-555-0100", "at the counter", "Monday to Friday, 8 a.m. to 4:30 p.m."):
        assert words in text


@pytest.mark.parametrize("path", ["/nothing-here", "/fees/1", "/dogs/x", "/wp-login.php"])
def test_an_address_that_is_none_is_told_kindly(visitor, path):
    page = visitor.visit(path, status=404)
    assert page.h1 == "We can’t find this page"
    assert page.title.startswith("Error: ")

"""How likely two descriptions are of the same animal, and why, in words."""

from dataclasses import replace
from datetime import date

import pytest

from portal.services.matching.likeness import Described, likeness, miles_between
from portal.services.matching.match_pets import TOLD_FROM

SUNDAY, MONDAY = date(2026, 11, 29), date(2026, 11, 30)
BEAGLE = Described(species="dog", on=SUNDAY, breed="beagle", color="tan and white", wears="red collar")
HERE, NEAR = {"latitude": 45.315, "longitude": -95.600}, {"latitude": 45.3208, "longitude": -95.600}
MISSING = replace(BEAGLE, **HERE)
FOUND = replace(BEAGLE, **NEAR, on=MONDAY, breed="", color="white & tan", marks="wears a red nylon collar", wears="")


def test_it_is_explained_in_words():
    found = likeness(MISSING, FOUND)
    assert found.explained == "same color and collar, 0.4 miles, next day"
    assert found.score >= TOLD_FROM


def test_what_speaks_against_it_is_told_too():
    larger = replace(FOUND, size="large", sex="male", breed="beagle")
    found = likeness(replace(MISSING, size="medium", sex="female"), larger)
    assert found.explained == "same breed, color and collar, 0.4 miles, next day, but another sex and size"
    assert found.score < likeness(MISSING, replace(FOUND, breed="beagle")).score


@pytest.mark.parametrize(
    ("other", "why"),
    [
        pytest.param({"species": "cat"}, "another species", id="another species"),
        pytest.param({"chip": "985-141-000-999-999"}, "another chip", id="another chip"),
        pytest.param({"on": date(2026, 11, 27)}, "found before it was missing", id="found two days before"),
        pytest.param({"on": date(2027, 1, 29)}, "too late", id="found 61 days later"),
    ],
)
def test_what_cannot_be_is_no_match(other, why):
    assert likeness(replace(MISSING, chip="985141000123456"), replace(FOUND, **other)) is None, why


def test_a_chip_decides_whatever_else_is_said_and_whenever():
    chipped = replace(MISSING, chip="985141000123456")
    other = Described(species="dog", on=date(2027, 11, 29), color="black", sex="male", chip="985 141 000 123 456")
    assert likeness(chipped, other).score == 100
    assert likeness(chipped, other).explained == "same microchip, 365 days later"


def test_a_tag_comes_right_after_a_chip():
    tagged = likeness(replace(MISSING, tag="2026-0042"), replace(FOUND, tag="2026 0042", color="black"))
    assert (tagged.score, tagged.reasons[0]) == (97, "same tag")


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("golden", "yellow"),
        ("grey", "gray"),
        ("chocolate", "brown"),
        ("ginger", "orange"),
        ("Negro y blanco", "black and white"),
        ("tuxedo", "white with black"),
        ("café", "marrón"),
    ],
)
def test_two_people_call_a_color_by_different_words(one, another):
    assert "same color" in likeness(replace(MISSING, color=one), replace(FOUND, color=another)).explained


@pytest.mark.parametrize(
    ("one", "another"), [("lab mix", "Labrador Retriever"), ("pit bull", "pittie"), ("DSH", "shorthaired")]
)
def test_two_people_call_a_breed_by_different_words(one, another):
    assert "breed" in likeness(replace(MISSING, breed=one), replace(FOUND, breed=another)).explained


@pytest.mark.parametrize("nothing", ["mix", "unknown", "", "a small dog", "🐕"])
def test_words_that_tell_nothing_count_for_nothing(nothing):
    assert "breed" not in likeness(replace(MISSING, breed=nothing), replace(FOUND, breed=nothing)).explained


def test_what_one_of_them_did_not_say_speaks_neither_for_nor_against():
    bare = Described(species="dog", on=MONDAY)
    found = likeness(MISSING, bare)
    assert found.explained == "next day"
    assert found.score < TOLD_FROM


def test_without_positions_the_names_in_a_place_are_compared():
    said = [replace(one, latitude=None, longitude=None) for one in (MISSING, FOUND)]
    elm = likeness(replace(said[0], place="212 Elm Street"), replace(said[1], place="behind the church on Elm St."))
    assert "same place by its name" in elm.explained
    apart = likeness(replace(said[0], place="212 Elm Street"), replace(said[1], place="212 Oak Street"))
    assert elm.score > apart.score
    assert "place" not in apart.explained


def test_the_nearer_and_the_sooner_the_likelier():
    places = [replace(FOUND, latitude=45.315 + miles / 69) for miles in (0.1, 0.4, 0.9, 1.9, 4, 14, 40)]
    scores = [likeness(MISSING, one).score for one in places]
    assert scores == sorted(scores, reverse=True)
    days = [replace(FOUND, on=date.fromordinal(SUNDAY.toordinal() + days)) for days in (1, 3, 7, 14, 30, 60)]
    scores = [likeness(MISSING, one).score for one in days]
    assert scores == sorted(scores, reverse=True)


def test_nothing_but_a_chip_or_a_tag_makes_it_sure():
    alike = replace(MISSING, sex="female", size="medium", marks="scar on nose, docked tail, limps")
    assert 90 < likeness(alike, alike).score < 97


def test_miles_are_as_the_crow_flies():
    assert miles_between(MISSING, FOUND) == pytest.approx(0.4, abs=0.01)
    across_the_day_line = (
        replace(MISSING, latitude=0.0, longitude=179.99),
        replace(FOUND, latitude=0.0, longitude=-179.99),
    )
    assert miles_between(*across_the_day_line) == pytest.approx(1.38, abs=0.01)
    assert miles_between(MISSING, replace(FOUND, latitude=None)) is None

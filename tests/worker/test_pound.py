"""The keepers of an animal at the pound hear of it once, as soon as it is known whose it is (90.07(B))."""

import pytest

from portal.schema.impoundments import ImpoundBasis
from portal.worker.jobs import deliver_letters
from portal.worker.pets import tell_of_impounding
from tests.support.pound import impounded

WHOSE = "SELECT animal_id FROM animal_control.impoundment"


def never():
    return False


@pytest.fixture
def pepper(registrations, parts):
    """A licensed dog with a chip, tag 1 of 2026; what was queued for its keepers is sent."""
    kept = registrations.licensed("Pepper", microchip="985141000123456")
    deliver_letters(parts, never)
    return kept


@pytest.fixture
def told(parts, post):
    """Let the worker tell; the letters that went out because of it."""

    def told():
        before = len(post.taken)
        tell_of_impounding(parts, never)
        deliver_letters(parts, never)
        return post.taken[before:]

    return told


def test_keepers_are_written_to_once_with_the_day_and_the_way(pepper, told, database):
    impounded(database, animal_id=pepper.animal_id)
    [letter] = told()
    assert letter.to == "pat@example.com"
    assert letter.subject == "Pepper is at the pound"
    assert "at least through December 3, 2026" in letter.text
    assert f"/dogs/{pepper.animal_id}/pound" in letter.text
    assert told() == []


@pytest.mark.parametrize(
    "worn",
    [
        pytest.param({"microchip": "985 141 000 123 456"}, id="a chip read with blanks"),
        pytest.param({"tag_text": "2026-0001"}, id="the tag of its license"),
    ],
)
def test_what_it_wears_says_whose_it_is(pepper, told, database, worn):
    impounded(database, **worn)
    assert [letter.subject for letter in told()] == ["Pepper is at the pound"]
    assert database.value(WHOSE) == pepper.animal_id
    actor = "SELECT actor FROM animal_control.event WHERE kind = 'impoundment.identified'"
    assert database.value(actor) == "system"


@pytest.mark.parametrize(
    "stay",
    [
        pytest.param({}, id="nothing to know it by"),
        pytest.param({"tag_text": "2026-0099"}, id="a tag nobody has"),
        pytest.param({"microchip": "985141000123456", "species": "cat"}, id="a chip of another species"),
        pytest.param({"microchip": "985141000123456", "basis": ImpoundBasis.SEIZED}, id="held for another reason"),
        pytest.param({"microchip": "985141000123456", "left_on": "2026-11-26", "outcome": "reclaimed"}, id="gone"),
    ],
)
def test_where_there_is_doubt_nobody_is_written_to(pepper, told, database, stay):
    impounded(database, **stay)
    assert told() == []
    assert database.value(WHOSE) is None


def test_a_chip_that_two_animals_have_is_for_an_officer(pepper, registrations, told, database):
    registrations.dog("Rex", email="gavin@example.com", microchip="985141000123456")
    told()
    impounded(database, microchip="985141000123456")
    assert told() == []

"""The officer at the console: what comes to the pound, whose it is, and what leaves it (90.07)."""

from datetime import timedelta
from functools import partial

import pytest

from tests.support.documents import corners, saved

FINDER = ("--from-name", "Robin Moe", "--from-address", "12 Elm St, Benson")
STRAY = ("--species", "Dog", "--breed", "beagle", "--color", "tan and white", "--place", "behind 12 Elm St", *FINDER)


@pytest.fixture
def console(console):
    """Run a command of its kind: `console("list")`."""
    return partial(console, "pound")


@pytest.fixture
def today(clock):
    return clock.today()


def only(database):
    return str(database.value("SELECT id FROM animal_control.impoundment"))


def kinds(database):
    return [row.kind for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")][-4:]


def test_an_animal_is_written_down_with_its_picture_and_who_brought_it(console, database, tmp_path):
    photo = tmp_path / "dog.jpg"
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    assert "is kept for its owner through 20" in console("add", *STRAY, "--photo", str(photo))
    assert "tan and white beagle dog" in console("list")
    shown = console("show", only(database)[:8])
    assert "received from: Robin Moe, 12 Elm St, Benson" in shown
    assert "behind 12 Elm St" in shown
    assert database.value("SELECT count(*) FROM animal_control.document WHERE kind = 'animal_photo'") == 1
    detail = database.value("SELECT detail::text FROM animal_control.event WHERE kind = 'impoundment.added'")
    assert "Robin" not in detail


def test_the_officer_is_told_whom_to_tell_and_how(console, database, registrations):
    """90.07(B): personally or through the mail; what the portal writes is a courtesy."""
    pepper = registrations.licensed("Pepper")
    console("add", *STRAY)
    said = console("identify", only(database), str(pepper.animal_id)[:8], "--officer", "amy@benson.example")
    assert "personally or by US mail" in said
    assert "Pat O’Brien, (320) 555-0100 x12" in said
    assert "to be told" in console("list")
    console("told", only(database), "--how", "personally")
    assert "Tell its owner" not in console("show", only(database))
    assert kinds(database)[-3:] == ["impoundment.added", "impoundment.identified", "impoundment.owner_told"]


def test_a_registered_animal_is_at_the_pound_once(console, registrations):
    pepper = str(registrations.licensed("Pepper").animal_id)
    console("add", *STRAY, "--animal", pepper)
    assert "is at the pound already" in console("add", *STRAY, "--animal", pepper, fails=True)


def test_an_animal_leaves_and_its_record_stays(console, database, today):
    console("add", *STRAY, "--on", str(today - timedelta(days=2)))
    early = str(today - timedelta(days=3))
    assert "before it came" in console("release", only(database), "--as", "reclaimed", "--on", early, fails=True)
    console("release", only(database), "--as", "transferred", "--to-name", "Kim Lee", "--to-address", "1 Oak St")
    assert console("list") == "No animal is at the pound.\n"
    assert "transferred to: Kim Lee, 1 Oak St" in console("show", only(database))
    assert "left the pound already" in console("release", only(database), "--as", "died", fails=True)


def test_a_day_that_has_not_come_is_refused(console, today):
    assert "in the future" in console("add", *STRAY, "--on", str(today + timedelta(days=1)), fails=True)

"""The city gives keys to software that sends reports, and takes them back."""

from functools import partial

import pytest


@pytest.fixture
def console(console):
    """Run a command about keys: `console("list")`."""
    return partial(console, "open311", "key")


def test_a_key_is_shown_once_and_listed_by_its_name(console, database):
    assert console("list") == "No key was given out.\n"
    key = console("add", "Pothole app", "--officer", "amy@benson.example").strip()
    assert len(key) == 43
    listed = console("list")
    assert "Pothole app" in listed
    assert "amy@benson.example" in listed
    assert key not in listed
    assert key not in str(database.rows("SELECT * FROM portal.open311_key"))


def test_a_name_stands_for_one_key_until_it_is_taken_back(console):
    first = console("add", "Pothole app")
    assert "There is a key of this name" in console("add", " Pothole  app ", fails=True)
    assert "Give the key a name" in console("add", " ", fails=True)
    assert console("revoke", "Pothole app") == "The key of Pothole app is taken back.\n"
    assert "No key of this name" in console("revoke", "Pothole app", fails=True)
    assert console("add", "Pothole app") != first
    assert console("list").count("taken back") == 1

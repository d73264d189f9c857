"""The pictures of a dog that nothing shows any more are swept; those that something shows stay."""

from datetime import timedelta

import pytest

from portal.worker.jobs import sweep_files, sweep_rows
from portal.worker.reconciling import compare_files
from tests.support.pound import impounded
from tests.support.registrations import LATER
from tests.web.test_dog_photo import FIRST, SECOND


@pytest.fixture
def pepper(registrations):
    return registrations.dog("Pepper", certificate=LATER)


@pytest.fixture
def show(resident, pepper):
    """Pat sends a picture of Pepper."""
    return lambda photo=FIRST: resident.visit(f"/dogs/{pepper.animal_id}/photo").submit(file=photo)


@pytest.fixture
def left(parts, database, files, clock):
    """More than a year later the sweep has passed: the keys of the pictures of animals that are left."""

    def left():
        for key in files.files:
            files.modified[key] = clock.now() - timedelta(days=400)
        database.run("UPDATE portal.upload SET created_at = :at", at=clock.now() - timedelta(days=400))
        sweep_rows(parts, lambda: False)
        sweep_files(parts, lambda: False)
        return {key for key in files.files if key.startswith("animals/")}

    return left


def test_the_files_of_the_one_before_are_swept_and_nobody_misses_them(parts, show, left, files, database):
    show()
    before = {key for key in files.files if key.startswith("animals/")}
    show(SECOND)
    now = {key for key in files.files if key.startswith("animals/")} - before
    assert left() == now
    assert len(before) == len(now) == 2
    compare_files(parts, lambda: False)
    assert database.rows("SELECT subject FROM portal.finding") == []


def test_the_files_of_a_picture_that_was_taken_away_are_swept(resident, pepper, show, left):
    show()
    resident.visit(f"/dogs/{pepper.animal_id}/photo").submit(button="Take the picture away")
    assert left() == set()


def test_a_picture_that_the_pound_shows_stays(pepper, show, left, database):
    show()
    photo_id = database.value("SELECT photo_id FROM animal_control.animal")
    impounded(database, animal_id=pepper.animal_id, photo_id=photo_id)
    database.run("UPDATE animal_control.animal SET photo_id = NULL")
    assert len(left()) == 2


def test_the_picture_of_a_dog_that_died_stays_with_its_record(show, left, database):
    show()
    database.run("UPDATE animal_control.animal SET state = 'died'")
    assert len(left()) == 2

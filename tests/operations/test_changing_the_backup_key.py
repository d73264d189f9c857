"""Another key for backups: sealed for both for a while, then for the new one; older backups open with the old one."""

from dataclasses import replace

import pytest

from portal.gateways.backups.address import backup_at
from portal.gateways.backups.age_files import AgeKey
from portal.operations.restore import RestoreFailed, check


@pytest.fixture
def new_key() -> AgeKey:
    return AgeKey.new()


@pytest.fixture
def nights(place, age_key, new_key, tmp_path):
    """A backup of each night: before the change, while both keys are there, and after it."""

    def night(name, *keys):
        place.settings = replace(place.settings, backup_recipients=tuple(key.public for key in keys))
        return place.back_up(tmp_path / f"{name}.age").address

    return [night("before", age_key), night("between", age_key, new_key), night("after", new_key)]


def opens(backup: str, key: AgeKey) -> bool:
    try:
        check(backup_at(backup), key)
    except RestoreFailed as failure:
        if "it was sealed for another key" not in str(failure):
            raise
        return False
    return True


def test_each_night_opens_with_the_key_of_its_time(nights, age_key, new_key):
    assert [opens(night, age_key) for night in nights] == [True, True, False]
    assert [opens(night, new_key) for night in nights] == [False, True, True]


def test_one_file_with_both_keys_restores_every_night(nights, place, elsewhere, age_key, new_key):
    both = AgeKey.from_text(f"# 2027\n{new_key.private}\n# 2026\n{age_key.private}\n")
    assert both.public == new_key.public
    assert all(opens(night, both) for night in nights)
    elsewhere.restore(nights[0], both)
    assert elsewhere.rows() == place.rows()

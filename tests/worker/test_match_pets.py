"""Missing pets are compared with found ones and with the pound, both ways, and their people hear of a pair once."""

from datetime import date, timedelta

import pytest
from sqlalchemy import event

from portal.schema.impoundments import ImpoundBasis
from portal.schema.notices import Holding, NoticeKind, NoticeState
from portal.services.notices.rows import passed_on_key
from portal.worker.jobs import deliver_letters
from portal.worker.pets import match_pets
from tests.support.notices import notice
from tests.support.portal import MORNING
from tests.support.pound import impounded

FOUND = {"kind": NoticeKind.FOUND, "holding": Holding.HELD}
PAIRS = "SELECT * FROM animal_control.notice_match ORDER BY score DESC"
PAT = "pat@example.com"
FINDER = ("robin@example.com", "(320) 555-0177")


def never():
    return False


@pytest.fixture
def lost(database, registrations):
    """Pat misses Pepper, a gray and white dog with a red collar, since yesterday."""

    def lost(reference="4K7PQ-XRM2T", *, chip="", email=PAT, **said):
        return notice(database, reference, account_id=registrations.account(email), apart={"chip": chip}, **said)

    return lost


@pytest.fixture
def found(database):
    """Robin found a dog, and wants to be written to."""

    def found(reference="7M3NB-QW8RT", *, chip="", tag="", **said):
        apart = {"email": FINDER[0], "phone": FINDER[1], "chip": chip, "tag": tag}
        return notice(database, reference, apart=apart, **{**FOUND, "happened_on": date(2026, 11, 30), **said})

    return found


@pytest.fixture
def told(parts, post, outbox):
    """Let the worker compare and tell; the letters that went out because of it."""

    def told():
        deliver_letters(parts, never)
        before = len(post.taken)
        match_pets(parts, never)
        deliver_letters(parts, never)
        return [letter for letter in post.taken[before:] if "may have been found" in letter.subject]

    return told


@pytest.mark.parametrize("which_first", ["missing", "found"])
def test_whichever_comes_first_the_owner_is_told_once_and_why(lost, found, told, database, which_first):
    first, then = (lost, found) if which_first == "missing" else (found, lost)
    first()
    assert told() == []
    then()
    [letter] = told()
    assert letter.to == PAT
    assert letter.subject == "Pepper may have been found"
    assert "same color and collar" in letter.text
    assert "next day" in letter.text
    assert "/found/7M3NB-QW8RT" in letter.text
    assert "/notices/4K7PQ-XRM2T" in letter.text
    assert told() == []
    assert len(database.rows(PAIRS)) == 1


def test_the_owner_learns_nothing_of_the_finder(lost, found, told):
    lost()
    found()
    [letter] = told()
    seen = f"{letter.subject}{letter.text}{letter.html}{letter.reply_to}"
    assert [detail for detail in FINDER if detail in seen] == []


def test_an_animal_at_the_pound_may_be_the_missing_one(lost, told, database):
    lost(breed="beagle", color="tan and white", happened_on=date(2026, 11, 24))
    stay = impounded(database)
    [letter] = told()
    assert "At the pound: same breed, color and collar, next day." in letter.text.replace("\u200b", "")
    assert f"/pound/{stay.id}" in letter.text


def test_one_at_the_pound_is_found_by_a_notice_that_comes_later(lost, told, database):
    impounded(database)
    assert told() == []
    lost(breed="beagle", color="tan and white", happened_on=date(2026, 11, 24))
    assert len(told()) == 1


@pytest.mark.parametrize(
    "stay",
    [
        pytest.param({"basis": ImpoundBasis.SEIZED}, id="held for another reason"),
        pytest.param({"left_on": date(2026, 11, 26), "outcome": "reclaimed"}, id="gone"),
        pytest.param({"species": "cat"}, id="a cat"),
    ],
)
def test_not_everything_at_the_pound_is_told_of(lost, told, database, stay):
    impounded(database, **stay)
    lost(breed="beagle", color="tan and white", happened_on=date(2026, 11, 24))
    assert told() == []


def test_its_keepers_need_no_second_letter_of_their_own_animal(lost, told, registrations, database):
    """The pound wrote to them already."""
    pepper = registrations.licensed("Pepper")
    impounded(database, animal_id=pepper.animal_id)
    lost(animal_id=pepper.animal_id, breed="beagle", color="tan and white", happened_on=date(2026, 11, 24))
    assert told() == []


@pytest.mark.parametrize("worn", [{"chip": "985141000123456"}, {"tag": "2026-1"}])
def test_a_chip_or_tag_leads_to_a_registered_animal_nobody_gave_notice_of(found, told, registrations, worn):
    registrations.licensed("Pepper", microchip="985141000123456")
    found(color="black", **worn)
    [letter] = told()
    assert letter.to == PAT
    assert "same microchip" in letter.text or "same tag" in letter.text
    assert told() == []


def test_whose_number_the_finder_read_is_written_to_once(found, told, registrations, database):
    registrations.licensed("Pepper")
    key = passed_on_key(found(tag="2026-1").id)
    database.run("INSERT INTO portal.relay (id, animal_id) SELECT :key, id FROM animal_control.animal", key=key)
    assert told() == []
    assert database.rows(PAIRS)[0].told_at


def test_a_tag_leads_to_the_notice_of_its_animal_however_it_is_described(lost, found, told, registrations, database):
    pepper = registrations.licensed("Pepper")
    lost(animal_id=pepper.animal_id)
    found(tag="2026-0001", color="black", wears="blue collar")
    [letter] = told()
    assert "same tag" in letter.text
    [pair] = database.rows(PAIRS)
    assert (pair.score, pair.animal_id) == (100, None)


def test_a_chip_is_found_whatever_the_day(lost, found, told):
    lost(chip="985141000123456", happened_on=date(2026, 1, 5))
    found(chip="985141000123456", color="black")
    [letter] = told()
    assert "same microchip" in letter.text


def test_several_that_are_new_come_in_one_letter_the_likeliest_first(lost, found, told):
    lost(breed="poodle")
    found("7M3NB-AAAAA")
    found("7M3NB-BBBBB", breed="poodle")
    [letter] = told()
    assert letter.text.index("7M3NB-BBBBB") < letter.text.index("7M3NB-AAAAA")


@pytest.mark.parametrize("state", [NoticeState.CHECKING, NoticeState.HOME, NoticeState.WITHDRAWN, NoticeState.EXPIRED])
@pytest.mark.parametrize("which", ["missing", "found"])
def test_only_notices_that_are_shown_are_compared(lost, found, told, state, which):
    lost(**({"state": state} if which == "missing" else {}))
    found(**({"state": state} if which == "found" else {}))
    assert told() == []


def test_once_it_is_home_nothing_more_is_told(lost, found, told, database, clock):
    missing = lost()
    found("7M3NB-AAAAA")
    assert len(told()) == 1
    found("7M3NB-BBBBB")
    assert told() == []
    home = "UPDATE animal_control.pet_notice SET state = 'home', closed_at = now() WHERE id = :id"
    database.run(home, id=missing.id)
    clock.move_to(MORNING + timedelta(hours=2))
    assert told() == []


def test_a_notice_that_changes_is_compared_again(lost, found, told, database):
    lost(color="black", wears="")
    found(wears="")
    assert told() == []
    database.run(
        "UPDATE animal_control.pet_notice SET color = 'gray and white', wears = 'a red collar', changed_at = :at"
        " WHERE kind = 'lost'",
        at=date(2030, 1, 1),
    )
    database.run("UPDATE animal_control.pet_notice SET wears = 'red collar' WHERE kind = 'found'")
    assert len(told()) == 1


def test_at_most_five_are_told_of_at_once(lost, found, told):
    lost()
    for number in range(8):
        found(f"7M3NB-{number:05}")
    [letter] = told()
    assert letter.text.count("/found/") == 5
    assert "And 3 more on your notice" in letter.text
    assert told() == []


def test_letters_are_an_hour_apart_but_for_a_chip(lost, found, told, clock):
    lost(chip="985141000123456")
    found("7M3NB-AAAAA")
    assert len(told()) == 1
    found("7M3NB-BBBBB")
    assert told() == []
    found("7M3NB-CCCCC", chip="985141000123456")
    [letter] = told()
    assert "7M3NB-BBBBB" in letter.text
    found("7M3NB-DDDDD")
    assert told() == []
    clock.move_to(MORNING + timedelta(minutes=61))
    assert len(told()) == 1


def test_comparing_asks_the_database_the_same_few_times_whatever_there_is(lost, found, parts):
    for number in range(30):
        found(f"7M3NB-{number:05}", color="black", wears="blue collar")
    match_pets(parts, never)
    lost()
    sent = []

    def count(*about):
        sent.append(about[2])

    event.listen(parts.gateways.engine, "before_cursor_execute", count)
    match_pets(parts, never)
    event.remove(parts.gateways.engine, "before_cursor_execute", count)
    assert 0 < len(sent) <= 12


def test_what_an_officer_follows_is_told_without_a_name(lost, found, told, database):
    lost()
    found()
    told()
    [matched] = database.rows("SELECT * FROM animal_control.event WHERE kind = 'pets.matched'")
    assert matched.subject_table == "notice_match"
    assert matched.actor == "system"
    assert set(matched.detail) == {"score"}

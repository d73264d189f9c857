"""Two people press at the same moment: a link works once, somebody is always left to keep the dog, one owner is new."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from portal.schema.household import InvitationKind
from portal.services.accounts.change_email import ask_for_email_change, confirm_email_change
from portal.services.households.accept_invitation import NewKeeper, accept_invitation
from portal.services.households.household import leave_animal
from portal.services.refusal import NotTheirs, Refused
from tests.support.household import GAVIN, GAVINS_HOME
from tests.support.owing import committed


@pytest.fixture
def at_once(gateways):
    """Do each of these in a transaction of its own, all at once; what each gave, or how it was refused."""

    def do(deed: Callable[[Any], Any]) -> Any:
        try:
            with committed(gateways.engine) as session:
                return deed(session)
        except (NotTheirs, Refused) as no:
            return type(no)

    def at_once(*deeds: Callable[[Any], Any]) -> list[Any]:
        with ThreadPoolExecutor(len(deeds)) as people:
            return list(people.map(do, deeds))

    return at_once


def says_yes(path, account_id, clock):
    token, who = path.rpartition("/")[2], NewKeeper(GAVIN, GAVINS_HOME)
    return lambda session: accept_invitation(session, token=token, account_id=account_id, new_keeper=who, clock=clock)


def test_a_link_pressed_twice_at_once_works_once(registrations, household, at_once, clock, database):
    path = household.invites(registrations.dog("Pepper"))
    yes = says_yes(path, registrations.account("gavin@example.com"), clock)
    found = at_once(yes, yes, yes, yes)
    assert found.count(NotTheirs) == 3
    assert database.value("SELECT count(*) FROM animal_control.keeper") == 2
    assert database.value("SELECT count(*) FROM animal_control.person") == 2


def test_of_two_new_owners_who_say_yes_at_once_one_waits_for_the_city(
    registrations, household, at_once, clock, database
):
    pepper = registrations.dog("Pepper")
    household.gives_away(pepper)
    deeds = []
    for email in ("gavin@example.com", "mai@example.com"):
        path = household.invites(pepper, email, kind=InvitationKind.NEW_OWNER)
        deeds.append(says_yes(path, registrations.account(email), clock))
    assert at_once(*deeds).count(NotTheirs) == 1
    assert database.value("SELECT count(*) FROM animal_control.ownership_claim") == 1


def test_when_both_leave_at_once_one_of_them_is_left(registrations, household, at_once, clock, database):
    pepper = registrations.dog("Pepper")
    household.joins(pepper)
    people = [row.person_id for row in database.rows("SELECT person_id FROM animal_control.keeper")]

    def leaves(person_id):
        return lambda session: leave_animal(session, animal_id=pepper.animal_id, person_id=person_id, clock=clock)

    assert sorted(at_once(*map(leaves, people)), key=str) == [Refused, None]
    assert database.value("SELECT count(*) FROM animal_control.keeper WHERE until IS NULL") == 1


def test_both_mailboxes_saying_yes_at_once_make_the_change(registrations, at_once, clock, gateways, outbox, database):
    account_id = registrations.account("pat@example.com")
    with committed(gateways.engine) as session:
        ask_for_email_change(session, account_id=account_id, new_email="new@example.com", clock=clock)
    letters = [one for one in outbox.messages() if one.template.startswith("email_change_")]
    tokens = [letter.context["path"].rpartition("/")[2] for letter in letters]

    def yes(token):
        return lambda session: confirm_email_change(session, token=token, clock=clock)

    assert sorted(at_once(*map(yes, tokens))) == [False, True]
    assert database.value("SELECT email FROM portal.account") == "new@example.com"

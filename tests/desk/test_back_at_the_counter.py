"""Somebody without an account comes back: for a new tag, because the dog is not with them any more, or to say so."""

from datetime import date, timedelta

import pytest

from portal.ordinance.dangerous import Designated
from portal.schema.household import InvitationKind
from portal.schema.staff import StaffRole
from tests.support.desk import CLERK
from tests.support.notices import notice

STATE = "SELECT state FROM animal_control.animal"
TAGS = "SELECT issue, state, delivery FROM animal_control.tag ORDER BY issue"
ORDERS = "SELECT count(*) FROM animal_control.fee_order"


@pytest.fixture
def rex(ole, clerk, database):
    """The clerk looks at Ole's dog, whose tag has gone out."""
    database.run("UPDATE animal_control.tag SET state = 'sent', sent_at = now()")
    clerk.click("Rex")
    return database.value("SELECT id FROM animal_control.animal")


def test_who_lost_the_tag_pays_at_the_counter_and_takes_the_new_one_along(rex, clerk, database):
    """90.04(B)(5): a duplicate shall be issued; the same number, and the old one is dead."""
    clerk.click("A new tag for it")
    assert "A duplicate tag costs $5.00." in clerk.text
    clerk.submit(loss="lost", told="Off the collar, in the lake")
    assert clerk.path.startswith("/desk/counter/")
    assert "Duplicate tag 2026-1: Rex" in clerk.text
    clerk.submit()
    assert [tuple(row.values()) for row in database.rows(TAGS)] == [(1, "lost", "mail"), (2, "to_send", "pick_up")]
    asked = "SELECT actor FROM animal_control.event WHERE kind = 'tag.duplicate_requested'"
    assert database.value(asked) == f"officer:{clerk.email}"
    assert database.value("SELECT told FROM animal_control.tag_request") == "Off the collar, in the lake"


def test_the_same_wish_for_a_tag_sent_again_after_it_was_paid_is_one_order(rex, clerk, registrations, database):
    clerk.click("A new tag for it")
    path, sent = clerk.path, clerk.page.form(button=None, names={"loss": "lost"}).filled({"loss": "lost"}, button=None)

    def press():
        answer = clerk.client.post(path, data=sent, base_url=clerk.origin, headers={"Origin": clerk.origin})
        return answer.headers["Location"]

    first = press()
    registrations.take(database.value("SELECT reference FROM animal_control.fee_order WHERE state = 'open'"))
    assert press() == first
    assert database.value(ORDERS) == 2, "of the license and of the tag"
    assert database.value("SELECT count(*) FROM animal_control.tag") == 2


def test_who_asked_for_a_tag_by_mail_and_comes_for_it_today_gets_it_as_they_say_today(
    rex, clerk, registrations, database
):
    for answers in ({"loss": "lost", "delivery": "mail"}, {"loss": "destroyed", "delivery": "pick_up"}):
        clerk.visit(f"/desk/dogs/{rex}/duplicate-tag").submit({**answers, "told": "In the lake"})
    assert database.value(ORDERS) == 2, "of the license and of the tag"
    registrations.take(database.value("SELECT reference FROM animal_control.fee_order WHERE state = 'open'"))
    assert [tuple(row.values()) for row in database.rows(TAGS)] == [(1, "destroyed", "mail"), (2, "to_send", "pick_up")]
    told = "SELECT kind, actor FROM animal_control.event WHERE kind ~ '^tag.(duplicate|destroyed)' ORDER BY id"
    assert [tuple(row.values()) for row in database.rows(told)] == [
        ("tag.duplicate_requested", f"officer:{clerk.email}"),
        ("tag.duplicate_changed", f"officer:{clerk.email}"),
        ("tag.destroyed", "system"),
    ]


def test_a_tag_that_lies_here_still_is_told_of_before_somebody_pays_for_another(rex, clerk, database):
    database.run("UPDATE animal_control.tag SET state = 'to_send', sent_at = NULL")
    clerk.click("A new tag for it")
    assert "Tag 2026-1 has not gone out yet" in clerk.text
    clerk.submit(loss="lost", told="It never came", status=422)
    [mistake] = clerk.errors
    assert mistake.startswith("The tag has not gone out yet")
    assert clerk.page.values["told"] == ["It never came"]
    assert database.value(ORDERS) == 1
    clerk.submit(insists=True)
    assert clerk.path.startswith("/desk/counter/")


def test_no_tag_is_asked_for_where_no_license_is_in_force(rex, working, clock):
    clock.move_to(clock.at.replace(year=2027, month=12, day=1))
    clerk = working(CLERK, StaffRole.CLERK)
    clerk.visit(f"/desk/dogs/{rex}/duplicate-tag")
    assert "There is no license in force to replace a tag for." in clerk.text


def test_a_dog_that_died_is_told_of_once_and_nothing_is_asked_for_it_any_more(ole, rex, clerk, database):
    """90.12(E), 90.04(B)(5): Ole renewed for next year yesterday, and owes for it."""
    clerk.visit(f"/desk/people/{ole}/renew").submit()
    clerk.visit(f"/desk/dogs/{rex}").click("It died, left or was given away")
    assert "within 12 hours" in clerk.text
    clerk.submit(status=422, note="He was old.")
    assert clerk.errors == ["Choose what happened"]
    assert clerk.page.values["note"] == ["He was old."]
    clerk.submit(kind="died", happened_on=date(2026, 10, 30))
    assert clerk.h1 == "Rex"
    assert "Noted. For Rex no license is asked for any more" in clerk.page.html
    assert database.value(STATE) == "died"
    states = database.rows("SELECT state FROM animal_control.fee_order ORDER BY created_at")
    assert [order.state for order in states] == ["paid", "canceled"]
    [told] = database.rows("SELECT kind, happened_on, note FROM animal_control.departure")
    assert tuple(told.values()) == ("died", date(2026, 10, 30), "He was old.")
    actor = "SELECT actor FROM animal_control.event WHERE kind = 'animal.died'"
    assert database.value(actor) == f"officer:{clerk.email}"
    assert "A new tag for it" not in clerk.links
    assert "not kept here any more" in clerk.visit(f"/desk/dogs/{rex}/gone").text


def test_a_departure_told_by_mistake_is_taken_back_at_the_counter_however_late(rex, clerk, working, database, clock):
    clerk.click("It died, left or was given away").submit(kind="left_city")
    clock.move_to(clock.now() + timedelta(days=90))
    clerk = working(CLERK, StaffRole.CLERK)
    clerk.visit(f"/desk/dogs/{rex}").click("It is kept here after all").submit()
    assert "Rex is kept here again." in clerk.page.html
    assert database.value(STATE) == "kept"
    assert database.value("SELECT undone_at IS NOT NULL FROM animal_control.departure")
    assert "nobody told otherwise" in clerk.visit(f"/desk/dogs/{rex}/kept-again").text


def test_what_was_taken_back_before_is_said_to_be_so(rex, clerk):
    clerk.click("It died, left or was given away").submit(kind="left_city")
    form = clerk.visit(f"/desk/dogs/{rex}/kept-again").page
    clerk.submit()
    clerk.page = form
    clerk.submit()
    assert "Rex is kept here: nobody told otherwise." in clerk.page.html
    assert "Rex is kept here again." not in clerk.page.html


def test_a_departure_is_not_taken_back_while_somebody_says_the_dog_is_theirs(clerk, registrations, household, database):
    pepper = registrations.licensed()
    household.claims(pepper)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/kept-again").submit(status=422)
    assert clerk.errors == ["Somebody has said that they keep it now. Decide that first"]
    assert database.value(STATE) == "given_away"


def test_the_link_for_a_new_owner_opens_nothing_after_that_even_if_the_dog_is_given_away_anew(
    clerk, registrations, household, visitor, clock
):
    """Pat thought better of it and told the clerk so; a week later Pepper went to somebody else."""
    pepper = registrations.licensed()
    household.gives_away(pepper)
    link = household.invites(pepper, kind=InvitationKind.NEW_OWNER)
    assert "Pepper" in visitor.visit(link).text
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/kept-again").submit()
    visitor.visit(link, status=410)
    clock.move_to(clock.now() + timedelta(days=7))
    household.gives_away(pepper)
    visitor.visit(link, status=410)
    assert "Pepper" in visitor.visit(household.invites(pepper, "mai@example.com", kind=InvitationKind.NEW_OWNER)).text


def test_whoever_keeps_the_dog_too_is_written_to_and_nobody_looks_for_it_any_more(
    clerk, registrations, household, database, outbox
):
    """Somebody says at the counter that they are Pat, and that Pepper has a new home; Gavin keeps it with Pat."""
    pepper = registrations.licensed()
    household.joins(pepper, "gavin@example.com")
    notice(database, animal_id=pepper.animal_id)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/gone").submit(kind="given_away", status=422)
    assert clerk.errors == ["Choose who tells it"]
    clerk.submit(told_by=str(pepper.person_id))
    assert outbox.templates(to="gavin@example.com")[-1] == "told_gone"
    for mailbox in ("gavin@example.com", "pat@example.com"):
        [letter] = outbox.letters(to=mailbox, template="told_gone")
        assert "The city was told at the counter that Pepper has a new home." in " ".join(letter.text.split())
    assert database.value("SELECT state FROM animal_control.pet_notice") == "withdrawn"


@pytest.mark.parametrize(
    ("kind", "sections"),
    [
        pytest.param(Designated.DANGEROUS, {"90.12(E)", "90.13(H)(12)", "90.13(N)"}, id="90.13(H)(12), (N)"),
        pytest.param(Designated.POTENTIALLY_DANGEROUS, {"90.12(E)", "90.13(N)"}, id="90.13(N) alone"),
    ],
)
def test_of_a_designated_dog_that_is_gone_each_section_that_counts_is_named(
    officer, registrations, dangerous, kind, sections
):
    pepper = registrations.licensed()
    dangerous.designated(pepper, kind=kind)
    officer.visit(f"/desk/dogs/{pepper.animal_id}/gone")
    named = {section for section in ("90.12(E)", "90.13(H)(12)", "90.13(N)") if section in officer.text}
    assert named == sections


def test_an_officer_is_reminded_of_the_written_notice_for_a_designated_dog(officer, registrations, dangerous):
    """90.13(H)(12), (H)(14), (N)."""
    pepper = registrations.licensed()
    dangerous.designated(pepper)
    officer.visit(f"/desk/dogs/{pepper.animal_id}/gone")
    assert "Pepper is designated as dangerous: its owner owes the city a written notice" in officer.text
    assert "If a city has declared" not in officer.text


def test_a_clerk_tells_of_the_notice_that_may_be_owed_and_hears_of_no_designation(clerk, registrations, dangerous):
    """Of every dog the same, so that it says nothing of this one."""
    pepper, rex = registrations.licensed(), registrations.licensed("Rex", email="gavin@example.com")
    dangerous.designated(pepper)
    for dog in (pepper, rex):
        clerk.visit(f"/desk/dogs/{dog.animal_id}/gone")
        assert f"If a city has declared {dog.name} dangerous or potentially dangerous, a written notice" in clerk.text
        assert "is designated" not in clerk.text
        assert "90.13(H)(12)" not in clerk.text

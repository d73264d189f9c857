"""A dog given to somebody: they are invited, the city decides, tag and license stay with the dog (90.04(B)(5))."""

import pytest

from portal.ordinance.licensing import Situation
from portal.schema.animals import Animal
from portal.schema.departures import OwnershipClaim
from portal.schema.household import InvitationKind, KeeperInvitation
from portal.schema.licenses import License, Tag
from tests.support.household import GAVIN, GAVINS_HOME

ANSWERS = {"owner_name": GAVIN.name, "phone": GAVIN.phone, "is_adult": "yes", "line1": GAVINS_HOME.line1}
KEPT_BY = """
    SELECT name FROM animal_control.keeper k JOIN animal_control.person p ON p.id = k.person_id WHERE until IS NULL
"""


@pytest.fixture
def pepper(registrations):
    return registrations.licensed("Pepper")


def test_the_whole_way_from_the_old_owner_to_the_new(resident, arrive, pepper, household, console, database, outbox):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="given_away")
    resident.click("Invite the new owner").submit(email="gavin@example.com")
    gavin = arrive("gavin@example.com").visit(household.path("gavin@example.com", InvitationKind.NEW_OWNER))
    assert gavin.h1 == "Are you Pepper’s new owner?"
    assert "Pat" not in gavin.text
    gavin.click("Sign in").submit(email="gavin@example.com").submit(code=outbox.code("gavin@example.com"))
    gavin.submit(ANSWERS)
    assert gavin.h1 == "A person at the city looks at it"
    assert "Pepper" not in gavin.visit("/dogs").text, "not before the city says so"
    assert resident.visit(f"/dogs/{pepper.animal_id}/new-owner").text.count("The new owner has said yes") == 1
    listed = console("keeper", "list")
    assert "Pepper" in listed
    assert "Pat O’Brien" in listed
    assert "Gavin Lind" in listed
    assert "902 Utah Ave, Benson" in listed
    [claim] = database.all(OwnershipClaim)
    assert "Recorded the new owner of Pepper" in console("keeper", "accept", str(claim.id)[:8], "--officer", "amy@x.y")
    assert console("keeper", "list") == "No new owner waits.\n"
    gavin.visit("/dogs").click("Pepper")
    assert "Licensed for 2026" in gavin.text
    gavin.visit(f"/dogs/{pepper.animal_id}/proof")
    resident.visit(f"/dogs/{pepper.animal_id}/farewell", status=404)
    assert [row.name for row in database.rows(KEPT_BY)] == ["Gavin Lind"]
    assert [(animal.state, animal.name) for animal in database.all(Animal)] == [("kept", "Pepper")]
    lives_at = "SELECT line1 FROM animal_control.animal a JOIN animal_control.premises p ON p.id = a.premises_id"
    assert database.value(lives_at) == "902 Utah Ave"
    assert [license_.state for license_ in database.all(License)] == ["issued"]
    assert [tag.state for tag in database.all(Tag)] == ["to_send"]
    assert outbox.templates(to="pat@example.com")[-2:] == ["new_owner_accepted", "new_owner_recorded"]
    assert outbox.templates(to="gavin@example.com")[-1] == "ownership_accepted"


def test_a_new_owner_does_not_claim_what_the_old_one_said_of_themselves(arrive, registrations, household, database):
    """90.04(C): the fee is waived for the assistance dog of its person, on that person's own word (T20)."""
    biscuit = registrations.dog("Biscuit", situation=Situation.ASSISTANCE_DOG)
    household.claims(biscuit)
    household.city_accepts()
    gavin = arrive("gavin@example.com").sign_in(then=f"/dogs/{biscuit.animal_id}/renew")
    assert "No fee for Biscuit" not in gavin.text
    gavin.submit(license_year="2027")
    assert gavin.h1 == "Pay $10.00"
    [license_] = [license_ for license_ in database.all(License) if license_.year == 2027]
    assert (license_.basis, license_.waiver_state) == ("fee", None)


def test_nothing_of_either_reaches_the_other(arrive, resident, pepper, household, outbox):
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(clinic_name="Prairie Vet", clinic_email="pat@example.com")
    household.claims(pepper)
    household.city_accepts()
    gavin = arrive("gavin@example.com").sign_in()
    for page in ("", "/certificate", "/keepers", "/proof", "/renew", "/ask"):
        gavin.visit(f"/dogs/{pepper.animal_id}{page}")
        for pats in ("Pat O’Brien", "1310 Idaho", "pat@example.com", "x12"):
            assert pats not in gavin.page.html
    assert gavin.client.get(f"/dogs/{pepper.animal_id}/certificates/{pepper.vaccination_id}/1.jpg").status_code == 404
    for letter in (letter for letter in outbox.letters() if "rabies certificate" not in letter.subject):
        others = ("Gavin", "Utah", "gavin@") if letter.to == "pat@example.com" else ("O’Brien", "Idaho", "pat@")
        assert not [told for told in others if told in letter.text], letter.subject


def test_a_rejected_claim_tells_both_why_and_the_old_owner_can_take_it_back(
    resident, pepper, household, console, database, outbox
):
    household.claims(pepper)
    [claim] = database.all(OwnershipClaim)
    assert "Say why" in console("keeper", "reject", str(claim.id), "--reason", " ", fails=True)
    console("keeper", "reject", str(claim.id), "--reason", "The address can’t be right.")
    assert "decided already" in console("keeper", "accept", str(claim.id), fails=True)
    for mailbox, template in (("pat@example.com", "new_owner_rejected"), ("gavin@example.com", "ownership_rejected")):
        [letter] = outbox.letters(to=mailbox, template=template)
        assert "The address can’t be right." in letter.text
    resident.visit(f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back")
    assert [animal.state for animal in database.all(Animal)] == ["kept"]
    assert [row.name for row in database.rows(KEPT_BY)] == ["Pat O’Brien"]


def test_the_old_link_tells_the_new_owner_what_the_city_decided(arrive, pepper, household):
    household.claims(pepper)
    link = household.path("gavin@example.com", InvitationKind.NEW_OWNER)
    gavin = arrive("gavin@example.com").sign_in().visit(link)
    assert gavin.h1 == "A person at the city looks at it"
    household.city_accepts()
    assert gavin.visit(link).h1 == "You were recorded as Pepper’s owner"
    gavin.click("Go to My dogs").click("Pepper")


def test_the_old_link_tells_the_new_owner_why_the_city_said_no(arrive, pepper, household, console, database):
    household.claims(pepper)
    [claim] = database.all(OwnershipClaim)
    console("keeper", "reject", str(claim.id), "--reason", "The address can’t be right.")
    gavin = arrive("gavin@example.com").sign_in()
    gavin.visit(household.path("gavin@example.com", InvitationKind.NEW_OWNER))
    assert gavin.h1 == "You were not recorded as Pepper’s owner"
    assert "The address can’t be right." in gavin.text


def test_taking_it_back_takes_the_invitation_back(resident, arrive, pepper, household, database):
    household.gives_away(pepper)
    path = household.invites(pepper, kind=InvitationKind.NEW_OWNER)
    resident.visit(f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back")
    assert [one.withdrawn_at is not None for one in database.all(KeeperInvitation)] == [True]
    arrive().visit(path, status=410)


def test_once_the_new_owner_has_said_yes_a_person_at_the_city_changes_it(resident, pepper, household, database):
    household.claims(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back", status=422)
    assert resident.errors == ["The new owner has said yes already. Call the police department to change it"]
    assert [animal.state for animal in database.all(Animal)] == ["given_away"]


def test_the_first_of_two_new_owners_to_say_yes_is_the_one(arrive, pepper, household, database):
    household.gives_away(pepper)
    late = household.invites(pepper, "mai@example.com", kind=InvitationKind.NEW_OWNER)
    first = household.invites(pepper, "gavin@example.com", kind=InvitationKind.NEW_OWNER)
    arrive("gavin@example.com").sign_in().visit(first).submit(ANSWERS)
    arrive("mai@example.com").sign_in().visit(late, status=410)
    assert len(database.all(OwnershipClaim)) == 1


def test_the_new_owner_can_tell_later_that_it_died(arrive, pepper, household, database):
    household.claims(pepper)
    household.city_accepts()
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died")
    assert gavin.h1 == "We’re sorry Pepper died"
    assert [animal.state for animal in database.all(Animal)] == ["died"]


def test_everyone_who_kept_it_before_keeps_it_no_longer(pepper, household, database):
    household.joins(pepper, "mai@example.com")
    household.claims(pepper)
    household.city_accepts()
    assert len(database.rows(KEPT_BY)) == 1


def test_the_third_dog_at_the_new_home_is_flagged_and_not_refused(pepper, household, registrations, database):
    """90.09: explained and flagged, never a refusal."""
    two = [registrations.animal("Rex"), registrations.animal("Bella")]
    registrations.dogs(two, email="gavin@example.com", owner=GAVIN, home=GAVINS_HOME)
    household.claims(pepper)
    household.city_accepts()
    flagged = "SELECT line1 FROM animal_control.premises WHERE kennel_review"
    assert [row.line1 for row in database.rows(flagged)] == ["902 Utah Ave"]


def test_a_dog_that_died_has_no_new_owner_to_invite(resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died")
    resident.visit(f"/dogs/{pepper.animal_id}/new-owner", status=404)

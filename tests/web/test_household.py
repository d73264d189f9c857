"""Several people keep one dog: invited by a link, each acts, none sees the others' contact unless it is shared."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from portal.schema.accounts import Account
from portal.schema.animals import Animal
from portal.schema.household import KeeperInvitation
from portal.schema.orders import Order
from portal.services.certificates.add_certificate import Sender, add_certificate
from portal.services.files.accept_upload import note_upload
from portal.services.secrets import token_hash
from tests.support.owing import committed
from tests.support.registrations import CERTIFICATE, LATER

GAVIN = {"owner_name": "Gavin Lind", "phone": "(320) 555-0177", "is_adult": "yes", "line1": "902 Utah Ave"}
PATS = ("Pat O’Brien", "555-0100 x12", "pat@example.com", "1310 Idaho")
GAVINS = ("Gavin", "555-0177", "gavin@example.com", "902 Utah")


@pytest.fixture
def pepper(registrations):
    return registrations.licensed("Pepper")


def test_somebody_is_invited_says_who_they_are_and_keeps_the_dog_too(resident, arrive, pepper, household, database):
    resident.visit(f"/dogs/{pepper.animal_id}").click("Who keeps Pepper").submit(email="Gavin@example.com")
    assert "Gavin@example.com no answer yet" in resident.text
    gavin = arrive("gavin@example.com").visit(household.path("Gavin@example.com"))
    assert gavin.path == "/invitations", "the token is out of the address bar"
    assert gavin.h1 == "Do you keep Pepper too?"
    assert "Pepper, a dog" in gavin.text
    assert not [told for told in (*PATS, "Labrador", "black") if told in gavin.page.html]
    gavin.click("Sign in").submit(email="gavin@example.com").submit(code=gavin.outbox.code("gavin@example.com"))
    assert gavin.h1 == "Do you keep Pepper too?"
    gavin.submit(GAVIN, button="Yes, I keep Pepper too")
    assert gavin.path == "/dogs"
    assert "Pepper" in gavin.links
    roles = [row.role for row in database.rows("SELECT role FROM animal_control.keeper ORDER BY role")]
    assert roles == ["co_owner", "owner"]
    assert resident.outbox.templates(to="pat@example.com")[-1] == "keeper_joined"
    kinds = [row.kind for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")]
    assert kinds[-1] == "keeper.joined"


def test_opening_the_link_accepts_nothing_and_it_works_once(arrive, pepper, household, database):
    path = household.invites(pepper)
    for _ in range(2):
        arrive().visit(path)
    assert [one.accepted_at for one in database.all(KeeperInvitation)] == [None]
    gavin = arrive("gavin@example.com").sign_in().visit(path)
    gavin.submit(GAVIN)
    stranger = arrive("mai@example.com").sign_in().visit(path, status=410)
    assert stranger.h1 == "This invitation does not open anything now"


def test_who_sends_the_yes_twice_or_opens_the_link_again_sees_that_it_worked(arrive, pepper, household, database):
    path = household.invites(pepper)
    gavin = arrive("gavin@example.com").sign_in().visit(path)
    form = gavin.page
    gavin.submit(GAVIN)
    gavin.page = form
    assert "Pepper" in gavin.submit(GAVIN).links
    assert gavin.visit(path).path == "/dogs"
    assert len(database.rows("SELECT FROM animal_control.keeper")) == 2


def test_a_new_owner_who_opens_the_link_again_is_told_that_the_city_looks_at_it(
    arrive, resident, pepper, household, outbox
):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="given_away")
    resident.visit(f"/dogs/{pepper.animal_id}/new-owner").submit(email="gavin@example.com")
    path = outbox.messages(template="invited_to_take_over")[-1].context["path"]
    gavin = arrive("gavin@example.com").sign_in().visit(path).submit(GAVIN)
    assert gavin.visit(path).h1 == "A person at the city looks at it"


def test_the_link_is_kept_only_as_a_hash_and_its_letter_is_a_secret(pepper, household, database, outbox):
    token = household.invites(pepper).rpartition("/")[2]
    [invitation] = database.all(KeeperInvitation)
    assert invitation.token_hash == token_hash(token)
    [letter] = outbox.messages(template="invited_to_keep")
    assert letter.is_secret
    assert token not in str(database.rows("SELECT * FROM animal_control.event"))


@pytest.mark.parametrize("how", ["withdrawn", "after 14 days", "wrong", "the dog is gone", "the inviter left"])
def test_a_link_that_is_over_looks_like_a_wrong_one(arrive, resident, pepper, household, clock, how):
    path = household.invites(pepper)
    if how == "withdrawn":
        resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(button="Take it back")
        assert "no answer yet" not in resident.text
    elif how == "after 14 days":
        clock.move_to(clock.at + timedelta(days=14, seconds=1))
    elif how == "the dog is gone":
        household.gives_away(pepper)
    elif how == "the inviter left":
        household.joins(pepper, "mai@example.com")
        resident.visit(f"/dogs/{pepper.animal_id}/leave").submit()
    else:
        path = "/invitations/wrong"
    gavin = arrive("gavin@example.com").visit(path, status=410)
    assert gavin.h1 == "This invitation does not open anything now"
    assert "Pepper" not in gavin.text


def test_only_the_mailbox_it_came_to_can_say_yes(arrive, pepper, household, database):
    stranger = arrive("mallory@example.com").sign_in().visit(household.invites(pepper))
    assert "came to another e‑mail address than mallory@example.com" in stranger.text
    assert "gavin@example.com" not in stranger.page.html
    assert stranger.client.post("/invitations", data=stranger.page.values).status_code == 200
    assert [one.accepted_at for one in database.all(KeeperInvitation)] == [None]


def test_who_the_city_knows_already_presses_one_button(arrive, pepper, household, registrations):
    registrations.dog("Rex", email="gavin@example.com")
    gavin = arrive("gavin@example.com").sign_in().visit(household.invites(pepper))
    assert "Who you are" not in gavin.text
    gavin.submit(button="Yes, I keep Pepper too")
    assert {"Pepper", "Rex"} <= set(gavin.links)


def test_what_is_missing_is_said_beside_the_answers(arrive, pepper, household):
    gavin = arrive("gavin@example.com").sign_in().visit(household.invites(pepper))
    gavin.submit({**GAVIN, "owner_name": "", "line1": "PO Box 12"}, status=422)
    assert gavin.errors[0] == "Enter the owner’s name"
    assert gavin.errors[1].startswith("Enter the street or rural address where the dog lives")


def test_either_can_renew_replace_the_tag_and_tell_that_it_is_gone(arrive, pepper, household, database):
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in(then=f"/dogs/{pepper.animal_id}")
    assert gavin.visit(f"/dogs/{pepper.animal_id}/proof").h1 == "Dog license 2026"
    gavin.visit(f"/dogs/{pepper.animal_id}/renew").submit(license_year="2027")
    assert gavin.h1 == "Pay $10.00"
    gavin.visit(f"/dogs/{pepper.animal_id}/duplicate-tag").submit(loss="lost", insists=True)
    assert gavin.h1 == "Pay $5.00"
    gavin.visit(f"/dogs/{pepper.animal_id}/certificate")
    gavin.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died")
    assert [animal.state for animal in database.all(Animal)] == ["died"]


PAGES = ("", "/keepers", "/certificate", "/proof", "/renew", "/duplicate-tag", "/gone", "/leave", "/ask")


def test_a_keeper_sees_nothing_of_the_other_on_any_page_or_letter(arrive, resident, pepper, household, outbox):
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in()
    for person, others in ((gavin, PATS), (resident, GAVINS)):
        for page in PAGES:
            person.visit(f"/dogs/{pepper.animal_id}{page}")
            assert not [told for told in others if told in person.page.html], person.path
        person.visit("/dogs")
        assert not [told for told in others if told in person.page.html]
    for letter in outbox.letters(to="gavin@example.com"):
        assert not [told for told in PATS if told in letter.text + letter.subject]


def test_the_sheet_that_bears_ones_name_is_not_shown_to_the_other_until_it_is_shared(
    arrive, resident, pepper, household
):
    sheet = f"/dogs/{pepper.animal_id}/certificates/{pepper.vaccination_id}/1.jpg"
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/certificate")
    assert "so they are not shown here" in gavin.text
    assert gavin.client.get(sheet).status_code == 404
    assert resident.client.get(sheet).status_code == 200
    resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(is_shared=True)
    assert gavin.client.get(sheet).status_code == 200


def test_what_the_other_sent_is_theirs_to_share_too(arrive, resident, registrations, household, gateways, database):
    rex = registrations.dog("Rex", certificate=LATER)
    account_id = household.joins(rex)
    person_id = database.value("SELECT person_id FROM portal.account WHERE id = :id", id=account_id)
    with committed(gateways.engine) as session:
        upload_id = note_upload(session, registrations.stored(), account_id=account_id).id
        sent = add_certificate(
            session,
            sender=Sender(person_id, account_id),
            animal_id=rex.animal_id,
            answers=replace(CERTIFICATE, upload_id=upload_id),
            submission_key=uuid4(),
            city=gateways.city,
            clock=gateways.clock,
        )
    gavin = arrive("gavin@example.com").sign_in()
    sheet = f"/dogs/{rex.animal_id}/certificates/{sent}/1.jpg"
    assert (gavin.client.get(sheet).status_code, resident.client.get(sheet).status_code) == (200, 404)
    assert "Given June 12, 2026" in resident.visit(f"/dogs/{rex.animal_id}/certificate").text


def test_contact_is_shared_and_no_longer_shared_by_each_alone(arrive, resident, pepper, household):
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/keepers")
    assert "Shares no name, phone or e‑mail address with you" in gavin.text
    resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(is_shared=True)
    gavin.visit(f"/dogs/{pepper.animal_id}/keepers")
    assert "Pat O’Brien (320) 555-0100 x12, pat@example.com" in gavin.text
    assert "1310 Idaho" not in gavin.text
    assert not [told for told in GAVINS if told in resident.visit(f"/dogs/{pepper.animal_id}/keepers").text]
    resident.submit(is_shared=False)
    gavin.visit(f"/dogs/{pepper.animal_id}/keepers")
    assert "Pat O’Brien" not in gavin.text


def test_the_mailbox_that_is_invited_knows_only_who_typed_it(arrive, resident, pepper, household):
    household.joins(pepper)
    household.invites(pepper, "mai@example.com")
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/keepers")
    assert "Invited by another keeper no answer yet" in gavin.text
    assert "mai@" not in gavin.page.html
    assert "mai@example.com" in resident.visit(f"/dogs/{pepper.animal_id}/keepers").text
    gavin.submit(button="Take it back")
    assert "no answer yet" not in gavin.text


def test_a_new_tag_that_one_has_asked_for_is_not_asked_for_by_the_other(arrive, resident, pepper, household, database):
    household.joins(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/duplicate-tag").submit(loss="lost", insists=True)
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/duplicate-tag")
    gavin.submit(loss="lost", status=422)
    assert gavin.errors == ["Another keeper of this dog has asked for a new tag already"]
    assert "Pay for Pepper’s new tag" not in gavin.visit("/dogs").links, "the one who asked pays for it"
    assert len([order for order in database.all(Order) if order.total_cents == 500]) == 1


def test_an_invitation_sent_twice_by_accident_is_one(resident, pepper, outbox):
    for typed in ("gavin@example.com", "Gavin@Example.com "):
        resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(email=typed, button="Send the invitation")
    assert len(outbox.messages(template="invited_to_keep")) == 1
    assert resident.text.count("no answer yet") == 1


def test_a_keeper_leaves_and_the_dog_lives_with_whoever_is_left(arrive, resident, pepper, household, database):
    household.joins(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/keepers").click("I no longer keep Pepper").submit()
    assert "Pepper" not in resident.links
    resident.visit(f"/dogs/{pepper.animal_id}", status=404)
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/keepers")
    assert "I no longer keep Pepper" not in gavin.links
    lives_at = "SELECT line1 FROM animal_control.animal a JOIN animal_control.premises p ON p.id = a.premises_id"
    assert database.value(lives_at) == "902 Utah Ave"
    assert gavin.outbox.templates(to="gavin@example.com")[-1] == "keeper_left"


def test_what_one_tells_of_the_dog_the_others_are_told_and_can_take_back(arrive, resident, pepper, household):
    household.joins(pepper)
    before = len(resident.outbox.templates(to="pat@example.com"))
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died")
    assert len(resident.outbox.templates(to="pat@example.com")) == before, "who told it knows"
    gavin = arrive("gavin@example.com").sign_in()
    assert gavin.outbox.templates(to="gavin@example.com").count("told_gone") == 1
    gavin.visit(f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back")
    assert gavin.h1 == "Pepper"


def test_what_the_leaver_owes_for_it_alone_is_owed_no_more_and_the_other_can_apply(
    arrive, resident, registrations, household, database
):
    rex = registrations.dog("Rex")
    household.joins(rex)
    resident.visit(f"/dogs/{rex.animal_id}/leave").submit()
    assert [order.state for order in database.all(Order)] == ["canceled"]
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{rex.animal_id}/renew").submit(license_year="2026")
    assert gavin.h1 == "Pay $10.00"


def test_the_last_one_does_not_leave_but_tells_what_became_of_it(resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}/leave").submit(status=422)
    assert resident.errors == ["You are the only one who keeps Pepper. Tell us what became of Pepper instead"]


def test_either_takes_back_what_one_of_them_asked_a_clinic(arrive, resident, pepper, household, outbox):
    household.joins(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(
        clinic_name="Prairie Vet", clinic_email="desk@clinic.example"
    )
    gavin = arrive("gavin@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/ask")
    assert "Prairie Vet" in gavin.text
    assert "desk@clinic.example" not in gavin.text
    assert "desk@clinic.example" in resident.visit(f"/dogs/{pepper.animal_id}/ask").text
    gavin.submit(button="Take it back")
    assert "Prairie Vet" not in gavin.text
    [letter] = outbox.messages(template="ask_vet")
    arrive().visit(letter.context["path"], status=410)


def test_a_stranger_finds_no_such_dog(another_resident, pepper, household, database):
    household.invites(pepper, "mai@example.com")
    invitation_id = database.value("SELECT id FROM portal.keeper_invitation")
    token = {"csrf_token": another_resident.page.values["csrf_token"]}
    before = database.content()
    for page in ("keepers", "keepers/contact", "leave", "new-owner", f"invitations/{invitation_id}/withdraw"):
        address = f"/dogs/{pepper.animal_id}/{page}"
        another_resident.visit(address, status=404)
        assert another_resident.client.post(address, data={**token, "email": "m@example.com"}).status_code == 404
    assert database.content() == before


def test_an_invitation_of_another_dog_is_not_taken_back_through_ones_own(
    another_resident, pepper, household, registrations, database
):
    household.invites(pepper, "mai@example.com")
    invitation_id = database.value("SELECT id FROM portal.keeper_invitation")
    own = registrations.dog("Rex", email="gavin@example.com")
    token = {"csrf_token": another_resident.page.values["csrf_token"]}
    address = f"/dogs/{own.animal_id}/invitations/{invitation_id}/withdraw"
    assert another_resident.client.post(address, data=token).status_code == 404
    assert [one.withdrawn_at for one in database.all(KeeperInvitation)] == [None]


def test_a_known_and_an_unknown_mailbox_are_invited_alike(resident, pepper, registrations):
    registrations.account("gavin@example.com")
    said = []
    for email in ("gavin@example.com", "nobody@example.com"):
        resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(email=email)
        said.append(resident.text.count("no answer yet"))
    assert said == [1, 2]


def test_oneself_is_not_invited_and_five_invitations_are_enough(resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(email="PAT@example.com", status=422)
    assert resident.errors == ["This is your own e-mail address. Enter the other person’s"]
    for number in range(5):
        resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(email=f"friend{number}@example.com")
    resident.submit(email="friend6@example.com", status=422)
    assert resident.errors == ["Five invitations are open already. Take one of them back first"]


def test_one_mailbox_is_not_written_to_over_and_over(resident, pepper):
    for _ in range(5):
        resident.visit(f"/dogs/{pepper.animal_id}/keepers").submit(email="mai@example.com")
        resident.submit(button="Take it back")
    resident.submit(email="mai@example.com", status=429)


def test_whoever_signs_in_elsewhere_is_told_to_open_the_link_again(arrive, pepper, household):
    """The link of the sign-in message may open in another browser, which knows nothing of the invitation."""
    path = household.invites(pepper)
    elsewhere = arrive("gavin@example.com").sign_in(then="/invitations")
    assert elsewhere.answer.status_code == 410
    assert "Open the link in its message again" in elsewhere.text
    assert elsewhere.visit(path).h1 == "Do you keep Pepper too?"


def test_who_keeps_a_dog_is_asked_with_the_same_few_queries(resident, pepper, household, queries):
    counted = []
    for friend in ("gavin@example.com", "mai@example.com"):
        household.joins(pepper, friend)
        with queries() as sent:
            resident.visit(f"/dogs/{pepper.animal_id}/keepers")
        counted.append(len(sent))
    assert counted == [5, 5]  # who is signed in, the animal and its licenses, who keeps it, who is invited


def test_joining_twice_is_joining_once(arrive, pepper, household, database):
    household.joins(pepper)
    gavin = arrive("gavin@example.com").sign_in().visit(household.invites(pepper)).submit()
    assert gavin.path == "/dogs"
    assert database.value("SELECT count(*) FROM animal_control.keeper") == 2
    assert len(database.all(Account)) == 2


MOVED_TO = "gavin.new@example.com"


@pytest.fixture
def moves(arrive, registrations, outbox):
    """Gavin changes his mailbox, and both say yes."""

    def moves():
        registrations.account("gavin@example.com")
        arrive("gavin@example.com").sign_in(then="/me/email").submit(new_email=MOVED_TO)
        for mailbox, which in (("gavin@example.com", "old"), (MOVED_TO, "new")):
            path = outbox.messages(to=mailbox, template=f"email_change_{which}")[-1].context["path"]
            arrive().visit(path).submit()

    return moves


def test_who_changed_their_mailbox_says_yes_to_what_came_to_the_old_one(arrive, pepper, household, moves, database):
    path = household.invites(pepper)
    moves()
    gavin = arrive(MOVED_TO).sign_in().visit(path)
    assert gavin.h1 == "Do you keep Pepper too?"
    assert "Pepper" in gavin.submit(GAVIN).links
    assert len(database.rows("SELECT FROM animal_control.keeper WHERE until IS NULL")) == 2


def test_what_came_to_the_old_mailbox_afterwards_is_for_whoever_reads_it_then(arrive, pepper, household, moves, clock):
    moves()
    clock.move_to(clock.at + timedelta(seconds=1))
    gavin = arrive(MOVED_TO).sign_in().visit(household.invites(pepper))
    assert "came to another e‑mail address" in gavin.text
    whoever = arrive("gavin@example.com").sign_in().visit(household.path("gavin@example.com"))
    assert whoever.h1 == "Do you keep Pepper too?"


def test_a_change_that_only_one_mailbox_agreed_to_says_nothing(arrive, pepper, household, outbox):
    arrive("gavin@example.com").sign_in(then="/me/email").submit(new_email="mai@example.com")
    path = household.invites(pepper)
    mai = arrive("mai@example.com").sign_in().visit(path)
    assert "came to another e‑mail address" in mai.text

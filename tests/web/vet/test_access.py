"""Who gets to the clinics' pages, and that one clinic's things do not exist for another (V2)."""

from uuid import UUID

import pytest

from portal.views.access import Access
from tests.support.documents import corners, saved
from tests.web.routes import endpoints_of, methods_of, rule_of

PAGES = endpoints_of(Access.CLINIC)


@pytest.fixture
def addresses(app, vet, database):
    """Every page of a clinic, about things of its own: a filing with a file, a colleague, a token."""
    vet.visit("/vet/files").submit(files=(saved(corners(64, 48), "JPEG"), "a.jpg"))
    vet.visit("/vet/staff").submit(email="nils@clinic.example")
    vet.visit("/vet/tokens").submit(name="Desk")
    values = {
        "filing_id": database.value("SELECT id FROM animal_control.clinic_filing"),
        "member_id": database.value("SELECT id FROM portal.clinic_member WHERE email LIKE 'nils%'"),
        "token_id": database.value("SELECT id FROM portal.clinic_token"),
        "number": 1,
    }
    with app.test_request_context():
        return {
            endpoint: app.url_for(endpoint, **{name: values[name] for name in rule_of(app, endpoint).arguments})
            for endpoint in PAGES
        }


def statuses(app, person, addresses, endpoints):
    """What each GET and POST of these comes to for this person, with a good form token."""
    person.visit("/register")
    token = {"csrf_token": person.page.values["csrf_token"]}
    found = {f"GET {one}": person.client.get(addresses[one]).status_code for one in endpoints}
    posts = [one for one in endpoints if "POST" in methods_of(app, one)]
    return found | {f"POST {one}": person.client.post(addresses[one], data=token).status_code for one in posts}


def test_somebody_signed_out_is_sent_to_sign_in_and_back(visitor, addresses):
    for address in addresses.values():
        visitor.visit(address, status=303, follow=False)
        assert visitor.location == f"/sign-in?next={address}"


def test_for_a_resident_the_clinics_pages_are_not_there(app, another_resident, addresses, database):
    before = database.content()
    found = statuses(app, another_resident, addresses, PAGES)
    assert {what: status for what, status in found.items() if status != 404} == {}
    assert database.content() == before


def test_what_is_another_clinics_does_not_exist(app, other_vet, addresses, database):
    before = database.content()
    theirs = [one for one in PAGES if rule_of(app, one).arguments]
    found = statuses(app, other_vet, addresses, theirs)
    assert {what: status for what, status in found.items() if status != 404} == {}
    assert database.content(except_for=("portal.rate_limit",)) == {
        one for one in before if one[0] != "portal.rate_limit"
    }


def test_what_is_ones_own_is_there(vet, addresses):
    """Else the tests above would prove nothing."""
    found = {one: vet.client.get(address, base_url=vet.origin).status_code for one, address in addresses.items()}
    assert {one for one, status in found.items() if status != 200} == {"vet.table_to_correct"}


def test_a_form_without_its_token_changes_nothing(app, vet, addresses, database):
    before = database.content()
    posts = [one for one in PAGES if "POST" in methods_of(app, one)]
    found = {one: vet.client.post(addresses[one], base_url=vet.origin).status_code for one in posts}
    assert set(found.values()) == {422}
    assert database.content() == before


def test_nobody_counts_through_the_filings(vet, addresses):
    vet.visit("/vet/certificates/1", status=404)
    vet.visit(f"/vet/certificates/{UUID(int=1)}", status=404)


def test_a_member_of_a_clinic_that_is_not_approved_finds_nothing(vet, addresses, database):
    for state in ("refused", "suspended"):
        database.run("UPDATE animal_control.clinic SET state = :state", state=state)
        vet.visit("/vet/certificates", status=404)

"""Reports at the desk that are about the same thing, and what repeats at an address: never who reported."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.nuisances import Nuisance
from portal.schema.people import Premises, PremisesKind
from portal.services.desk.repeats import repeats
from portal.services.reports.file_report import Sender
from tests.support.reporting import ATTESTED, ROBIN

BARKING = "Barking: 1312 Idaho Ave, Benson, MN 56215"
NAMED = Sender(attestation=ATTESTED, identity=ROBIN)


@pytest.fixture
def two(reporting):
    """Two households report the same dog."""
    return reporting.send(sender=NAMED), reporting.send(narrative="The brown dog again")


def test_two_reports_of_one_dog_become_one_item_and_two_again(officer, two, database):
    first, second = two
    officer.visit(f"/desk/reports/{second.id}").click("It is the same as another report")
    officer.submit(status=422)
    assert officer.errors == [
        "Choose the report you go on with",
        "Say why: it is written down with your name",
    ]
    officer.submit(into=str(first.id), why="The same brown dog.")
    assert officer.path == f"/desk/reports/{first.id}"
    assert "The same, reported by others" in officer.text
    assert f"{second.filed.reference} merged into {first.filed.reference}, November 30, 2026" in officer.text
    officer.visit("/desk?kind=report")
    assert officer.text.count(BARKING) == 1
    assert "2 reports" in officer.text
    officer.visit(f"/desk/reports/{second.id}")
    assert "You go on with another report for this one" in officer.text
    officer.click("Take it apart again").submit(why="It was another dog.")
    assert officer.visit("/desk?kind=report").text.count(BARKING) == 2
    assert "Robin" not in officer.page.html


def test_any_other_report_is_named_by_its_reference(officer, two, reporting):
    elsewhere = reporting.send(Nuisance.AT_LARGE, place="Northside Park")
    officer.visit(f"/desk/reports/{two[0].id}/merge")
    officer.submit(into="other", why="It ran there.", status=422)
    assert officer.errors == ["Enter the reference of the report"]
    officer.submit(into="other", reference="AAAA-BBBB-CCCC", why="It ran there.", status=422)
    assert officer.errors == ["There is no report with this reference"]
    officer.submit(into="other", reference=elsewhere.filed.reference.lower(), why="It ran there.")
    assert officer.path == f"/desk/reports/{elsewhere.id}"


def test_closing_one_closes_all_and_what_joined_meanwhile_is_looked_at_first(officer, two, reporting, database):
    first, second = two
    officer.visit(f"/desk/reports/{second.id}/merge").submit(into=str(first.id), why="The same brown dog.")
    third = reporting.send(narrative="And again")
    officer.visit(f"/desk/reports/{first.id}")
    page = officer.page
    officer.visit(f"/desk/reports/{third.id}/merge").submit(into=str(first.id), why="The same brown dog.")
    officer.visit(f"/desk/reports/{first.id}")
    officer.page.values["seen"], fresh = page.values["seen"], officer.page.values["seen"]
    assert fresh != page.values["seen"]
    officer.submit(button="Close the report", reason="talked", seen=page.values["seen"][0], status=409)
    assert "This has changed since you opened it" in officer.text
    officer.submit(button="Close the report", reason="talked")
    assert database.value("SELECT count(*) FROM animal_control.report WHERE state = 'closed'") == 3


def test_two_who_merge_one_report_merge_it_once(officer, working, two):
    colleague = working("moen@benson.example")
    for person in (officer, colleague):
        person.visit(f"/desk/reports/{two[1].id}/merge")
    officer.submit(into=str(two[0].id), why="The same brown dog.")
    colleague.submit(into=str(two[0].id), why="The same dog, I think.", status=409)
    assert "The same dog, I think." in colleague.page.html
    assert "Report merged, November 30, 2026" in colleague.text
    assert f"by {officer.email}." in colleague.text
    assert "It is merged already. Take it apart first." in colleague.text
    assert "Merge it" not in colleague.text


def test_what_cant_be_merged_or_taken_apart_says_so_and_asks_nothing(officer, two):
    first, second = two
    officer.visit(f"/desk/reports/{second.id}/merge").submit(into=str(first.id), why="The same brown dog.")
    for page, sentence in (
        (f"{first.id}/merge", "Others are merged into this one."),
        (f"{second.id}/merge", "It is merged already. Take it apart first."),
        (f"{first.id}/unmerge", "It is not merged."),
    ):
        officer.visit(f"/desk/reports/{page}")
        assert sentence in officer.text
        assert "Why?" not in officer.text


def test_of_a_closed_report_each_page_says_which_of_the_two_it_is(officer, two):
    first, second = two
    officer.visit(f"/desk/reports/{first.id}").submit(button="Close the report", reason="talked")
    officer.visit(f"/desk/reports/{first.id}/merge")
    assert "This report is closed, so it goes under no other." in officer.text
    officer.visit(f"/desk/reports/{second.id}/merge")
    officer.submit(into="other", reference=first.filed.reference, why="The same brown dog.", status=422)
    assert officer.errors == ["That report is closed: choose one that is open"]


def test_a_clerk_merges_nothing_and_sees_no_map(clerk, two):
    for page in ("merge", "unmerge", "repeats"):
        clerk.visit(f"/desk/reports/{two[0].id}/{page}", status=403)


def test_what_repeats_is_a_list_first_and_a_map(officer, reporting, clock):
    now = clock.now()
    clock.move_to(now - timedelta(days=40))
    reporting.send(Nuisance.AT_LARGE, latitude=45.31512, longitude=-95.60012)
    reporting.send(place="1340 Idaho Avenue, Benson")
    reporting.send(place="900 Idaho Ave")
    clock.move_to(now)
    today = reporting.send(sender=NAMED)
    reporting.send(Nuisance.LITTER, place="18 Kansas Ave", latitude=45.3160, longitude=-95.6010)
    officer.visit(f"/desk/reports/{today.id}").click("What repeats here and near it, with a map")
    assert officer.h1 == "What repeats at 1312 Idaho Ave, Benson, MN 56215"
    assert "1 earlier matter was reported of this address, the last on October 21, 2026." in officer.text
    assert [link for link in officer.links if "Ave" in link] == ["2. 1340 Idaho Avenue, Benson", "3. 18 Kansas Ave"]
    assert "somebody gave a name" in officer.text
    assert "A place stands where phones were that were asked, to a block." in officer.text
    for secret in ("Robin", "45.31512", "95.60012"):
        assert secret not in officer.page.html


def test_the_same_stands_on_the_page_of_an_address_for_whoever_says_why(officer, reporting, registrations, database):
    registrations.dog()
    reporting.send(place=database.value("SELECT line1 FROM animal_control.premises"))
    home = database.value("SELECT id FROM animal_control.premises")
    officer.visit(f"/desk/places/{home}/reports")
    assert "How often" not in officer.text
    officer.submit(why="A neighbor asks for a hearing.")
    assert "How often, by kind" in officer.text


def test_reports_that_were_merged_count_as_one_matter(officer, two, reporting, desk_engine, gateways, clock):
    first, second = two
    officer.visit(f"/desk/reports/{second.id}/merge").submit(into=str(first.id), why="The same brown dog.")
    tomorrow = clock.now() + timedelta(days=1)
    with Session(desk_engine) as session:
        found = repeats(session, {"1312 idaho ave"}, before=tomorrow, city=gateways.city, clock=clock)
    [matter] = found.earlier
    assert (matter.count, matter.is_named) == (2, True)
    assert [(row.kind, row.lately, row.all) for row in found.by_kind] == [(Nuisance.BARKING, 1, 1)]


def test_a_safe_at_home_address_repeats_nothing(officer, database, desk_engine):
    with Session(desk_engine) as session, session.begin():
        home = Premises(
            kind=PremisesKind.SAFE_AT_HOME, line1="PO Box 17370", city="St. Paul", state="MN", postal_code="55117"
        )
        session.add(home)
        session.flush()
        key = home.id
    officer.visit(f"/desk/places/{key}/reports").submit(why="Somebody asks.")
    assert "Nothing was reported of this address on an earlier day." in officer.text

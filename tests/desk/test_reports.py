"""Reports at the desk: bites first, asked about, closed with a reason; who made one is read on a reason alone."""

from datetime import timedelta

from portal.ordinance.nuisances import Nuisance
from portal.services.reports.answers import BiteDetails
from portal.services.reports.file_report import Sender
from tests.support.pages import joined
from tests.support.reporting import ATTESTED, ROBIN, heard

MANY = """
    INSERT INTO animal_control.report
        (reference, kind, place_text, place_key, animal_description, whose_text, narrative, created_at)
    SELECT n::text, 'barking', n || ' Idaho Ave', n || ' idaho ave', '', '', '',
           CAST(:now AS timestamptz) - n * interval '1 minute'
    FROM generate_series(1, 40) n
"""
NAMED = Sender(attestation=ATTESTED, identity=ROBIN)


def test_a_bite_goes_before_everything(officer, reporting, registrations):
    registrations.dog("Pepper")
    reporting.send(Nuisance.BARKING)
    reporting.send(Nuisance.BITE, place="Northside Park")
    officer.visit("/desk")
    lines = [joined(line.find("a")) for line in officer.page.by_class("queue")[0]]
    assert lines == ["Bite: Northside Park", "Certificate of Pepper", "Barking: 1312 Idaho Ave, Benson, MN 56215"]
    assert "first" in officer.text
    assert "due today" in officer.text


def test_a_report_shows_what_was_heard_and_what_came_before_there(officer, reporting, clock):
    reporting.send(Nuisance.AT_LARGE)
    night = clock.now() - timedelta(hours=8)
    barked = [
        heard(night, night + timedelta(minutes=4)),
        heard(night + timedelta(minutes=9), night + timedelta(minutes=10)),
    ]
    reporting.send(Nuisance.BARKING, episodes=tuple(barked))
    officer.visit("/desk?kind=report").click("Barking: 1312 Idaho Ave, Benson, MN 56215")
    assert "It barks all night" in officer.text
    assert "1 interval of three minutes or more, on 1 day." in officer.text
    assert "A loose animal, November 30, 2026" in officer.links


def test_an_officer_reads_all_that_was_told_of_the_next_time(officer, reporting, clock):
    first = reporting.send(Nuisance.BITE)
    reporting.again(
        first,
        text="",
        happened_at=clock.now() - timedelta(hours=3),
        animal="A black dog",
        whose="The house on the corner",
        is_going_on=False,
        details=BiteDetails(bitten="person", injury="My left hand"),
    )
    officer.visit("/desk").click("Bite: 1312 Idaho Ave, Benson, MN 56215")
    for told in (
        "It happened November 30, 2026 at 7:00 a.m.",
        "Animal: A black dog",
        "Whose: The house on the corner",
        "Going on then: no",
        "Injury: My left hand",
    ):
        assert told in officer.text
    assert "Treated by" not in officer.text


def test_the_reporter_is_asked_and_told_why_it_is_closed(officer, reporting, outbox, database):
    reporting.send(sender=reporting.sign_in("robin@example.com").sender())
    officer.visit("/desk").click("Barking: 1312 Idaho Ave, Benson, MN 56215")
    officer.submit(button="Ask, and wait for the answer", status=422)
    assert officer.errors == ["Write what the reporter is to read"]
    officer.submit(button="Ask, and wait for the answer", words="Which nights was it?")
    assert "asked the reporter" in officer.visit("/desk").text
    officer.click("Barking: 1312 Idaho Ave, Benson, MN 56215")
    assert "Which nights was it?" in officer.text
    officer.submit(button="Close the report", status=422)
    assert officer.errors == ["Say why it is closed: the reporter reads it"]
    officer.submit(button="Close the report", reason="talked")
    assert database.value("SELECT closed_reason FROM animal_control.report").startswith("The officer talked")
    assert outbox.templates(to="robin@example.com").count("report_news") == 2


def test_who_reported_is_shown_on_a_reason_and_each_reading_is_written_down(officer, reporting, database):
    sent = reporting.send(sender=NAMED)
    officer.visit(f"/desk/reports/{sent.id}")
    assert "Robin" not in officer.page.html
    officer.click("Who reported this?").submit(status=422)
    assert officer.errors == ["Say why you read who reported: it is written down"]
    assert "Robin" not in officer.page.html
    officer.submit(why="The county attorney asks for a witness.")
    assert "Robin Moe" in officer.text
    officer.visit(f"/desk/reports/{sent.id}/reporter")
    assert "Robin" not in officer.page.html
    assert "olsen@benson.example, November 30, 2026 at 10:00 a.m.: The county attorney asks" in officer.text
    told = database.value("SELECT actor FROM animal_control.event WHERE kind = 'report.identity_read'")
    assert told == "officer:olsen@benson.example"


def test_a_clerk_reads_no_report(clerk, reporting):
    sent = reporting.send(Nuisance.BITE)
    assert "Bite" not in clerk.visit("/desk").text
    clerk.visit(f"/desk/reports/{sent.id}", status=403)
    clerk.visit(f"/desk/reports/{sent.id}/reporter", status=403)


def test_what_happens_meanwhile_stops_a_decision(officer, reporting, database):
    reporting.send()
    officer.visit("/desk").click("Barking: 1312 Idaho Ave, Benson, MN 56215")
    database.run("UPDATE animal_control.report SET changed_at = now()")
    officer.submit(button="Close the report", own_words="Nobody was home.", status=409)
    assert "Nobody was home." in officer.text
    officer.submit(button="Close the report")
    assert "is closed. The reporter reads why." in officer.page.html


def test_of_forty_that_wait_the_next_is_the_one_after_the_thirtieth(officer, database, clock):
    """The thirtieth was asked about: it still waits, and is not the one to go on from the start with."""
    database.run(MANY, now=clock.now())
    officer.visit("/desk?kind=report").click("Barking: 11 Idaho Ave")
    officer.submit(button="Ask, and wait for the answer", words="Which nights was it?")
    assert officer.h1 == "Barking: 10 Idaho Ave"

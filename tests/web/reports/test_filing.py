"""A report is filed: a page a question, kept on the way, shown as it will be seen, sent once (90.08, 90.10, 90.11)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from uuid import UUID

import pytest

from portal.gateways.rate_limits import REPORTS
from portal.ordinance.nuisances import Nuisance
from portal.ordinance.wall_clock import SKIPPED
from portal.schema.reports import EpisodeSource
from tests.browser.limits import use_up
from tests.support.portal import CHICAGO
from tests.support.reporting import NEXT_DOOR

WHERE = {"place": NEXT_DOOR}
NARRATIVE = "It barks all night.\n<script>alert(1)</script> https://evil.example"
ROBIN = ("Robin Moe", "robin@example.com", "320-555-0177", "1310 Idaho Ave")


@pytest.fixture
def file(visitor):
    """Somebody answers page after page, up to the check."""

    def file(kind="barking", *, by=visitor, **more):
        said = {
            "where": WHERE,
            "when": {"is_when": "unsure", "words": "Most nights"},
            "log": {},
            "details": {},
            "animal": {"animal": "A brown dog"},
            "words": {"narrative": NARRATIVE},
            "files": {},
            "who": {"is_named": "no"},
            "contact": {},
        } | more
        by.visit(f"/reports/new/{kind}").submit(button="Start")
        while (step := by.path.rpartition("/")[2]) != "check":
            by.submit(said[step], button="Continue")
        return by

    return file


def name_of_robin(**more):
    name, email, phone, address = ROBIN
    return {"name": name, "email": email, "phone": phone, "address": address, **more}


def sent(database):
    """The reports that officers read."""
    return database.rows("SELECT * FROM animal_control.report ORDER BY created_at, id")


def test_two_minutes_of_barking_once_are_taken_and_the_section_is_shown(file, visitor, database, clock):
    """Example 47, 90.10(A)."""
    clock.move_to(datetime(2026, 11, 30, 12, 0, tzinfo=CHICAGO))
    visitor.visit("/reports/new/barking").submit(button="Start")
    visitor.submit(WHERE, button="Continue").submit(is_when="unsure", button="Continue")
    assert "repeated intervals of at least three minutes" in visitor.text
    visitor.submit(day=date(2026, 11, 29), began="11:59 PM", ended="12:01 AM", button="Add this and another")
    assert "The longest barking in the log is 2 minutes." in visitor.text
    assert "You can send the log all the same" in visitor.text
    file(log={})
    visitor.submit(signed=True, button="Send the report")
    assert visitor.h1 == "Your report is sent"
    [episode] = database.rows("SELECT * FROM animal_control.report_episode")
    assert episode["ended_at"] - episode["started_at"] == timedelta(minutes=2)
    assert episode["source"] == EpisodeSource.TYPED


def test_a_report_without_a_name_is_taken_and_told_what_it_cannot_do(file, visitor, database):
    """Example 48, 90.11(A)(1)."""
    file()
    assert "Without a name it can’t alone support" in visitor.text.replace("'", "’")
    assert "Not given" in visitor.text
    visitor.submit(signed=True, button="Send the report")
    [report] = sent(database)
    assert report["reference"] in visitor.text
    assert (report["kind"], report["place_text"], report["has_identity"]) == ("barking", NEXT_DOOR, False)
    assert report["narrative"] == NARRATIVE
    [reporter] = database.rows("SELECT * FROM confidential.reporter")
    assert (reporter["name"], reporter["account_id"], reporter["email"]) == (None, None, None)
    assert (reporter["attestation_version"], reporter["notice_version"]) == ("2026-11", "2026-11")


def test_the_private_link_opens_the_report_elsewhere(file, visitor, arrive):
    file().submit(signed=True, button="Send the report")
    link = next(href for href in visitor.links.values() if "/reports/open/" in href)
    elsewhere = arrive().visit(link.removeprefix(visitor.origin))
    assert "A brown dog" in elsewhere.text


def test_a_bite_begins_with_the_emergency_and_says_when_the_quarantine_may_end(file, visitor, database, outbox, clock):
    """Example 50, 90.08(A)(1)."""
    clock.move_to(datetime(2026, 11, 17, 12, 0, tzinfo=CHICAGO))
    visitor.visit("/reports/new/bite")
    assert "Call 911" in visitor.text
    assert "320-555-0100" in visitor.text
    assert "at least 10 days" in visitor.text
    file("bite", when={"is_when": "on_a_day", "day": date(2026, 11, 16)})
    visitor.submit(signed=True, button="Send the report")
    assert "at least until Thursday, November 26, 2026, and is released only by written permission" in visitor.text
    [told] = outbox.messages(to="animals@benson.example")
    assert told.context["where"] == NEXT_DOOR
    [event] = database.rows("SELECT detail FROM animal_control.event WHERE kind = 'report.filed'")
    assert event["detail"]["is_urgent"] is True


def test_before_it_is_sent_it_says_who_will_see_what(file, visitor, database):
    """R3: three cards; the police's is exactly what is sent."""
    file(who={"is_named": "yes"}, contact=name_of_robin(asks_not_public=True))
    for card in ("The neighbor: nothing", "The public: nothing", "The police and animal control: exactly this"):
        assert card in visitor.text
    for told in (*ROBIN, NEXT_DOOR, "A brown dog", "Most nights", "It barks all night."):
        assert told in visitor.text
    assert sent(database) == []
    visitor.submit(signed="Robin Moe", button="Send the report")
    [reporter] = database.rows("SELECT * FROM confidential.reporter")
    assert (reporter["name"], reporter["email"], reporter["phone"], reporter["address"]) == ROBIN
    assert reporter["attested_name"] == "Robin Moe"
    assert reporter["asked_not_public_at"] is not None


def test_the_same_form_twice_is_one_report_with_one_reference(file, visitor, arrive, database):
    """R1: sent again before the answer came, and again after it."""
    file()
    values = visitor.page.values | {"signed": ["y"]}
    cookies = visitor.client.get_cookie("portal").value
    first = visitor.client.post("/reports/new/barking/check", data=values)
    again = arrive()
    again.client.set_cookie("portal", cookies, domain="localhost")
    second = again.client.post("/reports/new/barking/check", data=values)
    assert (first.status_code, second.status_code) == (303, 303)
    pages = [one.visit("/reports/new/sent").text for one in (visitor, again)]
    [report] = sent(database)
    assert all(report["reference"] in page for page in pages)
    assert visitor.links == again.links


def test_two_at_the_same_moment_are_one_report(file, visitor, app, database):
    """R1."""
    file()
    values = visitor.page.values | {"signed": ["y"]}
    cookies = visitor.client.get_cookie("portal").value

    def post(_number):
        client = app.test_client()
        client.set_cookie("portal", cookies, domain="localhost")
        return client.post("/reports/new/barking/check", data=values).headers["Location"]

    with ThreadPoolExecutor(4) as people:
        assert set(people.map(post, range(4))) == {"/reports/new/sent"}
    assert len(sent(database)) == 1
    assert len(database.rows("SELECT 1 FROM confidential.reporter")) == 1


@pytest.mark.parametrize(
    ("place", "position"),
    [("2 Main St, Willmar, MN 56201", ("", "")), ("The bridge", ("0", "0")), ("The bridge", ("44.9", "-93.2"))],
)
def test_a_place_that_may_be_outside_is_told_and_can_be_sent(file, visitor, database, place, position):
    """R5."""
    latitude, longitude = position
    file(where={"place": place, "latitude": latitude, "longitude": longitude})
    assert "This may be outside the city. Call Benson Police Department, 320-555-0100" in visitor.text
    visitor.submit(signed=True, button="Send the report")
    [report] = sent(database)
    assert (report["place_text"], report["is_outside_city"]) == (place, True)
    assert (report["latitude"] is None) == (latitude in {"", "0"})


@pytest.mark.parametrize("position", [("", ""), ("45.31", "-95.6"), ("north", "nan")])
def test_a_place_in_town_is_simply_taken(file, visitor, position):
    file(where={"place": "Northside park", "latitude": position[0], "longitude": position[1]})
    assert "outside the city" not in visitor.text


def test_a_very_long_text_is_told_and_all_of_it_is_kept(file, visitor):
    """200,000 characters: nothing else is lost."""
    visitor.visit("/reports/new/other").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="unsure", button="Continue").submit(animal="A brown dog", button="Continue")
    visitor.submit(narrative="x" * 200_000, button="Continue", status=422)
    assert visitor.errors == ["Use 20,000 characters or fewer. You have 200,000."]
    assert visitor.page.values["narrative"] == ["x" * 200_000]
    visitor.visit("/reports/new/other/where")
    assert visitor.page.values["place"] == [NEXT_DOOR]


def test_answers_wait_for_whoever_comes_back(visitor, clock):
    """F1: the draft is in the database; the cookie holds its secret alone."""
    visitor.visit("/reports/new/damage").submit(button="Start").submit(WHERE, button="Continue")
    clock.move_to(clock.now() + timedelta(days=3))
    visitor.visit("/reports/new").click("Go on with it")
    assert visitor.path == "/reports/new/damage/when"
    visitor.visit("/reports/new").submit(button="Delete what I wrote")
    assert "You began a report" not in visitor.text
    visitor.visit("/reports/new/damage/when")
    assert visitor.path == "/reports/new/damage"


def test_answers_survive_signing_in(visitor):
    """F1."""
    visitor.visit("/reports/new/damage").submit(button="Start").submit(WHERE, button="Continue")
    visitor.sign_in("robin@example.com", then="/reports/new")
    assert visitor.click("Go on with it").path == "/reports/new/damage/when"


def test_a_long_text_is_kept_when_the_session_is_gone(visitor, database):
    """F1: everything else has to be answered again, the text has not."""
    visitor.visit("/reports/new/damage").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="now", button="Continue").submit(button="Continue").submit(button="Continue")
    visitor.client.delete_cookie("portal")
    visitor.submit(narrative="They dug up all of it. " * 200, button="Continue", status=422)
    assert visitor.errors == ["This page was open a long time. Nothing is lost: check it and press the button again."]
    visitor.submit(button="Continue")
    assert visitor.path == "/reports/new/damage/where"
    assert visitor.visit("/reports/new/damage/words").page.values["narrative"][0].startswith("They dug up all of it.")


def test_somebody_elses_browser_finds_nothing_of_a_draft(visitor, another_resident):
    visitor.visit("/reports/new/damage").submit(button="Start").submit(WHERE, button="Continue")
    another_resident.visit("/reports/new/damage/where")
    assert another_resident.path == "/reports/new/damage"


def test_a_chase_becomes_a_bite_with_what_was_answered(visitor):
    visitor.visit("/reports/new/chasing").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="now", button="Continue").click("Report a bite instead").submit(button="Start")
    assert visitor.path == "/reports/new/bite/details"


def test_someone_signed_in_is_known_and_may_still_stay_unknown(file, resident, database):
    file(by=resident)
    resident.submit(signed=True, button="Send the report")
    [reporter] = database.rows("SELECT * FROM confidential.reporter")
    assert (reporter["account_id"], reporter["email"]) == (None, None)


def test_nothing_is_sent_without_the_statement(file, visitor, database):
    file(who={"is_named": "yes"}, contact=name_of_robin())
    visitor.submit(button="Send the report", status=422)
    assert visitor.errors == ["Type your name under the statement"]
    assert sent(database) == []


def test_too_many_from_one_address_are_asked_to_wait_and_lose_nothing(file, visitor, gateways, database):
    file()
    use_up(gateways.limits, REPORTS, "127.0.0.1")
    visitor.submit(signed=True, button="Send the report", status=429)
    assert sent(database) == []
    assert "A brown dog" in visitor.visit("/reports/new/barking/check").text


def test_a_box_that_no_person_sees_leads_to_review(file, visitor, database):
    file(words={"narrative": "Buy pills", "second_subject": "x"})
    visitor.submit(signed=True, button="Send the report")
    [report] = sent(database)
    assert report["is_suspicious"] is True


def test_a_report_under_a_neighbors_mailbox_tells_its_holder_nothing(file, visitor, outbox):
    file(who={"is_named": "yes"}, contact=name_of_robin())
    visitor.submit(signed="Robin Moe", button="Send the report")
    [letter] = outbox.messages(to="robin@example.com")
    assert letter.template == "report_confirm"


def test_words_are_shown_as_words(file, visitor):
    file()
    assert "<script>alert" not in visitor.page.html
    assert not [href for href in visitor.links.values() if "evil" in href]


@pytest.mark.parametrize("kind", list(Nuisance))
def test_every_kind_is_filed_with_as_little_as_a_place(file, visitor, database, kind):
    file(kind.value, when={"is_when": "now"}, animal={}, words={})
    visitor.submit(signed=True, button="Send the report")
    [report] = sent(database)
    assert (report["kind"], report["is_going_on"]) == (kind, True)
    assert isinstance(report["id"], UUID)


def test_no_other_kind_exists(visitor):
    visitor.visit("/reports/new/cats", status=404)


def test_the_same_matter_reported_again_goes_to_the_report_that_is_open(file, visitor, database):
    file().submit(signed=True, button="Send the report")
    [report] = sent(database)
    file(words={"narrative": "Again last night"}, animal={"animal": "Two brown dogs", "whose": "The blue house"})
    visitor.submit(signed=True, button="Send the report")
    assert report["reference"] in visitor.text
    visitor.click("Go to my report")
    for told in ("Again last night", "The animal: Two brown dogs", "Whose it may be: The blue house"):
        assert told in visitor.text
    assert len(sent(database)) == 1
    assert database.value("SELECT text FROM animal_control.report_update") == "Again last night"


def test_whoever_reports_the_same_matter_again_reads_before_sending_where_it_goes_and_what_stays(
    file, visitor, database
):
    """What they type of themselves is not asked for a second time: it stands behind the wall already (13.44)."""
    file(who={"is_named": "yes"}, contact=name_of_robin())
    assert "This goes to your report" not in visitor.text
    visitor.submit(signed="Robin Moe", button="Send the report")
    [report] = sent(database)
    file(who={"is_named": "yes"}, contact=name_of_robin(phone="320-555-0178", asks_not_public=True))
    assert f"This goes to your report {report['reference']}, as what happened next." in visitor.text
    assert "Your name and how to reach you stay as you gave them there." in visitor.text
    visitor.submit(signed="Robin Moe", button="Send the report")
    [reporter] = database.rows("SELECT * FROM confidential.reporter")
    assert reporter["phone"] == "320-555-0177"
    assert reporter["asked_not_public_at"] is not None


def test_without_a_name_nothing_goes_to_a_report_that_has_one(file, resident, database):
    file(by=resident, who={"is_named": "yes"}, contact=name_of_robin()).submit(
        signed="Robin Moe", button="Send the report"
    )
    file(by=resident).submit(signed=True, button="Send the report")
    assert sorted(one["has_identity"] for one in sent(database)) == [False, True]


def test_a_computer_that_forgets_a_report_forgets_its_link(file, visitor, database):
    file().submit(signed=True, button="Send the report")
    [report] = sent(database)
    visitor.visit(f"/reports/{report['reference']}")
    token = visitor.page.values["csrf_token"][:1]
    visitor.client.post(f"/reports/{report['reference']}/forget", data={"csrf_token": token})
    assert visitor.visit("/reports/new/sent").path == "/reports/new"
    visitor.visit(f"/reports/{report['reference']}", status=404)


def test_no_page_of_a_report_is_kept_by_the_browser_and_no_log_tells_of_it(file, visitor, caplog):
    file(who={"is_named": "yes"}, contact=name_of_robin())
    assert visitor.answer.headers["Cache-Control"] == "no-store"
    visitor.submit(signed="Robin Moe", button="Send the report")
    assert visitor.answer.headers["Cache-Control"] == "no-store"
    assert not [told for told in (*ROBIN, NEXT_DOOR, "barks") if told in caplog.text]


def test_the_back_button_after_signing_out_finds_nothing(file, resident):
    file(by=resident, who={"is_named": "yes"}, contact=name_of_robin())
    resident.visit("/dogs").submit(button="Sign out")
    assert resident.visit("/reports/new/barking/check").path == "/reports/new/barking"


def test_a_time_that_the_clock_skipped_in_spring_is_asked_for_again(visitor):
    visitor.visit("/reports/new/barking").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="on_a_day", day=date(2026, 3, 8), clock="2:30 AM", button="Continue", status=422)
    assert visitor.errors == [SKIPPED]
    visitor.submit(clock="3:30 AM", button="Continue")
    visitor.submit(day=date(2026, 3, 8), began="1:50 AM", ended="2:30 AM", button="Continue", status=422)
    assert visitor.errors == [SKIPPED]


def test_barking_in_the_hour_that_comes_twice_is_as_long_as_in_the_log(visitor):
    """Sunday, November 1, 2026: from the first ten to two until the second ten past one."""
    visitor.visit("/reports/new/barking").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="unsure", button="Continue")
    visitor.submit(day=date(2026, 11, 1), began="1:50 AM", ended="1:10 AM", button="Add this and another")
    assert "at 1:50 a.m. to 1:10 a.m." in visitor.text


def test_the_hour_since_when_an_animal_is_held_is_asked_again_if_it_was_skipped(visitor, clock):
    clock.move_to(datetime(2027, 3, 14, 4, 0, tzinfo=CHICAGO))
    visitor.visit("/reports/new/stray").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="unsure", button="Continue")
    visitor.submit(is_confined="yes", confined_at="2:30 AM", button="Continue", status=422)
    assert visitor.errors == [SKIPPED]


def test_times_are_read_over_as_they_are_said_everywhere(file, visitor):
    file(
        "stray",
        when={"is_when": "on_a_day", "day": date(2026, 11, 28), "clock": "21:30"},
        details={"is_confined": "yes", "confined_at": "09:15"},
    )
    assert "November 28, 2026 at 9:30 p.m." in visitor.text
    assert "9:15 a.m." in visitor.text
    assert "21:30" not in visitor.text


def test_barking_within_one_minute_is_read_over_with_that_minute(visitor):
    visitor.visit("/reports/new/barking").submit(button="Start").submit(WHERE, button="Continue")
    visitor.submit(is_when="unsure", button="Continue")
    visitor.submit(day=date(2026, 11, 29), began="9:30 PM", ended="9:30 PM", button="Add this and another")
    assert "November 29, 2026 at 9:30 p.m." in visitor.text
    assert "p.m. to" not in visitor.text
    assert "The longest barking in the log is less than a minute." in visitor.text


def test_a_stray_that_was_taken_in_keeps_its_time(file, visitor, database):
    """90.11(B): the two hours begin at the confining."""
    visitor.visit("/reports/new/stray")
    assert "call the police within two hours" in visitor.text
    file("stray", details={"is_confined": "yes", "confined_at": "9:15 AM", "tag": "2026-12"})
    visitor.submit(signed=True, button="Send the report")
    [report] = sent(database)
    assert report["details"]["confined_at"].startswith("2026-11-30T15:15")

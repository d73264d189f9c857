"""Somebody saw a missing pet: its owner is told at once, and nothing is counted that nobody said."""

from datetime import date, datetime, timedelta

from portal.gateways.rate_limits import NOTICE_WORDS
from tests.browser.limits import use_up
from tests.support.portal import CHICAGO

SEEN = {"holding": "sighted", "place": "Northside park"}
TELL = "Tell its people"


def test_the_owner_is_told_at_once_where_and_when(missed, resident, visitor, outbox, database):
    reference = missed()
    visitor.visit(f"/lost/{reference}").click("I saw Pepper")
    visitor.submit(SEEN | {"clock": "9:15 AM", "message": "She ran north."}, button=TELL)
    assert visitor.h1 == "Pepper’s people are being told"
    letter = outbox.letters(to="pat@example.com", template="notice_sighting")[0]
    assert letter.subject == "Somebody saw Pepper"
    assert "When: November 30, 2026 at 9:15 a.m." in letter.text
    assert "Where: Northside park" in letter.text
    resident.visit(f"/notices/{reference}")
    assert "Northside park" in resident.text
    talk = next(href for href in resident.links.values() if "/talk/" in href)
    resident.visit(talk).submit(message="Thank you! Which way?", button="Send")
    assert "Thank you! Which way?" in visitor.visit("/tags/talk").text
    visitor.submit(message="To the river.", button="Send")
    assert outbox.templates(to="pat@example.com")[-1] == "notice_words"
    event = database.rows("SELECT * FROM animal_control.event WHERE kind = 'notice.sighted'")[0]
    assert "She ran north" not in str(event)
    for secret in ("pat@example.com", "O’Brien"):
        assert secret not in visitor.page.html


def test_whoever_has_it_sees_the_two_hours(missed, visitor, database):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN | {"holding": "held"}, button=TELL)
    assert "Tell the police by November 30, 2026 at 12:00 p.m." in visitor.text
    [event] = database.rows("SELECT detail FROM animal_control.event WHERE kind = 'notice.sighted'")
    assert event.detail["report_by"] == "2026-11-30T18:00:00+00:00"


def test_the_same_form_twice_is_one_sighting(missed, visitor, database, outbox):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen")
    filled = visitor.page.form(button=TELL).filled(SEEN, button=TELL)
    sent = {name: values[0] for name, values in filled.items()}
    answers = [visitor.client.post(f"/lost/{reference}/seen", data=sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert database.value("SELECT count(*) FROM animal_control.sighting") == 1
    assert len(outbox.messages(template="notice_sighting")) == 1


def test_a_mistake_is_explained_and_nothing_typed_is_lost(missed, visitor):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen").submit(
        {"message": "By the school", "clock": "25:99"}, button=TELL, status=422
    )
    assert visitor.page.values["message"] == ["By the school"]
    assert "Choose what fits best" in visitor.errors


def test_looking_is_no_sighting(missed, visitor, database, outbox):
    """Previews, prefetching, scanners of links: opening any page of a notice tells nobody anything."""
    reference = missed()
    before = database.content()
    for path in (f"/lost/{reference}", f"/lost/{reference}/seen", f"/lost/{reference}/wrong"):
        for agent in ("facebookexternalhit/1.1", "WhatsApp/2.0"):
            visitor.client.get(path, headers={"User-Agent": agent, "Purpose": "prefetch"})
            visitor.client.head(path, headers={"User-Agent": agent})
    assert database.content() == before


def test_who_wrote_is_thanked_when_it_is_home(missed, resident, visitor, outbox):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN | {"email": "robin@example.com"}, button=TELL)
    resident.visit(f"/notices/{reference}").submit(button="Pepper is home!")
    assert outbox.templates(to="robin@example.com") == ["finder_link", "finder_thanks"]
    assert visitor.visit(f"/lost/{reference}/seen").h1 == "Pepper is home"


def test_a_letter_leads_through_the_sign_in_to_what_was_typed(missed, resident, visitor, outbox, database):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN, button=TELL)
    resident.visit(f"/notices/{reference}").visit(next(one for one in resident.links.values() if "/talk/" in one))
    talk = resident.path
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    resident.submit(message="Which way did she go?", button="Send").submit(email="pat@example.com")
    resident.submit(code=outbox.code("pat@example.com"))
    assert resident.path == talk
    assert resident.page.values["message"] == ["Which way did she go?"]
    resident.submit(button="Send")
    assert "Which way did she go?" in visitor.visit("/tags/talk").text


def test_a_talk_opens_from_its_own_notice_alone(missed, resident, another_resident, visitor, miss, database):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN, button=TELL)
    relay_id = database.value("SELECT id FROM portal.relay")
    miss(by=another_resident).submit(button="Show it to everybody")
    other = another_resident.path.rpartition("/")[2]
    for page in ("", "/end"):
        another_resident.visit(f"/notices/{other}/talk/{relay_id}{page}", status=404)
        another_resident.visit(f"/notices/{reference}/talk/{relay_id}{page}", status=404)
    resident.visit(f"/notices/{reference}/talk/{relay_id}").submit(button="End this talk")
    visitor.visit("/tags/talk")
    assert visitor.h1 == "This talk about Pepper has ended"


def test_who_keeps_the_animal_too_is_told_and_minds_the_notice_too(
    resident, another_resident, visitor, registrations, household, outbox
):
    pepper = registrations.licensed("Pepper")
    household.joins(pepper, "gavin@example.com")
    resident.visit("/lost/new").submit({"pet": str(pepper.animal_id)}, button="Start").submit(button="Continue")
    resident.submit(button="Go on without a photo").submit({"place": "Idaho"}, button="Continue")
    resident.submit(button="Continue").submit(button="Show it to everybody")
    reference = resident.path.rpartition("/")[2]
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN, button=TELL)
    assert "notice_sighting" in outbox.templates(to="gavin@example.com")
    another_resident.visit("/notices").click("Pepper").submit(button="Pepper is home!")
    assert "whoever wrote to you was thanked" in another_resident.text.lower()


def test_a_notice_that_should_not_be_there_is_told_of_once(missed, visitor, database):
    reference = missed()
    visitor.visit(f"/lost/{reference}").click("Something is wrong with this notice")
    visitor.submit(what="scam", text="She asks for gift cards", button="Tell the city")
    assert visitor.h1 == "Thank you. The city looks at it"
    assert database.value("SELECT kind FROM animal_control.notice_abuse") == "scam"
    [event] = database.rows("SELECT detail FROM animal_control.event WHERE kind = 'notice.complained_of'")
    assert "gift cards" not in str(event)


def test_an_owner_is_not_flooded_from_one_address_and_what_was_typed_is_sent_later(
    missed, visitor, gateways, database, outbox
):
    reference = missed()
    visitor.visit(f"/lost/{reference}/seen")
    use_up(gateways.limits, NOTICE_WORDS, "127.0.0.1")
    visitor.submit(SEEN, button=TELL, status=429)
    assert "What you typed is kept on this page" in visitor.text
    database.run("DELETE FROM portal.rate_limit")
    visitor.submit(button="Send it again")
    assert outbox.templates(to="pat@example.com").count("notice_sighting") == 1


def test_days_later_the_time_is_theirs(missed, visitor, database, clock):
    reference = missed()
    clock.move_to(datetime(2026, 12, 3, 8, 0, tzinfo=CHICAGO))
    visitor.visit(f"/lost/{reference}/seen")
    visitor.submit(SEEN | {"on": date(2026, 12, 1), "clock": "4:00 PM"}, button=TELL)
    seen_at = database.value("SELECT seen_at FROM animal_control.sighting")
    assert seen_at == datetime(2026, 12, 1, 16, 0, tzinfo=CHICAGO)
    assert clock.now() - seen_at > timedelta(days=1)


def test_where_the_phone_was_reaches_the_owner(missed, resident, visitor, outbox):
    reference = missed()
    position = {"latitude": "45.316789", "longitude": "-95.60234"}
    visitor.visit(f"/lost/{reference}/seen").submit(SEEN | position, button=TELL)
    letter = outbox.letters(to="pat@example.com", template="notice_sighting")[0]
    assert "Their phone was at: 45.31679, -95.60234" in letter.text
    resident.visit(f"/notices/{reference}").visit(next(href for href in resident.links.values() if "/talk/" in href))
    assert "Where: Northside park (45.31679, -95.60234)" in resident.text


def test_mistakes_are_listed_in_the_order_of_the_page(missed, visitor):
    visitor.visit(f"/lost/{missed()}/seen").submit({"phone": "12", "pass_phone_on": True}, button=TELL, status=422)
    assert visitor.errors[:2] == ["Choose what fits best", "Type where you saw it: a corner or a landmark"]

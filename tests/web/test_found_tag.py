"""A dog with a tag is found: its people are told at once, and neither side learns who the other is (90.11(B))."""

import re
from datetime import datetime, timedelta
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy.orm import Session

from portal.gateways.rate_limits import FINDER_MAILBOX, RELAY_WORDS, TAG_PAGES, TAG_SENDS, TAG_TOLD
from portal.ordinance.wall_clock import SKIPPED
from portal.schema.animals import Keeper, KeeperRole
from tests.browser.limits import use_up
from tests.support.documents import corners, saved
from tests.support.portal import CHICAGO

GPS, MAKER = 0x8825, 0x010F
MESSAGE = "She is fine. I’m waiting at the swings."
# All that is known of the two sides. Neither may find any of the other's anywhere.
KEEPER = ("Pat", "O’Brien", "pat@example.com", "(320) 555-0100", "+13205550100", "555-0100 x12", "Idaho", "1310")
FINDER = ("robin@example.com", "(320) 555-0177", "555-0177", "robin")


@pytest.fixture
def pepper(registrations):
    """Pepper wears tag 1 of 2026."""
    return registrations.licensed()


@pytest.fixture
def write(visitor):
    """The finder writes to a tag's people; True once it went through."""

    def write(number="2026-0001", *, who=visitor, status=200, **answers):
        who.visit(f"/tags/{number}")
        return who.submit(
            {"message": MESSAGE, "taken_in": "no", **answers}, button="Tell the dog’s people", status=status
        )

    return write


def tells(seen, detail):
    """Whether it stands there as a word of its own: “Path” is nobody’s name."""
    return re.search(rf"(?<!\w){re.escape(detail)}(?!\w)", seen, re.IGNORECASE)


def photo_with_a_place():
    exif = Image.Exif()
    exif[MAKER] = "Robins phone"
    exif.get_ifd(GPS).update({1: "N", 2: (45.0, 18.0, 54.0), 3: "W", 4: (95.0, 36.0, 0.0)})
    content = saved(corners(640, 480), "JPEG", exif=exif)
    assert Image.open(BytesIO(content)).getexif().get_ifd(GPS)
    return content, "image.jpg"


def talks(resident, pepper):
    """The keeper opens the newest talk."""
    resident.visit(f"/dogs/{pepper.animal_id}/found")
    address = next(href for href in resident.links.values() if "/found/" in href)
    return resident.visit(address)


def link_of(outbox, template="finder_link"):
    return outbox.messages(template=template)[-1].context["path"]


def letter_of(outbox, **which):
    """Everything a mailbox gets to see of the newest letter, headers and both parts."""
    letter = outbox.letters(**which)[-1]
    return "\n".join((letter.subject, letter.text, letter.html, letter.reply_to or ""))


def test_a_finder_types_the_number_and_the_people_are_told_at_once(visitor, pepper, outbox, database):
    """Example 45."""
    visitor.visit("/").click("Found a dog with a tag?").submit(number="2026-0001")
    assert visitor.path == "/tags/2026-1"
    visitor.submit(message=MESSAGE, place="Northside park", taken_in="no", button="Tell the dog’s people")
    assert visitor.path == "/tags/talk"
    assert visitor.h1 == "Pepper’s people are being told"
    letter = outbox.letters(to="pat@example.com", template="tag_found")[0]
    assert letter.subject == "Pepper may have been found"
    assert "I’m waiting at the swings" in letter.text
    assert "Where: Northside park" in letter.text
    event = database.rows("SELECT * FROM animal_control.event WHERE kind = 'tag.found'")[0]
    assert event.subject_id == pepper.animal_id
    assert MESSAGE not in str(event)


def test_the_relay_walked_both_ways_shows_neither_side_anything_of_the_other(
    visitor, resident, pepper, write, outbox, database
):
    """Every page, every letter in both parts with its headers, every header of an answer, every event."""
    to_finder, to_keeper = [], []

    def see(person, seen):
        seen.append(f"{person.answer.headers}\n{person.page.html}\n{person.moves}")

    visitor.visit("/tags/2026-1")
    see(visitor, to_finder)
    photo = (saved(corners(640, 480), "JPEG"), "robin-at-home.jpg")
    write(email="robin@example.com", phone="(320) 555-0177", photo=photo, place="Northside park")
    see(visitor, to_finder)
    see(talks(resident, pepper), to_keeper)
    resident.submit(message="Thank you! On my way.", phone="(320) 555-0100 x12", button="Send to the finder")
    see(resident, to_keeper)
    see(visitor.visit("/tags/talk"), to_finder)
    assert "Thank you! On my way." in visitor.text
    visitor.submit(message="I’m in a red coat.", button="Send")
    see(visitor, to_finder)
    see(talks(resident, pepper), to_keeper)
    assert "I’m in a red coat." in resident.text
    resident.submit(button="Pepper is home")
    see(resident, to_keeper)
    see(visitor.visit("/tags/talk"), to_finder)
    assert visitor.h1 == "This talk about Pepper has ended"
    # What each gets by mail: the address it is sent to is its own.
    for letter in outbox.letters(to="robin@example.com"):
        to_finder.append("\n".join((letter.subject, letter.text, letter.html, letter.reply_to or "")))
    for letter in outbox.letters(to="pat@example.com", template="tag_found"):
        to_keeper.append("\n".join((letter.subject, letter.text, letter.html, letter.reply_to or "")))
    assert outbox.templates(to="robin@example.com") == ["finder_link", "finder_answer", "finder_thanks"]
    assert outbox.templates(to="pat@example.com").count("tag_found") == 2
    assert [detail for detail in KEEPER for seen in to_finder if tells(seen, detail)] == []
    assert [detail for detail in FINDER for seen in to_keeper if tells(seen, detail)] == []
    events = str(database.rows("SELECT kind, actor, detail FROM animal_control.event WHERE kind LIKE 'tag.%'"))
    assert [detail for detail in (*FINDER, *KEEPER, MESSAGE, "red coat") if detail in events] == []


def test_answers_to_letters_go_to_the_city_and_never_to_a_person(write, resident, pepper, outbox, gateways):
    write(email="robin@example.com")
    talks(resident, pepper).submit(message="Thank you!", button="Send to the finder")
    letters = [*outbox.letters(to="robin@example.com"), *outbox.letters(to="pat@example.com", template="tag_found")]
    assert {letter.reply_to for letter in letters} == {gateways.city.police.email}


def test_a_phone_is_passed_on_only_with_its_tick(visitor, write, resident, pepper, outbox, database):
    write(phone="(320) 555-0177", pass_phone_on=True)
    assert "Phone: (320) 555-0177" in talks(resident, pepper).text
    assert "Phone: (320) 555-0177" in letter_of(outbox, template="tag_found")
    resident.submit(message="Call me.", phone="(320) 555-0111", pass_phone_on=True, button="Send to the finder")
    assert "555-0111" not in resident.text, "it may be another keeper who reads it"
    assert "Phone: (320) 555-0111" in visitor.visit("/tags/talk").text
    write(phone="(320) 555-0199", who=visitor)
    assert database.value("SELECT count(*) FROM portal.relay_message WHERE phone LIKE '%0199%'") == 0


def test_a_tick_without_a_number_is_asked_about(visitor, write, resident, pepper):
    write(pass_phone_on=True, status=422)
    assert visitor.errors == ["Enter the phone number to pass on, or take the tick away"]
    write()
    talks(resident, pepper).submit(message="Hi", pass_phone_on=True, button="Send to the finder", status=422)
    assert resident.errors == ["Enter the phone number to pass on, or take the tick away"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_preview_of_the_link_tells_nobody(visitor, pepper, database, method):
    """A1: mail scanners, previews and crawlers open links."""
    before = database.content()
    for path in ("/tags/2026-1", "/tags/1", "/tags/2026-0001?utm=1", "/tags?number=2026-1"):
        assert visitor.client.open(path, method=method, base_url=visitor.origin).status_code in (200, 303)
    assert database.content() == before


def test_counting_through_the_numbers_learns_nothing(arrive, registrations, pepper, queries, gateways, monkeypatch):
    """V3: known and unknown numbers get the same page, from the same statements, and so in the same time."""
    answers, statements = {}, {}
    for number in [1, *range(2, 10_000, 700), 9999]:
        someone = arrive()
        with queries() as counted:
            someone.visit(f"/tags/2026-{number:04}")
        html = someone.page.html.replace(f"2026-{number}", "NUMBER")
        tokens = [someone.page.values[name][0] for name in ("csrf_token", "submission_key")]
        for token in tokens:
            html = html.replace(token, "TOKEN")
        answers[number] = (someone.answer.status_code, html, sorted(someone.answer.headers.keys()))
        statements[number] = [sent.split("WHERE")[0] for sent in counted.sent]
    assert len({str(answer) for answer in answers.values()}) == 1
    assert len({str(sent) for sent in statements.values()}) == 1
    assert not any("license" in sent or "animal" in sent for sent in statements[1]), "nothing is looked up"
    assert [detail for detail in (*KEEPER, "Pepper") if detail in answers[1][1]] == []


def test_opening_pages_of_tags_is_throttled(visitor, pepper):
    for number in range(TAG_PAGES.item.amount):
        visitor.client.get(f"/tags/{number + 1}", base_url=visitor.origin)
    assert visitor.client.get("/tags/1", base_url=visitor.origin).status_code == 429


def test_trying_numbers_by_sending_is_throttled_whether_they_exist_or_not(arrive, write, pepper, outbox):
    for number in range(TAG_SENDS.item.amount):
        write(f"2026-{9000 + number}", who=arrive(), status=422)
    write("2026-1", who=arrive(), status=429)
    assert outbox.templates(to="pat@example.com").count("tag_found") == 0


def test_nobody_is_written_to_all_day_long(arrive, write, pepper, gateways, outbox):
    use_up(gateways.limits, TAG_TOLD, str(pepper.animal_id))
    write(who=arrive(), status=429)
    use_up(gateways.limits, FINDER_MAILBOX, "robin@example.com")
    write(who=arrive(), email="Robin@example.com", status=429)
    assert outbox.templates(to="pat@example.com").count("tag_found") == 0


def test_within_a_talk_too_there_is_an_end_to_writing(visitor, write, resident, pepper):
    write()
    for number in range(RELAY_WORDS.item.amount):
        visitor.visit("/tags/talk").submit(message=f"Hello {number}", button="Send")
    visitor.submit(message="Hello again", button="Send", status=429)


def test_an_unknown_number_is_told_beside_it_and_nothing_typed_is_lost(visitor, pepper, write, database):
    write("2026-4711", place="Northside park", status=422)
    assert visitor.errors == ["We know no license tag with this number. Look at the tag again, or call the police"]
    assert visitor.page.values["message"] == [MESSAGE]
    assert "320-555-0100" in visitor.text
    visitor.submit(number="1", button="Tell the dog’s people")
    assert visitor.h1 == "Pepper’s people are being told"
    assert database.value("SELECT count(*) FROM portal.relay") == 1


@pytest.mark.parametrize("typed", ["R-26413", "Prairie Vet", "26-0413-B"])
def test_a_rabies_tag_is_explained(visitor, typed):
    visitor.visit("/tags").submit(number=typed, status=422)
    assert "it is a rabies tag: call that clinic" in visitor.errors[0]
    assert visitor.visit(f"/tags/{typed}", status=404).title.startswith("Error: Found a dog")


def test_a_dead_tag_of_a_dog_with_a_live_license_still_reaches_its_people(visitor, write, pepper, database, outbox):
    database.run("UPDATE animal_control.tag SET state = 'lost'")
    write("2026-0001-1")
    assert outbox.templates(to="pat@example.com")[-1] == "tag_found"


def test_an_old_years_tag_leads_to_the_same_dog(write, pepper, clock, outbox):
    clock.move_to(clock.at.replace(year=2029))
    write("2026-1")
    assert outbox.templates(to="pat@example.com")[-1] == "tag_found"


def test_around_new_year_the_year_is_asked_for_where_two_dogs_may_wear_the_number(
    visitor, registrations, pepper, write, clock, outbox
):
    """Example 37: number 1 of 2026 is Pepper’s, number 1 of 2027 is Rex’s."""
    registrations.licensed("Rex", email="gavin@example.com", license_year=2027)
    write("1")
    assert visitor.h1 == "Pepper’s people are being told"
    clock.move_to(datetime(2027, 1, 5, 9, tzinfo=CHICAGO))
    write("1", status=422)
    assert "Put the year stamped on the tag before it, like 2027-1" in visitor.errors[0]
    visitor.submit(number="2026-1", button="Tell the dog’s people")
    assert outbox.templates(to="gavin@example.com").count("tag_found") == 0
    clock.move_to(datetime(2027, 6, 1, 9, tzinfo=CHICAGO))
    write("1")
    assert outbox.templates(to="gavin@example.com").count("tag_found") == 1


@pytest.mark.parametrize("state", ["given_away", "left_city"])
def test_the_people_of_a_dog_with_a_new_home_are_told_because_they_know_where_it_lives(
    resident, visitor, write, pepper, state
):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind=state)
    write()
    assert visitor.h1 == "Pepper’s people are being told"
    resident.visit(next(message.context["path"] for message in resident.outbox.messages(template="tag_found")))
    assert MESSAGE in resident.text


def test_a_dog_that_died_has_nobody_to_write_to(visitor, write, pepper, database):
    database.run("UPDATE animal_control.animal SET state = 'died'")
    write(status=422)
    assert "We know no license tag with this number" in visitor.errors[0]


def test_every_keeper_is_told_and_by_text_whoever_agreed_to_texts(write, pepper, registrations, gateways, database):
    other = registrations.licensed("Rex", email="gavin@example.com")
    with Session(gateways.engine) as session, session.begin():
        session.add(
            Keeper(
                animal_id=pepper.animal_id,
                person_id=other.person_id,
                role=KeeperRole.CO_OWNER,
                since=gateways.clock.now(),
            )
        )
    consent = """INSERT INTO portal.reminder_choice (account_id, sms_phone, sms_consented_at, sms_stopped_at)
                 VALUES (:id, :phone, now(), :stopped)"""
    database.run(consent, id=pepper.account_id, phone="+13205550100", stopped=None)
    database.run(consent, id=other.account_id, phone="+13205550111", stopped=gateways.clock.now())
    write()
    sent = database.rows("SELECT channel, recipient, context FROM portal.outgoing_message WHERE template = 'tag_found'")
    assert sorted((row.channel, row.recipient) for row in sent) == [
        ("email", "gavin@example.com"),
        ("email", "pat@example.com"),
        ("sms", "+13205550100"),
    ]
    [text] = [row.context for row in sent if row.channel == "sms"]
    assert "Pepper" not in str(text)
    assert MESSAGE not in str(text)


def test_a_keeper_without_a_mailbox_is_for_the_police_to_phone(visitor, write, pepper, database, outbox):
    database.run("UPDATE portal.account SET person_id = NULL")
    write(place="Northside park")
    assert visitor.h1 == "Call the police about Pepper"
    event = database.rows("SELECT * FROM animal_control.event WHERE kind = 'tag.keepers_to_call'")[0]
    assert event.detail["persons"] == [str(pepper.person_id)]
    letter = outbox.letters(template="keepers_to_call")[0]
    assert (letter.to, letter.subject) == ("animals@benson.example", "Please phone the people of Pepper, tag 2026-1")


@pytest.mark.parametrize(
    ("now", "answers", "told"),
    [
        pytest.param(
            datetime(2026, 11, 1, 0, 45, tzinfo=CHICAGO),
            {"taken_in": "earlier", "since": "00:30"},
            "Tell the police by November 1, 2026 at 1:30 a.m.",
            id="90.11(B) example 44: the clocks go back",
        ),
        pytest.param(
            datetime(2027, 3, 14, 1, 15, tzinfo=CHICAGO),
            {"taken_in": "now"},
            "Tell the police by March 14, 2027 at 4:15 a.m.",
            id="90.11(B) example 44: the clocks go forward",
        ),
        pytest.param(
            datetime(2026, 11, 30, 10, tzinfo=CHICAGO),
            {"taken_in": "earlier", "since": "7 am"},
            "Call the police now: the two hours ended on November 30, 2026 at 9:00 a.m.",
            id="90.11(B): late is told, not refused",
        ),
    ],
)
def test_the_finder_is_told_by_when_the_police_must_know(visitor, write, pepper, clock, now, answers, told):
    clock.move_to(now)
    write(**answers)
    assert told in visitor.text
    assert "City Code § 90.11(B)" in visitor.text
    assert "320-555-0100" in visitor.links


def test_the_hour_is_asked_for_where_it_was_earlier(visitor, write, pepper):
    write(taken_in="earlier", status=422)
    assert visitor.errors == ["Enter about what time you took the dog in, like 9:30 p.m."]
    write(taken_in="earlier", since="half past", status=422)
    assert visitor.errors == ["Enter a time like 9:30 p.m."]


def test_a_time_that_the_clock_skipped_in_spring_is_asked_for_again(visitor, write, pepper, clock, database):
    clock.move_to(datetime(2027, 3, 14, 4, 0, tzinfo=CHICAGO))
    write(taken_in="earlier", since="2:30 AM", status=422)
    assert visitor.errors == [SKIPPED]
    assert database.value("SELECT count(*) FROM portal.relay_message") == 0


def test_the_link_leaves_the_address_bar_is_kept_hashed_and_opens_the_talk_anywhere(
    visitor, arrive, write, pepper, outbox, database
):
    """V5."""
    write(email="robin@example.com")
    shown = next(href for href in visitor.links.values() if "/tags/talk/" in href).removeprefix(visitor.origin)
    for path in (shown, link_of(outbox)):
        elsewhere = arrive().visit(path, status=303, follow=False)
        assert elsewhere.location == "/tags/talk"
        assert MESSAGE in elsewhere.follow().text
        token = path.rpartition("/")[2]
        assert len(token) >= 43
        assert token not in str(database.rows("SELECT * FROM portal.relay_link"))
    assert all(message.is_secret for message in outbox.messages(to="robin@example.com"))


def test_wrong_and_old_links_open_the_same_page(arrive, write, pepper, outbox, clock):
    write(email="robin@example.com")
    path = link_of(outbox)
    wrong = arrive().visit("/tags/talk/wrong", status=None).page.html
    clock.move_to(clock.at + timedelta(days=31))
    assert arrive().visit(path, status=None).page.html == wrong
    assert "This link does not open anything now" in wrong
    assert arrive().visit("/tags/talk", status=None).page.html == wrong


def test_a_browser_that_others_use_can_forget_the_talk(visitor, write, pepper, outbox):
    write(email="robin@example.com")
    visitor.submit(button="Forget this talk on this device")
    assert visitor.h1 == "Found a dog with a tag?"
    assert MESSAGE not in visitor.visit("/tags/talk", status=None).text
    assert MESSAGE in visitor.visit(link_of(outbox)).text


def test_a_link_longer_than_any_of_ours_opens_nothing(visitor):
    assert visitor.visit(f"/tags/talk/{'a' * 5000}", status=None).h1 == "This link does not open anything now"


def test_guessing_links_is_throttled(visitor):
    for _ in range(30):
        visitor.visit("/tags/talk/guess", status=None)
    visitor.visit("/tags/talk/guess", status=429)


def test_a_stranger_reads_no_talk_and_no_picture(visitor, resident, another_resident, write, pepper, database):
    write(photo=(saved(corners(640, 480), "JPEG"), "image.jpg"))
    talk = talks(resident, pepper).path
    picture = resident.page.main.find(".//img").get("src")
    for path in (f"/dogs/{pepper.animal_id}/found", talk, f"{talk}/home", f"{talk}/end", picture):
        another_resident.visit(path, status=404)
    own = visitor.page.main.find(".//img").get("src")
    another_resident.visit(own, status=404)


def test_the_picture_is_served_clean_to_both_sides_alone(visitor, resident, write, pepper):
    """V1, U8: no place in it, our own type, and nothing in it runs."""
    write(photo=photo_with_a_place())
    for person in (visitor.visit("/tags/talk"), talks(resident, pepper)):
        address = person.page.main.find(".//img").get("src")
        answer = person.client.get(address, base_url=person.origin)
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert not Image.open(BytesIO(answer.data)).getexif()
        assert b"Robin" not in answer.data


def test_a_picture_that_cannot_be_read_is_explained(visitor, write, pepper, database):
    write(photo=(b"no picture", "image.jpg"), status=422)
    assert database.value("SELECT count(*) FROM portal.relay") == 0


def test_the_same_form_twice_tells_nobody_twice(visitor, resident, write, pepper, outbox, database):
    """R1."""
    form = visitor.visit("/tags/1").page
    for _ in range(2):
        visitor.page = form
        visitor.submit(message=MESSAGE, taken_in="no", email="robin@example.com", button="Tell the dog’s people")
        assert MESSAGE in visitor.text
    assert database.value("SELECT count(*) FROM portal.relay") == 1
    assert outbox.templates(to="pat@example.com").count("tag_found") == 1
    assert outbox.templates(to="robin@example.com") == ["finder_link"]
    for person, button in ((visitor, "Send"), (talks(resident, pepper), "Send to the finder")):
        page = person.page
        for _ in range(2):
            person.page = page
            person.submit(message="Once", button=button)
    assert database.value("SELECT count(*) FROM portal.relay_message WHERE text = 'Once'") == 2


def test_a_key_somebody_else_used_opens_nothing(visitor, arrive, write, pepper, database):
    write()
    key = database.value("SELECT id FROM portal.relay")
    someone = arrive().visit("/tags/1")
    someone.submit(message="Hello", taken_in="no", submission_key=str(key), button="Tell the dog’s people", status=None)
    assert MESSAGE not in someone.text
    assert database.value("SELECT count(*) FROM portal.relay_message") == 1


def test_after_the_end_nothing_can_be_written(visitor, resident, write, pepper, outbox):
    write(email="robin@example.com")
    before = visitor.page
    talks(resident, pepper)
    at_home = resident.page
    resident.submit(button="Pepper is home")
    visitor.page = before
    visitor.submit(message="Hello?", button="Send", status=422)
    assert visitor.errors == ["This talk has ended, so nothing more can be written in it"]
    resident.page = at_home
    resident.submit(button="Pepper is home")
    assert outbox.templates(to="robin@example.com").count("finder_thanks") == 1


def test_what_came_before_the_end_is_sent_again_and_is_there_once(visitor, resident, write, pepper, database):
    """The reply was lost, and the dog came home meanwhile: nobody is told that nothing can be written."""
    write(email="robin@example.com")
    before = visitor.page
    visitor.submit(message="By the church.", button="Send")
    talks(resident, pepper).submit(button="Pepper is home")
    visitor.page = before
    visitor.submit(message="By the church.", button="Send")
    assert database.value("SELECT count(*) FROM portal.relay_message WHERE text = 'By the church.'") == 1


def test_a_nuisance_is_ended_without_a_letter_of_thanks(visitor, resident, write, pepper, outbox):
    write(email="robin@example.com")
    talks(resident, pepper).submit(button="End this talk")
    assert "This talk has ended" in resident.text
    assert visitor.visit("/tags/talk").h1 == "This talk about Pepper has ended"
    assert outbox.templates(to="robin@example.com") == ["finder_link"]


def test_a_finder_can_end_it_too(visitor, resident, write, pepper):
    write()
    visitor.submit(button="End this talk")
    assert visitor.h1 == "This talk about Pepper has ended"
    assert "Send to the finder" not in talks(resident, pepper).page.html


def test_a_new_owner_does_not_read_what_was_told_to_the_old(
    visitor, resident, another_resident, registrations, write, pepper, gateways, database, outbox
):
    write(phone="(320) 555-0177", pass_phone_on=True)
    talk = talks(resident, pepper).path
    new = registrations.licensed("Rex", email="gavin@example.com")
    database.run("UPDATE animal_control.keeper SET until = now() WHERE animal_id = :id", id=pepper.animal_id)
    later = gateways.clock.now() + timedelta(days=1)
    with Session(gateways.engine) as session, session.begin():
        session.add(Keeper(animal_id=pepper.animal_id, person_id=new.person_id, role=KeeperRole.OWNER, since=later))
    resident.visit(talk, status=404)
    another_resident.visit(talk, status=404)
    visitor.submit(message="Call me on (320) 555-0177.", button="Send")
    assert outbox.templates(to="gavin@example.com").count("tag_found") == 0
    assert "Nobody wrote" in another_resident.visit(f"/dogs/{pepper.animal_id}/found").text


def test_a_dog_that_died_meanwhile_can_still_be_talked_about(resident, write, pepper, database):
    write()
    talk = talks(resident, pepper).path
    database.run("UPDATE animal_control.animal SET state = 'died'")
    assert MESSAGE in resident.visit(talk).text


def test_a_long_talk_takes_no_more_statements_than_a_short_one(visitor, resident, write, pepper, queries):
    write()
    talk = talks(resident, pepper).path
    short, long = [], []
    for sent in (short, long):
        for person, path in ((visitor, "/tags/talk"), (resident, talk)):
            with queries() as counted:
                person.visit(path)
            sent.append(len(counted))
        for number in range(4):
            visitor.visit("/tags/talk").submit(message=f"Hello {number}", button="Send")
    assert short == long


def test_what_is_typed_is_inert_on_the_pages(visitor, resident, write, pepper):
    """E1."""
    evil = "<a href=//evil.example>[Pay](http://evil.example)</a>\r\nBcc: x@evil.example"
    write(message=evil, place=evil)
    for person in (visitor, talks(resident, pepper)):
        assert "evil" not in str(person.links)
        assert "[Pay](http://evil.example)" in person.text


def test_a_filled_spam_trap_is_noted_and_the_people_are_told(write, pepper, database, outbox):
    """F5: for review, never a silent drop."""
    write(second_subject="cheap pills")
    assert outbox.templates(to="pat@example.com")[-1] == "tag_found"
    told = "SELECT detail ->> 'is_suspicious' FROM animal_control.event WHERE kind = 'tag.found'"
    assert database.value(told) == "true"

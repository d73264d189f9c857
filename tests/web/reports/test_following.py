"""Whoever reported follows what comes of it: by a private link, or by their own sign-in. Nobody else can."""

import re
from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from portal.gateways.rate_limits import REPORT_LINKS
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import ReportFileKind, ReportState
from portal.services.reports.add_to_report import add_report_files
from portal.services.reports.answers import FileAnswers
from portal.services.reports.file_report import Sender
from portal.services.reports.follow_report import WayIn, my_reports, whole_report
from portal.services.reports.handle_report import ask_reporter, close_report, look_into, read_identity
from portal.services.reports.who_reported import confirm_report
from tests.browser.limits import use_up
from tests.support.documents import corners, saved
from tests.support.reporting import ATTESTED, ROBIN

QUESTION = "Which gate did it come out of?"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + b"\x00" * 40


@pytest.fixture
def sent(reporting):
    """A report without a name, and its link."""
    return reporting.send(Nuisance.DAMAGE)


@pytest.fixture
def address(sent):
    return f"/reports/{sent.filed.reference}"


@pytest.fixture
def reporter(visitor, sent):
    """Whoever holds the link."""
    return visitor.visit(f"/reports/open/{sent.token}")


@pytest.fixture
def officer(reporting, sent):
    """An officer does something with the report: `officer(close_report, reason="...")`."""

    def officer(deed, **words):
        with reporting.desk() as desk:
            deed(desk, report_id=sent.id, officer="Kim", clock=reporting.clock, **words)

    return officer


@pytest.fixture
def whole(reporting, sent):
    """The report as its reporter may read it."""

    def whole():
        with reporting.portal() as session:
            return whole_report(session, sent.way, reference=sent.filed.reference, clock=reporting.clock)

    return whole


def test_the_link_opens_the_report_and_leaves_the_address_bar_at_once(reporter, sent, address):
    assert reporter.moves == [address]
    assert reporter.path == address
    assert reporter.h1 == f"Damage, report {sent.filed.reference}"
    assert "It barks all night" in reporter.text
    assert sent.token not in reporter.page.html


def test_a_wrong_link_opens_nothing_and_guessing_is_slowed_down(visitor, gateways):
    visitor.visit("/reports/open/wrong", status=410)
    assert visitor.h1 == "This link does not open anything"
    use_up(gateways.limits, REPORT_LINKS, "127.0.0.1")
    visitor.visit("/reports/open/wrong", status=429)


def test_a_report_of_others_and_none_at_all_are_the_same(another_resident, visitor, sent, address):
    for person in (another_resident, visitor):
        seen = set()
        for path in (address, "/reports/AAAA-AAAA-AAAA"):
            for page in ("", "/answer", "/files", "/name", "/not-public", "/withdraw", "/reopen", "/log", "/invite"):
                person.visit(path + page, status=404)
                seen.add(person.page.html.replace(path, ""))
        assert len(seen) == 1
        person.visit("/reports")
        assert sent.filed.reference not in person.page.html


def test_a_signed_in_reporter_finds_their_reports(reporting, arrive):
    robin = reporting.sign_in("robin@example.com")
    sent = reporting.send(sender=robin.sender(identity=ROBIN))
    person = arrive("robin@example.com").sign_in(then="/reports")
    assert person.h1 == "My reports"
    assert any(sent.filed.reference in address for address in person.links.values())
    person.click("Barking, 1312 Idaho Ave, Benson, MN 56215")
    assert person.h1 == f"Barking, report {sent.filed.reference}"
    assert "robin" not in person.text.lower()


def test_who_acts_next_is_said_at_every_step(reporter, officer, address):
    assert "An officer reads itNow The officer acts next." in reporter.text
    officer(look_into, words="I went there today.")
    assert "An officer is looking into it" in reporter.visit(address).text
    assert "I went there today." in reporter.text
    officer(ask_reporter, question=QUESTION)
    assert "You act next" in reporter.visit(address).text
    officer(close_report, reason="The fence is mended.")
    assert "The fence is mended." in reporter.visit(address).text
    assert "This report is closed" in reporter.text
    assert "You can open it again until December 30, 2026." in reporter.text


def test_a_question_is_answered_and_goes_back_to_the_officer(reporter, officer, address, whole):
    reporter.visit(f"{address}/answer")
    assert reporter.path == address  # nothing is asked
    officer(ask_reporter, question=QUESTION)
    reporter.visit(address).click("Answer")
    assert QUESTION in reporter.text
    reporter.submit(answer="", button="Send the answer", status=422)
    assert reporter.errors == ["Write your answer"]
    photo = (saved(corners(64, 48), "JPEG"), "gate.jpg")
    reporter.submit(answer="The north gate", file=photo, button="Send the answer")
    assert reporter.path == address
    assert "The north gate" in reporter.text
    assert whole().report.state is ReportState.LOOKING
    assert len(whole().files) == 1


def test_the_next_incident_takes_a_few_words(reporter, whole, clock):
    reporter.submit(text="It dug up the roses again", button="Add this")
    assert "It dug up the roses again" in reporter.text
    (told,) = whole().updates
    assert told.happened_at == clock.now()
    assert "It happened" not in reporter.text  # the time of telling says it


def test_when_an_incident_happened_is_said_where_it_was_told_later(reporter, address, reporting, sent, clock):
    reporting.again(sent, happened_at=clock.now() - timedelta(hours=3))
    assert re.search(r"It happened [^.]+ [ap]\.m\.(?!\.)", reporter.visit(address).text)


def test_an_earlier_incident_says_about_when(reporter, whole):
    reporter.submit(text="Again", moment="earlier", button="Add this", status=422)
    assert reporter.errors == ["Enter about when it was, like yesterday about 11 at night"]
    reporter.submit(text="Again", moment="earlier", earlier="Friday night", button="Add this")
    assert "When: Friday night" in reporter.text
    assert whole().updates[0].happened_at is None


def test_the_same_incident_sent_twice_is_there_once(reporter, address, whole):
    """R1: a reply got lost, and the form is sent again."""
    form = reporter.page.form(button="Add this", names=["text"]).filled({"text": "Again"}, button="Add this")
    for _ in range(2):
        assert reporter.client.post(address, data=form).status_code == 303
    assert len(whole().updates) == 1


def test_photos_and_sounds_are_added_and_opened_by_the_reporter_alone(reporter, another_resident, address, whole):
    reporter.click("Add a photo, a sound or a film").submit(button="Add it", status=422)
    assert reporter.errors == ["Choose a file"]
    reporter.submit(file=(saved(corners(64, 48), "JPEG"), "roses.jpg"), button="Add it")
    reporter.visit(f"{address}/files").submit(file=(WAV, "bark.wav"), button="Add it")
    by_kind = {one.kind: f"{address}/files/{one.id}" for one in whole().files}
    photo, sound = by_kind[ReportFileKind.PHOTO], by_kind[ReportFileKind.SOUND]
    seen = reporter.client.get(photo)
    assert (seen.mimetype, seen.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    saved_sound = reporter.client.get(sound)
    assert saved_sound.data == WAV
    assert saved_sound.headers["Content-Disposition"] == "attachment; filename=recording.wav"
    assert saved_sound.headers["Cache-Control"] == "no-store"
    assert [another_resident.client.get(one).status_code for one in (photo, sound)] == [404, 404]
    assert reporter.client.get(f"{address}/files/{uuid4()}").status_code == 404


def sound():
    return FileAnswers(
        id=uuid4(),
        kind=ReportFileKind.SOUND,
        key=f"reports/{uuid4()}",
        thumbnail_key=None,
        original_name="bark.wav",
        media_type="audio/wav",
        size_bytes=len(WAV),
    )


def test_the_same_file_sent_twice_is_there_once(reporter, address, whole):
    """R1: a reply got lost, and the form is sent again."""
    reporter.visit(f"{address}/files")
    hidden = {name: values[0] for name, values in reporter.page.values.items() if name != "file"}
    for _ in range(2):
        form = hidden | {"file": (BytesIO(WAV), "bark.wav")}
        assert reporter.client.post(f"{address}/files", data=form).status_code == 303
    assert len(whole().files) == 1


def test_a_film_over_the_limit_of_a_file_is_told(reporter, address, whole):
    reporter.visit(f"{address}/files")
    hidden = {name: values[0] for name, values in reporter.page.values.items() if name != "file"}
    film = FileStorage(BytesIO(b"\0\0\0\x18ftypmp42" + bytes(16_000_000)), "roses.mp4", "file")
    boundary, body = encode_multipart(hidden | {"file": film})
    answer = reporter.client.post(
        f"{address}/files",
        input_stream=BytesIO(body),
        content_type=f"multipart/form-data; boundary={boundary}",
        content_length=len(body),
    )
    assert answer.status_code == 422
    assert "roses.mp4 is larger than 15 MB" in answer.text
    assert whole().files == ()


def test_more_files_than_anybody_looks_at_are_refused(reporter, address, whole, reporting, sent, clock):
    for _ in range(5):
        twenty = [sound() for _ in range(20)]
        with reporting.portal() as session:
            add_report_files(session, sent.way, report_id=sent.id, files=twenty, key=uuid4(), clock=clock)
    reporter.visit(f"{address}/files").submit(file=(WAV, "bark.wav"), button="Add it", status=422)
    assert reporter.errors == ["100 files are with this report. Tell the officer that you have more"]
    assert len(whole().files) == 100


def test_a_file_whose_reply_was_lost_is_sent_again_after_the_report_was_closed(reporter, address, whole, officer):
    reporter.visit(f"{address}/files")
    form = reporter.page
    reporter.submit(file=(WAV, "bark.wav"), button="Add it")
    officer(close_report, reason="The owner was told")
    reporter.page = form
    reporter.submit(file=(WAV, "bark.wav"), button="Add it")
    assert reporter.path == address
    assert len(whole().files) == 1


def test_a_file_that_cant_be_read_is_told_beside_its_control(reporter, address, whole):
    reporter.visit(f"{address}/files").submit(file=(b"", "empty.jpg"), button="Add it", status=422)
    assert len(reporter.errors) == 1
    assert whole().files == ()


def test_a_report_is_taken_back_and_opened_again(reporter, address, whole, clock):
    reporter.click("Take this report back").submit(why="They keep it in now", button="Take it back")
    assert whole().report.state is ReportState.CLOSED
    assert "They keep it in now" in reporter.text
    assert reporter.visit(f"{address}/withdraw").path == address
    reporter.visit(f"{address}/reopen").submit(why="", button="Open it again", status=422)
    clock.move_to(clock.now() + timedelta(days=30))
    reporter.visit(f"{address}/reopen").submit(why="It is out again", button="Open it again")
    assert whole().report.state is ReportState.RECEIVED
    assert reporter.visit(f"{address}/reopen").path == address


def test_after_30_days_a_new_report_is_sent_instead(reporter, officer, address, clock):
    officer(close_report, reason="The fence is mended.")
    clock.move_to(clock.now() + timedelta(days=30, minutes=1))
    reporter.visit(f"{address}/reopen").submit(why="Again", button="Open it again", status=422)
    assert "within 30 days" in reporter.errors[0]
    assert "Send a new report" in reporter.visit(address).text


def test_a_name_is_added_later_and_only_an_officer_reads_it(reporter, reporting, sent, address, whole):
    """90.11(A)(1)."""
    reporter.click("Add your name").submit(name="", button="Add my name", status=422)
    assert reporter.errors == ["Enter your name", "Type your name as your signature"]
    reporter.submit(
        name="Robin Moe", phone="320-555-0177", asks_not_public=True, attested_name="Robin Moe", button="Add my name"
    )
    assert whole().report.has_identity
    assert "Robin" not in reporter.text
    assert "You asked the police not to identify you publicly" in reporter.text
    with reporting.desk() as desk:
        who = read_identity(desk, report_id=sent.id, why="To call them", officer="Kim", clock=reporting.clock)
    assert (who.name, who.attested_name, who.attestation_version) == ("Robin Moe", "Robin Moe", ATTESTED.version)
    reporter.visit(f"{address}/name").submit(name="Pat", attested_name="Pat", button="Add my name", status=422)
    assert "has a name already" in reporter.errors[0]


def test_a_named_reporter_asks_not_to_be_identified_publicly(reporting, arrive, clock):
    robin = reporting.sign_in("robin@example.com")
    reporting.send(sender=robin.sender(identity=ROBIN))
    person = arrive("robin@example.com").sign_in(then="/reports")
    person.click("Barking, 1312 Idaho Ave, Benson, MN 56215")
    person.click("Ask the police not to identify you publicly")
    person.submit(button="I ask the police not to identify me publicly")
    assert "You asked the police not to identify you publicly on November 30, 2026" in person.text


def test_a_device_forgets_the_report_and_the_link_opens_it_again(reporter, sent, address):
    reporter.submit(button="Forget this report on this device")
    assert reporter.path == "/reports"
    assert sent.filed.reference not in reporter.page.html
    reporter.visit(address, status=404)
    assert reporter.visit(f"/reports/open/{sent.token}").path == address


def test_a_report_of_the_sign_in_is_not_forgotten_in_place_of_another(reporting, arrive, sent, address):
    own = reporting.send(sender=reporting.sign_in("robin@example.com").sender(identity=ROBIN))
    person = arrive("robin@example.com").sign_in(then="/reports").visit(f"/reports/open/{sent.token}")
    person.visit(f"/reports/{own.filed.reference}")
    assert "Forget this report on this device" not in person.text
    person.visit(address).submit(button="Forget this report on this device")
    person.visit(address, status=404).visit(f"/reports/{own.filed.reference}")


def test_a_browser_holds_several_links(reporter, reporting, sent):
    other = reporting.send(Nuisance.LITTER, place="Northside park")
    reporter.visit(f"/reports/open/{other.token}").visit(f"/reports/{sent.filed.reference}")
    reporter.visit("/reports")
    held = {f"/reports/{one.filed.reference}" for one in (sent, other)}
    assert held <= set(reporter.links.values())


@pytest.fixture
def to_confirm(reporting, outbox):
    """A report under a mailbox that nobody proved: the link of its letter, after the report."""
    sent = reporting.send(sender=_unproved())
    [letter] = outbox.messages(to="robin@example.com")
    return sent, letter.context["path"]


def test_a_mailbox_says_yes_and_then_its_link_opens_the_report(to_confirm, visitor):
    sent, path = to_confirm
    visitor.visit(path)
    assert visitor.path == "/reports/confirm"
    assert visitor.h1 == "Is this your report?"
    assert sent.filed.reference not in visitor.page.html
    visitor.submit(button="Yes, I sent it")
    assert visitor.path == f"/reports/{sent.filed.reference}"


def test_a_mailbox_says_no_and_the_link_opens_nothing_any_more(to_confirm, visitor, reporting):
    _, path = to_confirm
    visitor.visit(path).submit(button="It was not me")
    assert visitor.h1 == "Thank you for telling us"
    visitor.visit(path, status=410)
    with reporting.portal() as session:
        found = my_reports(session, WayIn(link=path.rpartition("/")[2]), clock=reporting.clock)
    assert found == []


def test_a_letter_answered_in_another_window_says_so(to_confirm, visitor, reporting):
    _, path = to_confirm
    visitor.visit(path)
    with reporting.portal() as session:
        confirm_report(session, token=path.rpartition("/")[2], is_theirs=False, clock=reporting.clock)
    visitor.submit(button="Yes, I sent it", status=410)


def test_a_page_of_a_report_takes_a_fixed_number_of_statements(reporter, watch, address):
    for text in ("One", "Two", "Three"):
        reporter.submit(text=text, button="Add this")
    with watch.counting() as statements:
        reporter.visit(address)
    assert len(statements) <= 4


def _unproved():
    return Sender(attestation=ATTESTED, mailbox="robin@example.com")

"""People report a nuisance and follow it; officers handle it; neither household, nor the accused, learns of another."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest

from portal.ordinance.nuisances import Nuisance
from portal.schema.confidential import LinkPurpose
from portal.schema.reports import ReportFileKind, ReportState, UpdateKind
from portal.services.refusal import NotTheirs, Refused
from portal.services.reports.add_to_report import (
    add_report_files,
    add_to_log,
    answer_question,
    open_for,
    reopen_report,
    withdraw_report,
)
from portal.services.reports.answers import BiteDetails, EpisodeAnswers, FileAnswers
from portal.services.reports.draft import ReportDraft, drop_draft, keep_draft, read_draft
from portal.services.reports.file_report import Sender
from portal.services.reports.follow_report import WayIn, my_report, my_reports, whole_report
from portal.services.reports.handle_report import (
    ask_reporter,
    close_report,
    read_identity,
    report_view,
    reports_open,
    reports_waiting,
)
from portal.services.reports.join_report import invite_household, invited_to, join_report
from portal.services.reports.report_status import reports_accusing_nobody, status_by_link
from portal.services.reports.who_reported import confirm_report, give_identity, is_to_confirm
from portal.services.secrets import new_token
from tests.support.reporting import ATTESTED, ROBIN, heard

AMY = "amy@benson.example"
COUNT = "SELECT count(*) FROM animal_control."


def test_two_posts_at_once_make_one_report_and_both_replies_show_it(reporting, database):
    """R1, without a name."""
    key, tokens, meet, sent = uuid4(), [new_token() for _ in range(4)], threading.Barrier(4), []

    def send(token):
        meet.wait(60)
        sent.append(reporting.send(key=key, token=token))

    senders = [threading.Thread(target=send, args=(token,)) for token in tokens]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert len({one.filed.reference for one in sent}) == 1
    assert database.value(COUNT + "report") == 1
    assert database.value(COUNT + "event") == 1
    with reporting.portal() as session:
        for one in sent:
            assert my_report(session, one.way, report_id=one.id, clock=reporting.clock).kind is Nuisance.BARKING


def test_example_47_two_minutes_of_barking_are_kept(reporting):
    now = reporting.clock.now()
    sent = reporting.send(episodes=(heard(now - timedelta(minutes=2), now),))
    with reporting.portal() as session:
        whole = whole_report(session, sent.way, reference=sent.filed.reference, clock=reporting.clock)
    assert whole.episodes[0].heard.length == timedelta(minutes=2)


def test_the_same_person_s_next_report_is_the_next_incident(reporting, database):
    pat = reporting.sign_in("pat@example.com")
    first = reporting.send(sender=pat.sender())
    again = reporting.send(sender=pat.sender(), place="1312 Idaho Avenue", narrative="Again at three")
    assert again.filed.is_incident
    assert again.filed.reference == first.filed.reference
    other_kind = reporting.send(Nuisance.DAMAGE, sender=pat.sender())
    assert not other_kind.filed.is_incident
    with reporting.portal() as session:
        whole = whole_report(session, pat.way, reference=first.filed.reference, clock=reporting.clock)
    assert [(update.kind, update.text) for update in whole.updates] == [(UpdateKind.INCIDENT, "Again at three")]
    assert database.value(COUNT + "report") == 2


def test_the_same_link_finds_the_open_report_too_and_the_form_sent_twice_adds_one_incident(reporting, database):
    first = reporting.send()
    key = uuid4()
    for _ in range(2):
        again = reporting.send(sender=Sender(attestation=ATTESTED, way=first.way), key=key)
        assert again.filed.is_incident
    assert database.value(COUNT + "report_update") == 1
    assert database.value(COUNT + "event WHERE kind = 'report.incident'") == 1


def test_who_reports_the_same_again_and_asks_not_to_be_named_is_heard_and_loses_nothing_they_told(reporting):
    """13.82, F1: everything that the page before sending showed."""
    pat = reporting.sign_in("pat@example.com")
    first = reporting.send(Nuisance.BITE, sender=pat.sender(identity=ROBIN))
    again = reporting.send(
        Nuisance.BITE,
        sender=pat.sender(identity=ROBIN, asks_not_public=True),
        animal="A black dog",
        whose="The house on the corner",
        is_going_on=False,
        is_again=True,
        latitude=45.315,
        longitude=-95.6,
        details=BiteDetails(bitten="person", injury="My left hand"),
    )
    assert again.filed.is_incident
    with reporting.portal() as session:
        whole = whole_report(session, pat.way, reference=first.filed.reference, clock=reporting.clock)
    assert whole.report.asked_not_public_at == reporting.clock.now()
    (told,) = whole.updates
    assert {name: answer for name, answer in told.details.items() if answer} == {
        "bitten": "person",
        "injury": "My left hand",
        "where_the_phone_was": "45.315, -95.6",
        "animal": "A black dog",
        "whose": "The house on the corner",
        "happened_before": True,
    }
    assert told.details["going_on_then"] is False


def test_another_person_s_report_stays_apart_and_is_linked_for_the_officer(reporting):
    pat, kim = reporting.sign_in("pat@example.com"), reporting.sign_in("kim@example.com")
    one, two = reporting.send(sender=pat.sender()), reporting.send(sender=kim.sender())
    assert not two.filed.is_incident
    with reporting.portal() as session:
        assert [found.id for found in my_reports(session, kim.way, clock=reporting.clock)] == [two.id]
    with reporting.desk() as session:
        (linked,) = report_view(session, one.id).linked
        assert (linked.report.id, linked.is_same_kind, linked.is_joined) == (two.id, True, False)


def test_two_households_join_unseen_by_each_other_and_the_officer_sees_what_both_heard(reporting):
    now = reporting.clock.now()
    one = reporting.send(episodes=(heard(now - timedelta(minutes=10), now - timedelta(minutes=5)),))
    with reporting.portal() as session:
        code = invite_household(session, one.way, report_id=one.id, clock=reporting.clock)
        assert invited_to(session, code=code.lower(), clock=reporting.clock) is Nuisance.BARKING
        assert invited_to(session, code="wrong", clock=reporting.clock) is None
        assert not join_report(session, one.way, report_id=one.id, code=code, clock=reporting.clock)
    two = reporting.send(
        sender=Sender(attestation=ATTESTED, invitation=code),
        place="The corner of Idaho and 13th",
        episodes=(heard(now - timedelta(minutes=7), now),),
    )
    with reporting.portal() as session:
        for mine, other in ((one, two), (two, one)):
            assert [found.id for found in my_reports(session, mine.way, clock=reporting.clock)] == [mine.id]
            with pytest.raises(NotTheirs):
                my_report(session, mine.way, report_id=other.id, clock=reporting.clock)
    with reporting.desk() as session:
        (linked,) = report_view(session, one.id).linked
        assert linked.is_joined
        assert [both.length for both in linked.heard_together] == [timedelta(minutes=2)]
        assert report_view(session, two.id).linked[0].heard_together == linked.heard_together


def test_an_officer_asks_and_the_reporter_answers(reporting, outbox):
    pat = reporting.sign_in("pat@example.com")
    sent = reporting.send(sender=pat.sender())
    with reporting.desk() as session:
        ask_reporter(session, report_id=sent.id, question="Which window?", officer=AMY, clock=reporting.clock)
    (letter,) = outbox.messages(to="pat@example.com", template="report_news")
    assert letter.is_secret
    token = letter.context["path"].removeprefix("/reports/open/")
    with reporting.portal() as session:
        whole = whole_report(session, WayIn(link=token), reference=sent.filed.reference, clock=reporting.clock)
        assert whole.question
        assert whole.question.text == "Which window?"
        answer_question(session, pat.way, report_id=sent.id, answer="The kitchen", key=uuid4(), clock=reporting.clock)
        assert my_report(session, pat.way, report_id=sent.id, clock=reporting.clock).state is ReportState.LOOKING
        with pytest.raises(Refused, match="Nothing was asked"):
            answer_question(session, pat.way, report_id=sent.id, answer="More", key=uuid4(), clock=reporting.clock)


def test_an_answer_whose_reply_was_lost_is_sent_again_and_is_there_once(reporting, database):
    pat = reporting.sign_in("pat@example.com")
    sent, key = reporting.send(sender=pat.sender()), uuid4()
    with reporting.desk() as session:
        ask_reporter(session, report_id=sent.id, question="Which window?", officer=AMY, clock=reporting.clock)
    for _ in range(2):
        with reporting.portal() as session:
            answer_question(session, pat.way, report_id=sent.id, answer="The kitchen", key=key, clock=reporting.clock)
    assert database.value(COUNT + "report_update WHERE kind = 'answer'") == 1
    assert database.value(COUNT + "event WHERE kind = 'report.answered'") == 1


def test_an_incident_whose_reply_was_lost_is_sent_again_after_the_report_was_closed_and_is_there_once(
    reporting, database
):
    sent, key = reporting.send(), uuid4()
    reporting.again(sent, key=key)
    with reporting.desk() as session:
        close_report(session, report_id=sent.id, reason="The owner was told", officer=AMY, clock=reporting.clock)
    reporting.again(sent, key=key)
    assert database.value(COUNT + "report_update WHERE kind = 'incident'") == 1
    assert database.value("SELECT state FROM animal_control.report") == "closed"


@pytest.mark.parametrize("deed", ["files", "log", "name"])
def test_what_came_is_taken_once_more_after_the_report_was_closed(reporting, database, deed):
    """The reply was lost on the way: whoever presses again hears that it is there, as it is (R1)."""
    sent, key = reporting.send(), uuid4()
    file = FileAnswers(
        id=uuid4(),
        kind=ReportFileKind.SOUND,
        key="a",
        thumbnail_key=None,
        original_name="a",
        media_type="audio/wav",
        size_bytes=1,
    )
    began = reporting.clock.now() - timedelta(hours=1)
    entry = EpisodeAnswers(id=uuid4(), started_at=began, ended_at=began + timedelta(minutes=4))
    name = {"identity": ROBIN, "attestation": ATTESTED, "asks_not_public": False, "account_id": None}

    def send():
        mine = {"report_id": sent.id, "clock": reporting.clock}
        with reporting.portal() as session:
            if deed == "files":
                add_report_files(session, sent.way, files=[file], key=key, **mine)
            elif deed == "log":
                add_to_log(session, sent.way, episodes=[entry], **mine)
            else:
                give_identity(session, sent.way, key=key, **name, **mine)

    send()
    with reporting.desk() as session:
        close_report(session, report_id=sent.id, reason="The owner was told", officer=AMY, clock=reporting.clock)
    told = database.value(COUNT + "event")
    send()
    assert database.value(COUNT + "event") == told
    assert database.value("SELECT state FROM animal_control.report") == "closed"


def test_a_report_is_opened_again_by_the_same_form_once_and_not_a_second_time(reporting, database):
    sent, key = reporting.send(), uuid4()
    again = {"report_id": sent.id, "why": "It went on", "key": key, "clock": reporting.clock}
    for closings in (1, 1, 2):
        with reporting.desk() as session:
            if database.value(COUNT + "event WHERE kind = 'report.closed'") < closings:
                close_report(session, report_id=sent.id, reason="Told", officer=AMY, clock=reporting.clock)
        with reporting.portal() as session:
            reopen_report(session, sent.way, **again)
    assert database.value(COUNT + "report_update WHERE kind = 'reopened'") == 1
    assert database.value("SELECT state FROM animal_control.report") == "closed"


def test_a_closing_has_a_reason_and_is_reopened_within_thirty_days(reporting):
    sent = reporting.send()
    with reporting.desk() as session:
        with pytest.raises(Refused, match="Say why it is closed"):
            close_report(session, report_id=sent.id, reason=" ", officer=AMY, clock=reporting.clock)
        close_report(session, report_id=sent.id, reason="The owner was told", officer=AMY, clock=reporting.clock)
    with reporting.portal() as session:
        report = my_report(session, sent.way, report_id=sent.id, clock=reporting.clock)
        assert (report.state, report.closed_reason) == (ReportState.CLOSED, "The owner was told")
        with pytest.raises(Refused, match="closed"):
            reporting.again(sent)
    reporting.clock.move_to(reporting.clock.now() + timedelta(days=30))
    with reporting.portal() as session:
        reopen_report(session, sent.way, report_id=sent.id, why="It went on", key=uuid4(), clock=reporting.clock)
        assert my_report(session, sent.way, report_id=sent.id, clock=reporting.clock).is_open
    with reporting.desk() as session:
        close_report(session, report_id=sent.id, reason="Told again", officer=AMY, clock=reporting.clock)
    reporting.clock.move_to(reporting.clock.now() + timedelta(days=30, minutes=1))
    with reporting.portal() as session, pytest.raises(Refused, match="within 30 days"):
        reopen_report(session, sent.way, report_id=sent.id, why="It went on", key=uuid4(), clock=reporting.clock)


def test_what_is_withdrawn_is_closed_once_and_stays(reporting, database):
    sent = reporting.send()
    for _ in range(2):
        with reporting.portal() as session:
            withdraw_report(session, sent.way, report_id=sent.id, why="We talked", clock=reporting.clock)
    assert database.value(COUNT + "report_update") == 1
    assert database.value("SELECT narrative FROM animal_control.report") == "It barks all night"


def test_a_stranger_s_link_does_nothing_on_a_report(reporting, database):
    sent, stranger = reporting.send(), reporting.send(place="Elsewhere")
    mine = {"report_id": sent.id, "clock": reporting.clock}
    for way in (stranger.way, WayIn(), WayIn(link="guess", sign_in="guess")):
        with reporting.portal() as session:
            with pytest.raises(NotTheirs):
                withdraw_report(session, way, why="", **mine)
            with pytest.raises(NotTheirs):
                add_to_log(session, way, episodes=(), **mine)
            with pytest.raises(NotTheirs):
                invite_household(session, way, **mine)
    assert database.value("SELECT state FROM animal_control.report WHERE id = :id", id=sent.id) == "received"


def test_a_name_can_be_given_later_and_an_officer_reads_it_for_a_reason(reporting, database):
    sent = reporting.send()
    with reporting.portal() as session:
        given = {"identity": ROBIN, "attestation": ATTESTED, "asks_not_public": True, "account_id": None}
        give_identity(session, sent.way, report_id=sent.id, key=uuid4(), clock=reporting.clock, **given)
        report = my_report(session, sent.way, report_id=sent.id, clock=reporting.clock)
        assert report.has_identity
        assert report.asked_not_public_at == reporting.clock.now()
        with pytest.raises(Refused, match="has a name already"):
            give_identity(session, sent.way, report_id=sent.id, key=uuid4(), clock=reporting.clock, **given)
    with reporting.desk() as session:
        found = read_identity(session, report_id=sent.id, why="To phone", officer=AMY, clock=reporting.clock)
        assert (found.name, found.phone) == ("Robin Moe", "320-555-0177")
        with pytest.raises(Refused, match="Say why"):
            read_identity(session, report_id=sent.id, why="", officer=AMY, clock=reporting.clock)
    assert database.value("SELECT count(*) FROM confidential.identity_read") == 1


def test_a_report_under_a_neighbor_s_mailbox_is_not_theirs_until_they_say_so(reporting, database, outbox):
    neighbor = reporting.sign_in("robin@example.com")
    account = database.rows("SELECT * FROM portal.account")
    sent = reporting.send(sender=Sender(attestation=ATTESTED, identity=ROBIN))
    assert sent.filed.mailbox_to_confirm
    assert database.rows("SELECT * FROM portal.account") == account
    (letter,) = outbox.messages(to="robin@example.com")
    assert letter.template == "report_confirm"
    assert set(letter.context) == {"path"}
    token = letter.context["path"].removeprefix("/reports/confirm/")
    with reporting.portal() as session:
        assert my_reports(session, neighbor.way, clock=reporting.clock) == []
        assert my_reports(session, WayIn(link=token), clock=reporting.clock) == []
        assert is_to_confirm(session, token=token)
        confirm_report(session, token=token, is_theirs=True, clock=reporting.clock)
        for way in (neighbor.way, WayIn(link=token)):
            assert [one.id for one in my_reports(session, way, clock=reporting.clock)] == [sent.id]
        with pytest.raises(NotTheirs):
            confirm_report(session, token=token, is_theirs=True, clock=reporting.clock)


def test_a_neighbor_who_says_it_was_not_them_is_never_written_to_again(reporting, outbox):
    sent = reporting.send(sender=Sender(attestation=ATTESTED, identity=ROBIN))
    token = outbox.messages(to="robin@example.com")[0].context["path"].removeprefix("/reports/confirm/")
    with reporting.portal() as session:
        confirm_report(session, token=token, is_theirs=False, clock=reporting.clock)
        assert my_reports(session, WayIn(link=token), clock=reporting.clock) == []
    with reporting.desk() as session:
        close_report(session, report_id=sent.id, reason="Done", officer=AMY, clock=reporting.clock)
        assert read_identity(session, report_id=sent.id, why="Who?", officer=AMY, clock=reporting.clock).denied_at
    assert len(outbox.messages(to="robin@example.com")) == 1


def test_a_bite_is_told_to_the_police_at_once_and_is_first_in_the_queue(reporting, gateways, outbox):
    reporting.send()
    bite = reporting.send(
        Nuisance.BITE, details=BiteDetails(bitten="person"), sender=Sender(attestation=ATTESTED, identity=ROBIN)
    )
    (letter,) = outbox.messages(to=gateways.city.police.email, template="report_urgent")
    assert letter.context["reference"] == bite.filed.reference
    assert "Robin" not in str(letter.context)
    with reporting.desk() as session:
        assert reports_open(session)[0].id == bite.id


@pytest.mark.parametrize("is_on_its_page", [False, True], ids=["as a new report", "on the report's page"])
def test_the_next_bite_at_the_same_place_is_told_to_the_police_as_the_first_was(
    reporting, gateways, outbox, is_on_its_page
):
    """90.08(A)(1), example 50. The letter names whichever animal they speak of now."""
    first, key = reporting.send(Nuisance.BITE), uuid4()
    if is_on_its_page:
        reporting.again(first, text="It bit me too", animal="A black dog")
    else:
        for _ in range(2):
            sender = Sender(attestation=ATTESTED, way=first.way)
            again = reporting.send(Nuisance.BITE, sender=sender, key=key, animal="A black dog", is_going_on=True)
            assert again.filed.is_incident
    one, two = outbox.messages(to=gateways.city.police.email, template="report_urgent")
    assert (one.context["is_again"], two.context["is_again"]) == (False, True)
    assert one.context["reference"] == two.context["reference"] == first.filed.reference
    assert (two.context["what"], two.context["is_going_on"]) == ("A black dog", not is_on_its_page)
    told = outbox.letters(to=gateways.city.police.email)[-1]
    assert told.subject.startswith("URGENT: a bite was reported again, ")


def test_whoever_is_bitten_again_is_not_left_waiting_for_their_own_answer(reporting):
    """An officer had asked about the first bite; the second goes to the head of the queue all the same."""
    reporting.send()
    bite = reporting.send(Nuisance.BITE)
    barking = reporting.send(place="Northside Park")
    for sent in (bite, barking):
        with reporting.desk() as session:
            ask_reporter(session, report_id=sent.id, question="Which gate?", officer=AMY, clock=reporting.clock)
        reporting.again(sent)
    with reporting.desk() as session:
        waiting = reports_waiting(session, limit=10)
    assert waiting[0].report.id == bite.id
    states = {one.report.id: one.report.state for one in waiting}
    assert (states[bite.id], states[barking.id]) == (ReportState.LOOKING, ReportState.WAITING)


def test_a_barking_dog_that_barks_again_writes_to_no_officer(reporting, gateways, outbox):
    reporting.again(reporting.send())
    assert outbox.messages(to=gateways.city.police.email) == []


def test_coordinates_that_are_nowhere_are_not_kept(reporting, database):
    """R5: typed text is enough."""
    reporting.send(latitude=0.0, longitude=0.0, is_outside_city=True)
    (row,) = database.rows("SELECT latitude, place_text, is_outside_city FROM animal_control.report")
    assert (row.latitude, row.is_outside_city) == (None, True)


def test_more_than_anybody_reads_is_refused(reporting):
    with pytest.raises(Refused, match="20,000 characters"):
        reporting.send(narrative="a" * 200_000)


def test_only_kinds_that_accuse_nobody_are_ever_listed(reporting):
    sent = {kind: reporting.send(kind) for kind in Nuisance}
    now = reporting.clock.now()
    with reporting.portal() as session:
        listed = reports_accusing_nobody(session, since=now - timedelta(days=1), until=now + timedelta(days=1))
    assert {one.kind for one in listed} == {Nuisance.DEAD_ANIMAL, Nuisance.STRAY}
    assert sent[Nuisance.STRAY].filed.reference in {one.reference for one in listed}


def test_other_software_is_told_kind_and_state_and_opens_nothing(reporting):
    sent, token = reporting.send(), new_token()
    with reporting.portal() as session:
        status = {"token": token, "purpose": LinkPurpose.STATUS}
        open_for(session, sent.way, report_id=sent.id, clock=reporting.clock, **status)
        found = status_by_link(session, token=token)
        assert found
        assert (found.kind, found.state, found.reference) == (Nuisance.BARKING, ReportState.RECEIVED, None)
        assert status_by_link(session, token=sent.token) is None
        assert my_reports(session, WayIn(link=token), clock=reporting.clock) == []


def test_a_draft_is_found_by_the_browser_s_secret_alone(reporting):
    token = new_token()
    with reporting.portal() as session:
        for place in ("Idaho", "Idaho Ave"):
            keep_draft(session, token=token, draft=ReportDraft({"where": {"place": place}}), clock=reporting.clock)
        found = read_draft(session, token=token, clock=reporting.clock)
        assert found
        assert found.answers == {"where": {"place": "Idaho Ave"}}
        assert read_draft(session, token=new_token(), clock=reporting.clock) is None
        drop_draft(session, token=token)
        assert read_draft(session, token=token, clock=reporting.clock) is None

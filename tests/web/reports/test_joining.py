"""Another household joins a report by a code: an officer reads both together, and neither sees the other's."""

from datetime import timedelta

import pytest

from portal.gateways.rate_limits import REPORT_CODES
from portal.services.reports.handle_report import close_report, report_view
from tests.browser.limits import use_up
from tests.support.reporting import heard

OTHER_WORDS = "It howls from six to seven"


@pytest.fixture
def first(reporting, clock):
    begin = clock.now() - timedelta(hours=2)
    return reporting.send(episodes=(heard(begin, begin + timedelta(minutes=6)),))


@pytest.fixture
def second(reporting, clock):
    begin = clock.now() - timedelta(hours=2) + timedelta(minutes=2)
    return reporting.send(
        narrative=OTHER_WORDS, place="Idaho Ave", episodes=(heard(begin, begin + timedelta(minutes=9)),)
    )


@pytest.fixture
def inviting(arrive, first):
    person = arrive().visit(f"/reports/open/{first.token}")
    return person.click("Invite another household")


@pytest.fixture
def code(inviting):
    return code_on(inviting.submit(button="Make a code"))


@pytest.fixture
def joining(arrive, second):
    return arrive().visit(f"/reports/open/{second.token}").click("Join another household’s report")


def code_on(person):
    [figure] = person.page.by_class("figure")
    return figure.text


def test_a_household_joins_and_the_officer_sees_what_both_heard(code, joining, first, second, reporting):
    joining.submit(code=code.lower().replace("-", " "), button="Join it")
    assert joining.path.startswith(f"/reports/{second.filed.reference}")
    with reporting.desk() as desk:
        [linked] = report_view(desk, first.id).linked
    assert linked.report.reference == second.filed.reference
    assert linked.is_joined
    assert [both.length for both in linked.heard_together] == [timedelta(minutes=4)]


def test_neither_sees_the_other(code, inviting, joining, first, second):
    joining.submit(code=code, button="Join it")
    for person, own, other in ((inviting, first, second), (joining, second, first)):
        person.visit("/reports")
        assert other.filed.reference not in person.page.html
        person.visit(f"/reports/{own.filed.reference}")
        assert other.filed.reference not in person.page.html
        person.visit(f"/reports/{other.filed.reference}", status=404)
    assert OTHER_WORDS not in inviting.page.html


def test_the_inviting_page_is_the_same_before_and_after_somebody_joined(code, inviting, joining, first):
    address = f"/reports/{first.filed.reference}"
    before = inviting.visit(address).text
    joining.submit(code=code, button="Join it")
    assert inviting.visit(address).text == before


def test_a_code_is_shown_once(inviting, code, first):
    inviting.visit(f"/reports/{first.filed.reference}/invite")
    assert code not in inviting.page.html


def test_a_wrong_code_and_one_s_own_join_nothing(joining, inviting, code):
    joining.submit(code="", button="Join it", status=422)
    assert joining.errors == ["Type the code, like ABCD-EFGH-JKMN-PQRS"]
    joining.submit(code="0000-0000-0000-0000", button="Join it", status=422)
    assert joining.errors == [
        "This code does not open anything. Check it, or ask for a new one: a code is good for 30 days"
    ]
    inviting.visit("/reports/join").submit(code=code, button="Join it", status=422)
    assert inviting.errors == ["This code is of this report itself, or your report is joined already"]


def test_an_old_code_joins_nothing(code, joining, clock):
    clock.move_to(clock.now() + timedelta(days=30, minutes=1))
    joining.submit(code=code, button="Join it", status=422)


def test_codes_are_not_tried_through(code, joining, gateways):
    use_up(gateways.limits, REPORT_CODES, "127.0.0.1")
    joining.submit(code=code, button="Join it", status=429)


def test_who_has_no_report_sends_one_first(visitor, code):
    visitor.visit("/reports/join")
    assert "First send a report of your own." in visitor.text


def test_a_closed_report_invites_nobody(inviting, first, reporting, clock):
    with reporting.desk() as desk:
        close_report(desk, report_id=first.id, reason="Settled.", officer="Kim", clock=clock)
    inviting.submit(button="Make a code", status=422)
    assert inviting.errors == ["This report is closed: nobody can join it"]

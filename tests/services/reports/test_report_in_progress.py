"""A report being written: its pages in their order, what is kept when its kind changes, and when it happened."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from portal.city import load_city
from portal.ordinance.nuisances import Nuisance
from portal.services.reports.in_progress import BegunReport, Step, When, WhenAnswers, WhereAnswers, begun_in, drafted
from portal.services.reports.place import may_be_outside
from tests.support.portal import CHICAGO
from tests.support.reporting import heard

NOON = datetime(2026, 11, 30, 18, tzinfo=UTC)
CITY = load_city()


def on_a_day(day, clock=""):
    return WhenAnswers(is_when=When.ON_A_DAY, said_at=NOON, day=day, clock=clock)


def test_only_barking_is_asked_for_a_log_and_something_else_for_no_details():
    assert Step.LOG in BegunReport(kind=Nuisance.BARKING).steps
    assert Step.LOG not in BegunReport(kind=Nuisance.DAMAGE).steps
    assert Step.DETAILS not in BegunReport(kind=Nuisance.OTHER).steps


def test_another_kind_keeps_what_every_report_is_asked():
    begun = BegunReport(kind=Nuisance.CHASING).with_answer(Step.WHERE, where=WhereAnswers(place="The park"))
    begun = begun.with_answer(Step.DETAILS, details={"chased": "bicycle"})
    as_bite = begun.as_kind(Nuisance.BITE)
    assert (as_bite.where, as_bite.details, as_bite.answered) == (begun.where, {}, (Step.WHERE,))
    assert as_bite.key == begun.key


def test_a_log_is_sent_with_a_report_about_barking_alone_and_waits_for_it_through_any_other():
    barked = (heard(NOON, NOON + timedelta(minutes=4)),)
    begun = BegunReport(kind=Nuisance.BARKING, episodes=barked).with_answer(
        Step.WHERE, where=WhereAnswers(place="Park")
    )
    loose = begun.as_kind(Nuisance.AT_LARGE)
    assert loose.report((), zone=CHICAGO).episodes == ()
    assert loose.once_sent("ABCD", is_mailed=False).episodes == barked
    back = loose.as_kind(Nuisance.BARKING)
    assert back.report((), zone=CHICAGO).episodes == barked
    assert back.once_sent("ABCD", is_mailed=False).episodes == ()


def test_a_draft_gives_back_what_it_was_given():
    begun = BegunReport(kind=Nuisance.BITE).with_answer(Step.WHEN, when=on_a_day(date(2026, 11, 16), "21:30"))
    assert begun_in(drafted(begun, ())) == begun


@pytest.mark.parametrize(
    ("when", "at", "said"),
    [
        pytest.param(WhenAnswers(is_when=When.NOW, said_at=NOON), NOON, "", id="now"),
        pytest.param(
            on_a_day(date(2026, 11, 1), "01:30"),
            datetime(2026, 11, 1, 6, 30, tzinfo=UTC),
            "",
            id="the hour that is twice",
        ),
        pytest.param(on_a_day(date(2026, 11, 16)), None, "November 16, 2026", id="a day without its time"),
        pytest.param(
            WhenAnswers(is_when=When.UNSURE, said_at=NOON, words="Most nights"),
            None,
            "Most nights",
            id="over some time",
        ),
    ],
)
def test_when_it_happened_is_as_exact_as_it_was_said(when, at, said):
    assert (when.at(CHICAGO), when.said()) == (at, said)


def test_once_sent_only_what_counts_a_quarantine_stays():
    begun = BegunReport(kind=Nuisance.BITE, narrative="It bit me", when=on_a_day(date(2026, 11, 16)))
    kept = begun.once_sent("ABCD", is_mailed=False)
    assert (kept.narrative, kept.where, kept.sent, kept.key) == ("", None, "ABCD", begun.key)
    assert kept.when == begun.when
    assert replace(begun, kind=Nuisance.DAMAGE).once_sent("ABCD", is_mailed=False).when is None


@pytest.mark.parametrize(
    ("place", "latitude", "longitude", "is_outside"),
    [
        ("1310 Idaho Ave, Benson, MN 56215", None, None, False),
        ("1310 Idaho Ave", 45.315, -95.6, False),
        ("2 Main St, Willmar, MN 56201", None, None, True),
        ("2 Main St, Willmar, MN 56201-1234", None, None, True),
        ("County road 56201 north of the bridge", None, None, False),
        ("The bridge", 0.0, 0.0, True),
        ("The bridge", 45.28, -95.6, True),
    ],
)
def test_what_may_be_outside_the_city(place, latitude, longitude, is_outside):
    """R5."""
    assert may_be_outside(place, latitude=latitude, longitude=longitude, city=CITY) is is_outside
    nowhere = replace(CITY, area=None)
    if latitude is not None:
        assert not may_be_outside(place, latitude=latitude, longitude=longitude, city=nowhere)

"""90.10(A): intervals of at least three minutes with less than a minute of interruption, and what a log shows."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.ordinance.barking import Episode, heard_together, joined, read_log, shown, spoken_length

CHICAGO = ZoneInfo("America/Chicago")
NIGHT = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)  # 9 PM in Benson, November 16
SECOND = timedelta(seconds=1)


def heard(*seconds: tuple[int, int]) -> list[Episode]:
    return [Episode(NIGHT + start * SECOND, NIGHT + end * SECOND) for start, end in seconds]


@pytest.mark.parametrize(
    ("episodes", "intervals"),
    [
        pytest.param(heard((0, 120)), heard((0, 120)), id="90.10(A) barking for two minutes"),
        pytest.param(heard((0, 90), (149, 200)), heard((0, 200)), id="90.10(A) 59 seconds of quiet do not interrupt"),
        pytest.param(heard((0, 90), (150, 200)), heard((0, 90), (150, 200)), id="90.10(A) a minute of quiet does"),
        pytest.param(heard((0, 90), (30, 60)), heard((0, 90)), id="90.10(A) one within the other"),
        pytest.param(heard((60, 90), (0, 30)), heard((0, 90)), id="90.10(A) typed in any order"),
        pytest.param([], [], id="90.10(A) nothing heard"),
    ],
)
def test_episodes_with_less_than_a_minute_between_them_are_one_interval(episodes, intervals):
    assert list(joined(episodes)) == intervals


@pytest.mark.parametrize(
    ("episodes", "counted", "sentence"),
    [
        pytest.param(
            heard((0, 120)), 0, "The longest barking in the log is 2 minutes.", id="example 47: two minutes, once"
        ),
        pytest.param(heard((0, 179)), 0, "2 minutes 59 seconds", id="90.10(A) a second short of three minutes"),
        pytest.param(heard((0, 180)), 1, "one interval of at least three minutes", id="90.10(A) three minutes"),
        pytest.param(
            heard((0, 180), (600, 800)), 2, "2 intervals of at least three minutes, on one day", id="90.10(A) repeated"
        ),
        pytest.param(heard((0, 180), (90_000, 90_200)), 2, "on 2 days", id="90.10(A) repeated on another day"),
        pytest.param([], 0, "Nothing is in the log yet", id="90.10(A) an empty log"),
    ],
)
def test_what_a_log_shows_beside_the_section(episodes, counted, sentence):
    reading = read_log(episodes, zone=CHICAGO)
    assert len(reading.counted) == counted
    assert reading.is_repeated == (counted > 1)
    assert sentence in shown(reading).sentence


def test_a_log_is_never_called_a_violation():
    for episodes in (heard(), heard((0, 10)), heard((0, 400)), heard((0, 400), (900, 1500))):
        words = shown(read_log(episodes, zone=CHICAGO)).sentence.lower()
        assert not any(verdict in words for verdict in ("violat", "illegal", "unlawful", "refuse", "broke"))


def test_an_interval_belongs_to_the_day_it_began_on_in_benson():
    before_midnight = datetime(2026, 11, 1, 4, 58, tzinfo=UTC)  # 11:58 PM on October 31, still daylight time
    reading = read_log([Episode(before_midnight, before_midnight + timedelta(minutes=5))], zone=CHICAGO)
    assert reading.counted_by_day == {date(2026, 10, 31): 1}


def test_the_hour_that_comes_twice_in_november_is_two_hours_of_barking():
    first = datetime(2026, 11, 1, 1, 30, tzinfo=CHICAGO)
    second = datetime(2026, 11, 1, 1, 30, tzinfo=CHICAGO, fold=1)
    [interval] = joined([Episode(first.astimezone(UTC), second.astimezone(UTC))])
    assert interval.length == timedelta(hours=1)


def test_barking_never_ends_before_it_begins():
    with pytest.raises(ValueError, match="end before"):
        Episode(NIGHT, NIGHT - SECOND)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "less than a minute"), (1, "1 second"), (180, "3 minutes"), (3661, "1 hour 1 minute 1 second")],
)
def test_a_length_in_words(seconds, words):
    assert spoken_length(seconds * SECOND) == words


SPANS = st.lists(
    st.tuples(st.integers(0, 1200), st.integers(0, 300)).map(lambda span: (span[0], span[0] + span[1])), max_size=8
)


def listened(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Listen second by second: barking goes on until a whole minute was quiet."""
    barking = sorted({second for start, end in spans for second in range(start, end + 1)})
    found: list[tuple[int, int]] = []
    for second in barking:
        if found and second - found[-1][1] < 60:
            found[-1] = (found[-1][0], second)
        else:
            found.append((second, second))
    return found


@given(SPANS)
def test_intervals_are_those_of_somebody_who_listens_second_by_second(spans):
    assert list(joined(heard(*spans))) == heard(*listened(spans))


@given(SPANS)
def test_joining_again_changes_nothing_and_the_order_does_not_matter(spans):
    episodes = heard(*spans)
    assert joined(joined(episodes)) == joined(episodes) == joined(reversed(episodes))


@given(SPANS, SPANS)
def test_two_households_heard_together_what_is_in_both_logs(mine, theirs):
    def seconds(spans: list[tuple[int, int]]) -> set[int]:
        return {second for start, end in listened(spans) for second in range(start, end + 1)}

    parts = heard_together(heard(*mine), heard(*theirs))
    both = {
        second
        for part in parts
        for second in range(
            int((part.started_at - NIGHT).total_seconds()), int((part.ended_at - NIGHT).total_seconds()) + 1
        )
    }
    assert both == seconds(mine) & seconds(theirs)
    assert parts == heard_together(heard(*theirs), heard(*mine))

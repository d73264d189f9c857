"""How long an accepted certificate counts, by the city's gate (90.04(D)(1))."""

from datetime import date

import pytest

from portal.ordinance.certificate_life import AcceptedDates, Life, good_until, life
from portal.ordinance.rabies import Gate

THREE_YEARS, PRINTED = date(2028, 6, 12), date(2026, 6, 12)


def dates(*, three_years=THREE_YEARS, printed=PRINTED, accepted_on=date(2025, 7, 1)):
    return AcceptedDates(ordinance_until=three_years, certificate_due=printed, accepted_on=accepted_on)


@pytest.mark.parametrize(
    ("accepted", "gate", "until"),
    [
        pytest.param(dates(), Gate.ORDINANCE, THREE_YEARS, id="90.04(D)(1) three years whatever the product"),
        pytest.param(dates(), Gate.CERTIFICATE, PRINTED, id="90.04(D)(1) the printed date by policy"),
        pytest.param(dates(), Gate.STRICTEST, PRINTED, id="90.04(D)(1) the earlier of the two"),
        pytest.param(
            dates(printed=date(2029, 6, 12)), Gate.STRICTEST, THREE_YEARS, id="90.04(D)(1) a four-year product"
        ),
        pytest.param(
            dates(accepted_on=date(2026, 8, 1)), Gate.STRICTEST, THREE_YEARS, id="example 25: accepted after its label"
        ),
        pytest.param(dates(accepted_on=PRINTED), Gate.STRICTEST, PRINTED, id="accepted on the last day of its label"),
        pytest.param(dates(accepted_on=date(2029, 1, 1)), Gate.STRICTEST, THREE_YEARS, id="accepted after both"),
        pytest.param(dates(printed=None), Gate.CERTIFICATE, THREE_YEARS, id="no printed date"),
        pytest.param(dates(three_years=None), Gate.ORDINANCE, PRINTED, id="no vaccination date"),
        pytest.param(dates(three_years=None, printed=None), Gate.STRICTEST, None, id="a letter without dates"),
    ],
)
def test_the_last_day_a_certificate_counts(accepted, gate, until):
    assert good_until(accepted, gate) == until


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        pytest.param(date(2026, 5, 12), Life.GOOD, id="31 days before"),
        pytest.param(date(2026, 5, 13), Life.ENDING, id="30 days before, the first reminder"),
        pytest.param(date(2026, 6, 12), Life.ENDING, id="its last day"),
        pytest.param(date(2026, 6, 13), Life.OVER, id="the day after"),
    ],
)
def test_when_to_ask_for_the_next_one(on, expected):
    assert life(PRINTED, on=on, reminder_days=(30, 14, 1)) is expected
    assert life(None, on=on, reminder_days=(30, 14, 1)) is Life.GOOD

"""Sums in whatever currency they came, as the desk reads them."""

import pytest

from portal.gateways.payments.processor import sum_in


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        (1000, "usd", "$10.00"),
        (900, "eur", "9.00 EUR"),
        (900, "jpy", "900 JPY"),
        (12_000, "krw", "12,000 KRW"),
    ],
)
def test_a_sum_is_written_as_its_currency_is_counted(amount, currency, written):
    """A card processor tells it in the smallest unit, and nobody has hundredths of a yen."""
    assert sum_in(amount, currency) == written

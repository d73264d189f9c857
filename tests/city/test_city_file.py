"""The city's file: what a good one gives, and how a bad value is named."""

import tomllib
from datetime import date, time
from pathlib import Path

import pytest

from portal.city import CityFileError, load_city
from portal.city.loading import BENSON
from portal.ordinance.citation import Rule
from portal.ordinance.days import Opening
from portal.ordinance.deadlines import Trigger, min_hold
from portal.ordinance.fees import license_fee
from portal.ordinance.license_years import YearStart
from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance
from portal.ordinance.periods import IMPOUND_HOLD
from portal.ordinance.rabies import Gate


@pytest.fixture
def changed(tmp_path):
    """A copy of Benson's file with one piece of text put in the place of another."""

    def change(old: str, new: str) -> Path:
        text = BENSON.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{old!r} is not in the file"
        path = tmp_path / "city.toml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return change


def test_bensons_own_file_loads():
    city = load_city()
    assert (city.name, city.state, city.time_zone.key) == ("City of Benson", "MN", "America/Chicago")
    assert city.police.hours[0] == (Opening(time(8), time(16, 30)),)
    assert city.license.year_start == YearStart(1, 1, years=1, since=2026)
    assert city.license.renewal_window_days == 60
    assert (city.license.certificate_check_days, city.license.tag_mail_days) == (3, 4)
    assert city.policy.vaccination_gate is Gate.STRICTEST
    assert city.uploads.max_file_bytes == 15_000_000
    assert license_fee(city.fees, on=date(2026, 6, 1)).amount_cents == 1000


def test_a_file_that_names_no_number_of_years_means_one(changed):
    city = load_city(changed("\nyears = 1\nyears_since = 2026", ""))
    assert (city.license.year_start, city.license.runs_for) == (YearStart(1, 1), "a year")


def test_every_rule_the_law_cites_has_a_label():
    city = load_city()
    for rule in Rule:
        assert city.citation(rule) is city.citations[rule]
    assert city.citation("99.99").label == "99.99"


def test_what_nobody_confirmed_is_marked_as_a_sample():
    city = load_city()
    assert city.is_sample("offices.police.phone")
    assert city.is_sample("fees.license_cents")
    assert city.is_sample("offices.city_hall.hours")
    assert not city.is_sample("offices.city_hall.phone")
    assert not city.is_sample("city.name")


def test_a_sample_telephone_number_belongs_to_nobody():
    city = load_city()
    numbers = [office.phone for key, office in city.offices.items() if city.is_sample(f"offices.{key}.phone")]
    assert numbers
    assert all(number.startswith("320-555-01") for number in numbers)


@pytest.mark.parametrize("kind", sorted(set(Nuisance) - ACCUSES_NOBODY))
def test_a_report_that_accuses_somebody_is_never_listed_whatever_the_city_writes(changed, kind):
    """13.44, 13.82: the file may narrow the public list, not widen it."""
    listed = 'listed = ["dead_animal", "stray"]'
    with pytest.raises(CityFileError, match=r"open311\.listed.*accuses somebody"):
        load_city(changed(listed, f'listed = ["stray", "{kind}"]'))
    assert load_city(changed(listed, "listed = []")).listed_reports == frozenset()
    assert load_city(changed(listed, 'listed = ["stray"]')).listed_reports == {Nuisance.STRAY}


def test_the_pounds_hold_follows_the_citys_choice_of_holidays(changed):
    """90.07(C), example 40, with the city's own calendar and hours."""
    choice = "friday_after_thanksgiving = {}".format
    impounded = Trigger(date(2026, 11, 25), "the officer's record")
    for city, through in [
        (load_city(), date(2026, 12, 3)),
        (load_city(changed(choice("false"), choice("true"))), date(2026, 12, 4)),
        (load_city(changed("closure_days = []", "closure_days = [2026-11-27]")), date(2026, 12, 4)),
    ]:
        assert min_hold(IMPOUND_HOLD, impounded, city.pound.hours, city.calendar).last_day == through


def test_a_city_may_have_more_offices_two_openings_tiers_and_a_late_fee(changed):
    text = changed(
        "license_cents = 1000", "license_cents = 1000\nlicense_altered_cents = 800\nlicense_intact_cents = 1500"
    )
    city = load_city(text)
    assert license_fee(city.fees, on=date(2026, 6, 1), is_altered=True).amount_cents == 800
    late = changed("license_cents = 1000", "license_cents = 1000\nlate_cents = 500\nlate_after_days = 30")
    assert load_city(late).fees[0].late.after_days == 30
    lunch = changed('monday = ["08:00-16:30"]', 'monday = ["08:00-12:00", "13:00-16:30"]')
    assert len(load_city(lunch).police.hours[0]) == 2


def test_fee_tables_come_oldest_first_whatever_their_order(changed):
    table = BENSON.read_text(encoding="utf-8").split("\n[[fees]]\n")[1].split("[policy]")[0]
    earlier = table.replace("2026-01-01", "2025-01-01")
    city = load_city(changed("[policy]", f"[[fees]]\n{earlier}\n[policy]"))
    assert [fees.effective_from.year for fees in city.fees] == [2025, 2026]


BAD_VALUES = [
    ('name = "City of Benson"', "name = 7", "city.name", "text between quotes"),
    ('name = "City of Benson"', 'name = "  "', "city.name", "text between quotes"),
    ('name = "City of Benson"\n', "", "city.name", "this is missing"),
    ("[city]", '[city]\nnmae = "x"', "city.nmae", "knows no such key"),
    ("[city]", "[town]", "city", "this is missing"),
    ("[payments]", "[payment]", "payments", "this is missing"),
    ("[ordinance]", "[extra]\nx = 1\n[ordinance]", "extra", "knows no such key"),
    ('state = "MN"', 'state = "Minnesota"', "city.state", "two letters"),
    ('zip_code = "56215"', 'zip_code = "5621"', "city.zip_code", "five digits"),
    ('time_zone = "America/Chicago"', 'time_zone = "Central"', "city.time_zone", "America/Chicago"),
    ('website = "https://', 'website = "', "city.website", "begins with https://"),
    ("adopted_on = 2010-02-01", 'adopted_on = "2010-02-01"', "ordinance.adopted_on", "without quotes"),
    ("adopted_on = 2010-02-01", "adopted_on = 2010-02-01T08:00:00", "ordinance.adopted_on", "without quotes"),
    ("[offices.police]", "[offices]\ncount = 3\n[offices.police]", "offices.count", "as a table"),
    ('phone = "320-555-0100"', 'phone = "555-0100"', "offices.police.phone", "320-555-0100"),
    ('email = "animals@', 'email = "animals', "offices.police.email", "one e-mail address"),
    ('address = ["1410', 'address = [1, "1410', "offices.police.address", "each line as text"),
    ('monday = ["08:00-16:30"]', 'monday = "08:00-16:30"', "offices.police.hours.monday", "square brackets"),
    ('monday = ["08:00-16:30"]', 'monday = ["8-16"]', "offices.police.hours.monday", "08:00-16:30"),
    ('monday = ["08:00-16:30"]', 'monday = ["08:00-25:00"]', "offices.police.hours.monday", "08:00-16:30"),
    ('monday = ["08:00-16:30"]', 'monday = ["16:30-08:00"]', "offices.police.hours.monday", "earlier time first"),
    ('monday = ["08:00-16:30"]', 'monday = ["08:00-08:00"]', "offices.police.hours.monday", "the earlier time"),
    ('monday = ["08:00-16:30"]', 'mon = ["08:00-16:30"]', "offices.police.hours.mon", "knows no such key"),
    (
        "friday_after_thanksgiving = false",
        'friday_after_thanksgiving = "no"',
        "holidays.friday_after_thanksgiving",
        "true or false",
    ),
    ("closure_days = []", 'closure_days = ["2026-12-24"]', "holidays.closure_days", "2026-01-31"),
    ("year_start_month = 1", "year_start_month = 13", "license.year_start_month", "from 1 to 12"),
    ("year_start_month = 1", "year_start_month = true", "license.year_start_month", "from 1 to 12"),
    (
        "year_start_month = 1\nyear_start_day = 1",
        "year_start_month = 2\nyear_start_day = 29",
        "license.year_start_day",
        "29 February",
    ),
    ("\nyears = 1", "\nyears = 4", "license.years", "from 1 to 3"),
    ("\nyears_since = 2026", "", "license.years_since", "this is missing"),
    ("years_since = 2026", "years_since = 26", "license.years_since", "from 2000 to 2100"),
    ("renewal_window_days = 60", "renewal_window_days = 400", "license.renewal_window_days", "from 0 to 365"),
    ("tag_mail_days = 4", "tag_mail_days = 0", "license.tag_mail_days", "from 1 to 60"),
    ("certificate_check_days = 3\n", "", "license.certificate_check_days", "this is missing"),
    ("\n[[fees]]\n", "\n[fees]\n", "fees", "[[fees]]"),
    ("effective_from = 2026-01-01", "effective_from = 2026", "fees[1].effective_from", "2026-01-31"),
    ('resolution = "Sample resolution 2026-01"', 'resolution = ""', "fees[1].resolution", "text between quotes"),
    ("license_cents = 1000", "license_cents = 10.00", "fees[1].license_cents", "whole number"),
    ("license_cents = 1000", "license_cents = -5", "fees[1].license_cents", "from 0"),
    ("license_cents = 1000", "license_cents = 49", "fees[1].license_cents", "does not take less than $0.50"),
    (
        "dangerous_dog_cents = 30000",
        "dangerous_dog_cents = 60000",
        "fees[1].dangerous_dog_cents",
        "State law allows at most $500.00",
    ),
    (
        "license_cents = 1000",
        "license_cents = 1000\nlicense_altered_cents = 500",
        "fees[1].license_intact_cents",
        "this is missing",
    ),
    (
        "license_cents = 1000",
        "license_cents = 1000\nlate_cents = 500",
        "fees[1].late_after_days",
        "this is missing",
    ),
    ('= ["insurance", "rabies_certificate"]', '= ["breed"]', "dangerous.certificate_ends_with", '"insurance"'),
    ('county = "Swift County"', 'county = ""', "dangerous.county", "some text"),
    ("license_cents = 1000", "license_cents = 1000\nbreed_cents = 1", "fees[1].breed_cents", "knows no such key"),
    ('vaccination_gate = "strictest"', 'vaccination_gate = "strict"', "policy.vaccination_gate", '"strictest"'),
    ("renewal_days = [60, 30, 7]", "renewal_days = [0]", "reminders.renewal_days", "from 1 to 366"),
    ("unpaid_days = [3, 10]", "unpaid_days = 3", "reminders.unpaid_days", "a list in square brackets"),
    ("card_minimum_cents = 50", 'card_minimum_cents = "50"', "payments.card_minimum_cents", "without quotes"),
    ("south = 45.29", "south = 95", "area.south", "degrees from -90 to 90"),
    ("north = 45.34", "north = 45.2", "area.north", "above the south"),
    ("west = -95.64", 'west = "95 W"', "area.west", "without quotes"),
    ("max_file_mb = 15", "max_file_mb = 0", "uploads.max_file_mb", "from 1 to 64"),
    ("max_form_mb = 20", "max_form_mb = 10", "uploads.max_form_mb", "from 15 to 64"),
    ('"90.18" = "City Code § 90.18"\n', "", "citations", 'add a label for the rule "90.18"'),
    ('"90.18" = "City Code § 90.18"', '"90.18" = ""', "citations.90.18", "text between quotes"),
    ('url = "https://www.ada.gov', 'url = "www.ada.gov', "citations.ADA-service-animals.url", "https://"),
    ('    "fees",', '    "feez",', "samples", '"feez" is not in this file'),
]


@pytest.mark.parametrize(
    ("old", "new", "key", "words"),
    [pytest.param(*row, id=f"{row[2]} {row[3]}") for row in BAD_VALUES],
)
def test_a_bad_value_is_named_with_what_to_do(changed, old, new, key, words):
    with pytest.raises(CityFileError) as raised:
        load_city(changed(old, new))
    assert raised.value.key == key
    assert words in raised.value.what_to_do
    assert str(raised.value).startswith(f"{key}: ")


@pytest.mark.parametrize("office", ["police", "pound"])
def test_the_police_and_the_pound_have_to_be_there(tmp_path, office):
    text = BENSON.read_text(encoding="utf-8").replace(f"offices.{office}", "offices.elsewhere")
    path = tmp_path / "city.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CityFileError, match=f"offices.{office}: this is missing"):
        load_city(path)


def test_two_resolutions_may_not_start_on_one_day(changed):
    table = BENSON.read_text(encoding="utf-8").split("\n[[fees]]\n")[1].split("[policy]")[0]
    with pytest.raises(CityFileError, match=r"fees.effective_from: two tables start on 2026-01-01"):
        load_city(changed("[policy]", f"[[fees]]\n{table}\n[policy]"))


def test_a_file_that_is_not_there_or_not_toml_is_named(tmp_path):
    with pytest.raises(CityFileError, match="PORTAL_CITY"):
        load_city(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("name = City", encoding="utf-8")
    with pytest.raises(CityFileError, match="not a TOML file"):
        load_city(broken)


def test_every_key_of_the_file_has_a_comment_or_stands_under_one():
    """Another city copies the file: each table but the opening hours explains itself."""
    text = BENSON.read_text(encoding="utf-8")
    assert tomllib.loads(text)
    for heading in ("city", "ordinance", "holidays", "license", "policy", "payments", "uploads"):
        body = text.split(f"\n[{heading}]\n")[1].split("\n[")[0]
        assert body.lstrip().startswith("#"), heading

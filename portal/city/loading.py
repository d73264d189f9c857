"""From the city's file to a `City`, with every value checked when the portal starts."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from portal.city.city import (
    Area,
    Citation,
    City,
    DangerousPolicy,
    DeskPolicy,
    LicensePolicy,
    OrdinanceText,
    Policy,
    Retention,
    UploadLimits,
)
from portal.city.fee_tables import read_fees
from portal.city.holidays import BusinessCalendar, is_known_state
from portal.city.offices import read_offices
from portal.city.reading import CityFileError, Table, a_date, a_day_count, a_text
from portal.city.streets import read_streets
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import RestsOn
from portal.ordinance.license_years import YearStart, license_year
from portal.ordinance.nuisances import ACCUSES_NOBODY, Nuisance
from portal.ordinance.rabies import Gate
from portal.ordinance.reminders import ReminderSteps

BENSON = Path(__file__).with_name("benson.toml")
# Wide enough for any processor; it catches an amount written in the wrong unit.
CARD_CENTS_AT_MOST = 100_00
# A promise longer than this is no promise.
MOST_OFFICE_DAYS = 60
# The web server takes in no more at once (`LARGEST_BODY_BYTES`).
MOST_MB = 64
# Ten years: who wants to keep for longer keeps an export.
MOST_DAYS_KEPT = 3660
# A year without 29 February, which cannot begin a license year.
COMMON_YEAR = 2027
MOST_LICENSE_YEARS = 3
EARLIEST_LICENSE_YEAR, LATEST_LICENSE_YEAR = 2000, 2100


def load_city(path: Path = BENSON) -> City:
    """The city in a file. Raises `CityFileError` that names the first value it cannot use and what to do."""
    root = Table("", _parsed(path))
    samples = root.items("samples", a_text) if root.has("samples") else ()
    city = root.table("city")
    state = _state(city)
    payments = root.table("payments")
    minimum_cents = payments.whole("card_minimum_cents", least=0, most=CARD_CENTS_AT_MOST)
    found = City(
        name=city.text("name"),
        short_name=city.text("short_name"),
        state=state,
        zip_code=_zip_code(city),
        time_zone=_time_zone(city),
        website=_url(city, "website"),
        administrator_title=city.text("administrator_title"),
        ordinance=_ordinance(root.table("ordinance")),
        offices=read_offices(root.table("offices")),
        calendar=_calendar(root.table("holidays"), state),
        license=_license(root.table("license")),
        dangerous=_dangerous(root.table("dangerous")),
        fees=read_fees(root.array("fees"), minimum_cents=minimum_cents),
        policy=_policy(root.table("policy")),
        desk=_desk(root.table("desk")),
        reminders=_reminders(root.table("reminders")),
        retention=_retention(root.table("retention")),
        listed_reports=_listed_reports(root.table("open311")),
        card_minimum_cents=minimum_cents,
        uploads=_uploads(root.table("uploads")),
        area=_area(root.table("area")) if root.has("area") else None,
        streets=read_streets(root.table("map"), folder=path.parent) if root.has("map") else (),
        citations=_citations(root.table("citations")),
        samples=frozenset(samples),
    )
    for table in (city, payments, root):
        table.finish()
    for place in samples:
        _check_place(root.values, place)
    return found


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        raise CityFileError(str(path), "there is no such file; check PORTAL_CITY") from missing
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as unreadable:
        raise CityFileError(str(path), f"this is not a TOML file: {unreadable}") from unreadable


def _check_place(values: Mapping[str, Any], place: str) -> None:
    """Each sample names a place that is in the file, so that a misspelled one does not pass as confirmed."""
    here: Any = values
    for key in place.split("."):
        if not isinstance(here, Mapping) or key not in here:
            raise CityFileError("samples", f'"{place}" is not in this file; write the place of a value that is')
        here = here[key]


def _state(city: Table) -> str:
    state = city.text("state")
    if not is_known_state(state):
        raise CityFileError(city.at("state"), 'write the two letters of a state, such as "MN"')
    return state


def _zip_code(city: Table) -> str:
    zip_code = city.text("zip_code")
    if not re.fullmatch(r"\d{5}", zip_code):
        raise CityFileError(city.at("zip_code"), 'write five digits between quotes, such as "56215"')
    return zip_code


def _time_zone(city: Table) -> ZoneInfo:
    name = city.text("time_zone")
    if name not in available_timezones():
        raise CityFileError(city.at("time_zone"), 'write the name of a time zone, such as "America/Chicago"')
    return ZoneInfo(name)


def _url(table: Table, key: str) -> str:
    url = table.text(key)
    if not re.fullmatch(r"https?://[^\s\"'<>]+", url):
        raise CityFileError(table.at(key), "write a whole address that begins with https://")
    return url


def _ordinance(table: Table) -> OrdinanceText:
    url = _url(table, "url") if table.has("url") else None
    found = OrdinanceText(table.text("title"), table.day("adopted_on"), url)
    table.finish()
    return found


def _calendar(table: Table, state: str) -> BusinessCalendar:
    found = BusinessCalendar(
        state=state,
        keeps_friday_after_thanksgiving=table.switch("friday_after_thanksgiving"),
        keeps_indigenous_peoples_day=table.switch("indigenous_peoples_day"),
        closure_days=frozenset(table.items("closure_days", a_date)),
    )
    table.finish()
    return found


def _license(table: Table) -> LicensePolicy:
    start = _year_start(table)
    found = LicensePolicy(
        year_start=start,
        renewal_window_days=table.whole("renewal_window_days", least=0, most=365),
        certificate_check_days=table.whole("certificate_check_days", least=1, most=MOST_OFFICE_DAYS),
        tag_mail_days=table.whole("tag_mail_days", least=1, most=MOST_OFFICE_DAYS),
    )
    table.finish()
    return found


def _year_start(table: Table) -> YearStart:
    start = YearStart(
        table.whole("year_start_month", least=1, most=12), table.whole("year_start_day", least=1, most=31)
    )
    try:
        license_year(COMMON_YEAR, start)
    except ValueError as wrong:
        what_to_do = "write a day that this month has in every year (29 February is not one)"
        raise CityFileError(table.at("year_start_day"), what_to_do) from wrong
    if not table.has("years"):
        return start
    return replace(
        start,
        years=table.whole("years", least=1, most=MOST_LICENSE_YEARS),
        since=table.whole("years_since", least=EARLIEST_LICENSE_YEAR, most=LATEST_LICENSE_YEAR),
    )


def _dangerous(table: Table) -> DangerousPolicy:
    found = DangerousPolicy(
        heard_by=table.text("heard_by"),
        county=table.text("county"),
        renewal_window_days=table.whole("renewal_window_days", least=0, most=365),
        certificate_ends_with=frozenset(table.items("certificate_ends_with", _rests_on)),
    )
    table.finish()
    return found


def _rests_on(value: Any, place: str) -> RestsOn:
    if not isinstance(value, str) or value not in list(RestsOn):
        choices = ", ".join(f'"{choice}"' for choice in RestsOn)
        raise CityFileError(place, f"list only {choices}; the year ends it in any case")
    return RestsOn(value)


def _policy(table: Table) -> Policy:
    found = Policy(
        vaccination_gate=_gate(table),
        ask_live_modified_note=table.switch("ask_live_modified_note"),
        upload_counts_as_presented=table.switch("upload_counts_as_presented"),
    )
    table.finish()
    return found


def _desk(table: Table) -> DeskPolicy:
    found = DeskPolicy(
        answer_days=table.whole("answer_days", least=1, most=MOST_OFFICE_DAYS),
        urgent_days=table.whole("urgent_days", least=0, most=MOST_OFFICE_DAYS),
    )
    table.finish()
    return found


def _reminders(table: Table) -> ReminderSteps:
    found = ReminderSteps(
        renewal_days=table.items("renewal_days", a_day_count),
        certificate_days=table.items("certificate_days", a_day_count),
        puppy_days=table.items("puppy_days", a_day_count),
        unpaid_days=table.items("unpaid_days", a_day_count),
        unfinished_days=table.items("unfinished_days", a_day_count),
        dangerous_days=table.items("dangerous_days", a_day_count),
    )
    table.finish()
    return found


def _retention(table: Table) -> Retention:
    """Each at least as long as the portal itself needs it: a reminder's row keeps it from going out twice."""
    found = Retention(
        unsent_applications=table.whole("unsent_applications_days", least=30, most=MOST_DAYS_KEPT),
        letter_words=table.whole("letter_words_days", least=7, most=MOST_DAYS_KEPT),
        letters=table.whole("letters_days", least=30, most=MOST_DAYS_KEPT),
        dead_mailboxes=table.whole("dead_mailboxes_days", least=30, most=MOST_DAYS_KEPT),
        reminders=table.whole("reminders_days", least=60, most=MOST_DAYS_KEPT),
        talks=table.whole("talks_days", least=30, most=MOST_DAYS_KEPT),
        links=table.whole("links_days", least=7, most=MOST_DAYS_KEPT),
        unused_files=table.whole("unused_files_days", least=7, most=MOST_DAYS_KEPT),
        processor_events=table.whole("processor_events_days", least=60, most=MOST_DAYS_KEPT),
        findings=table.whole("findings_days", least=30, most=MOST_DAYS_KEPT),
    )
    table.finish()
    return found


def _listed_reports(table: Table) -> frozenset[Nuisance]:
    """Which kinds stand in a public list. The city may leave some out; one that accuses anybody never stands there."""
    found = frozenset(table.items("listed", _listed_kind))
    table.finish()
    return found


def _listed_kind(value: Any, place: str) -> Nuisance:
    if not isinstance(value, str) or value not in ACCUSES_NOBODY:
        choices = ", ".join(f'"{kind}"' for kind in sorted(ACCUSES_NOBODY))
        what_to_do = f"list only {choices}: any other report accuses somebody, and stays confidential (13.44, 13.82)"
        raise CityFileError(place, what_to_do)
    return Nuisance(value)


def _gate(table: Table) -> Gate:
    value = table.text("vaccination_gate")
    if value not in list(Gate):
        choices = ", ".join(f'"{gate}"' for gate in Gate)
        raise CityFileError(table.at("vaccination_gate"), f"write one of {choices}")
    return Gate(value)


def _uploads(table: Table) -> UploadLimits:
    max_file_mb = table.whole("max_file_mb", least=1, most=MOST_MB)
    found = UploadLimits(
        max_file_mb,
        table.whole("max_form_mb", least=max_file_mb, most=MOST_MB),
        unscanned_files_wait=table.switch("unscanned_files_wait"),
    )
    table.finish()
    return found


def _area(table: Table) -> Area:
    south, west = table.degrees("south", most=90), table.degrees("west", most=180)
    found = Area(south, table.degrees("north", most=90), west, table.degrees("east", most=180))
    table.finish()
    if found.north <= south or found.east <= west:
        raise CityFileError(table.at("north"), "write a north above the south, and an east greater than the west")
    return found


def _citations(table: Table) -> Mapping[str, Citation]:
    """Every rule the portal cites has a label; labels for rules it does not cite yet may stand there too."""
    for rule in Rule:
        if not table.has(rule):
            raise CityFileError(
                "citations", f'add a label for the rule "{rule}", such as "{rule}" = "City Code § {rule}"'
            )
    return MappingProxyType({key: _citation(table, key) for key in table.values})


def _citation(table: Table, key: str) -> Citation:
    if not isinstance(table.values[key], dict):
        return Citation(table.text(key))
    linked = table.table(key)
    found = Citation(linked.text("label"), _url(linked, "url") if linked.has("url") else None)
    linked.finish()
    return found

"""The city as the portal knows it: frozen values read once from the city's file."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from portal.city.holidays import BusinessCalendar
from portal.city.streets import Street
from portal.ordinance.dangerous import RestsOn
from portal.ordinance.days import OpeningHours
from portal.ordinance.fees import FeeTable
from portal.ordinance.license_years import YearStart
from portal.ordinance.nuisances import Nuisance
from portal.ordinance.rabies import Gate
from portal.ordinance.reminders import ReminderSteps


@dataclass(frozen=True)
class Office:
    """A place people can go to or call. `hours` are local time, by weekday."""

    key: str
    name: str
    address: tuple[str, ...]
    phone: str
    email: str | None
    hours: OpeningHours


@dataclass(frozen=True)
class Citation:
    """How a rule is printed, and where it can be read if anywhere."""

    label: str
    url: str | None = None


@dataclass(frozen=True)
class OrdinanceText:
    """The animal chapter itself."""

    title: str
    adopted_on: date
    url: str | None


@dataclass(frozen=True)
class LicensePolicy:
    """When license years begin, how early the next may be applied for, and what the city promises (90.04(B)(5)).

    The two promises are counted in days on which the city's offices are open.
    """

    year_start: YearStart
    renewal_window_days: int
    certificate_check_days: int
    tag_mail_days: int

    @property
    def runs_for(self) -> str:
        """What a license's fee is for, as its price is told: "$10.00 a year", "$10.00 for two years"."""
        return {1: "a year", 2: "for two years", 3: "for three years"}[self.year_start.years]


@dataclass(frozen=True)
class DangerousPolicy:
    """What 90.13 leaves to the city: who hears an appeal, how early a year is renewed, what ends a certificate."""

    heard_by: str
    county: str
    renewal_window_days: int
    certificate_ends_with: frozenset[RestsOn]


@dataclass(frozen=True)
class Policy:
    """What the ordinance leaves to the city."""

    vaccination_gate: Gate
    ask_live_modified_note: bool
    upload_counts_as_presented: bool


@dataclass(frozen=True)
class DeskPolicy:
    """How soon the city wants to have answered, in days on which its offices are open.

    Certificates and tags have promises of their own, which residents read.
    """

    answer_days: int
    urgent_days: int


@dataclass(frozen=True)
class Retention:
    """How many days the portal keeps what is no record of the city's: of what was under way, and of what was sent."""

    unsent_applications: int
    letter_words: int
    letters: int
    dead_mailboxes: int
    reminders: int
    talks: int
    links: int
    unused_files: int
    processor_events: int
    findings: int


@dataclass(frozen=True)
class UploadLimits:
    """The largest file and the largest whole form, in megabytes of 1,000,000 bytes."""

    max_file_mb: int
    max_form_mb: int
    unscanned_files_wait: bool = False
    """Whether what no virus scanner has seen is kept, closed to everybody, until one has."""

    @property
    def max_file_bytes(self) -> int:
        """The largest file in bytes."""
        return self.max_file_mb * 1_000_000

    @property
    def max_form_bytes(self) -> int:
        """The largest form in bytes."""
        return self.max_form_mb * 1_000_000


@dataclass(frozen=True)
class Area:
    """Four sides around the city, in degrees. Beyond them another police may be the right one."""

    south: float
    north: float
    west: float
    east: float

    def holds(self, latitude: float, longitude: float) -> bool:
        """Whether a place lies within."""
        return self.south <= latitude <= self.north and self.west <= longitude <= self.east


@dataclass(frozen=True)
class City:
    """Everything that another city would change."""

    name: str
    short_name: str
    state: str
    zip_code: str
    time_zone: ZoneInfo
    website: str
    administrator_title: str
    ordinance: OrdinanceText
    offices: Mapping[str, Office]
    calendar: BusinessCalendar
    license: LicensePolicy
    dangerous: DangerousPolicy
    fees: tuple[FeeTable, ...]
    policy: Policy
    desk: DeskPolicy
    reminders: ReminderSteps
    retention: Retention
    listed_reports: frozenset[Nuisance]
    card_minimum_cents: int
    uploads: UploadLimits
    area: Area | None
    streets: tuple[Street, ...]
    citations: Mapping[str, Citation]
    samples: frozenset[str]

    @property
    def police(self) -> Office:
        """The office that issues licenses and takes calls about animals."""
        return self.offices["police"]

    @property
    def pound(self) -> Office:
        """Where impounded animals are kept; its hours count the days of a hold (346.47)."""
        return self.offices["pound"]

    def citation(self, rule: str) -> Citation:
        """How a rule is printed here; an id the file does not know is printed as it is."""
        return self.citations.get(rule, Citation(rule))

    def is_sample(self, key: str) -> bool:
        """Whether the value at a place of the file, such as `fees` or `offices.police.phone`, is unconfirmed."""
        parts = key.split(".")
        return any(".".join(parts[:length]) in self.samples for length in range(1, len(parts) + 1))

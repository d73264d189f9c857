"""What a person says in a report, as frozen values: what every report has, what one kind is asked, who they are.

The answers of one kind are stored as plain values with their version; a newer question never breaks an older report.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from portal.ordinance.finding import Refusal
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import EpisodeSource, ReportFileKind
from portal.services.plain_values import plain_values

DETAILS_VERSION = 1
LONGEST_TEXT = 20_000
LONGEST_LINE = 500
MOST_FILES = 20
# Of a report with all that was added later.
MOST_FILES_IN_ALL = 100
MOST_EPISODES = 500

TOO_LONG = "Use {most:,} characters or fewer"
TOO_MANY_FILES = "Send {most} files or fewer. More can be added later"
TOO_MANY_IN_ALL = "{most} files are with this report. Tell the officer that you have more"
TOO_MANY_EPISODES = "Send {most} entries or fewer at a time"


@dataclass(frozen=True, kw_only=True)
class BarkingDetails:
    """90.10(A): free words beside the log."""

    heard_from: str = ""
    how_long: str = ""
    interruptions: str = ""


@dataclass(frozen=True, kw_only=True)
class DamageDetails:
    """90.10(B)."""

    what: str = ""
    whose_property: str = ""
    estimate: str = ""


@dataclass(frozen=True, kw_only=True)
class ChasingDetails:
    """90.10(D). `chased` and `ground` are words of the section: pedestrian, bicycle, vehicle, animal; street, ..."""

    chased: str = ""
    ground: str = ""
    had_contact: bool | None = None
    injury: str = ""


@dataclass(frozen=True, kw_only=True)
class BiteDetails:
    """90.08(A)(1). `bitten` is a person or an animal; `reporter_is` the one bitten, the keeper or a witness."""

    bitten: str = ""
    reporter_is: str = ""
    injury: str = ""
    treated_by: str = ""
    animal_is_now: str = ""
    vaccination: str = ""


@dataclass(frozen=True, kw_only=True)
class LitterDetails:
    """90.10(C). `ground`: own, others, public."""

    ground: str = ""


@dataclass(frozen=True, kw_only=True)
class AtLargeDetails:
    """90.04(A)."""

    direction: str = ""
    tag: str = ""


@dataclass(frozen=True, kw_only=True)
class NeglectDetails:
    """90.14."""

    lacks: str = ""
    since: str = ""
    seen_from: str = ""


@dataclass(frozen=True, kw_only=True)
class DeadAnimalDetails:
    """90.12(E)."""

    species: str = ""
    tag: str = ""


@dataclass(frozen=True, kw_only=True)
class StrayDetails:
    """90.11(B)."""

    is_confined: bool | None = None
    confined_at: datetime | None = None
    tag: str = ""


@dataclass(frozen=True, kw_only=True)
class OtherDetails:
    """Everything is in the narrative."""


Details = (
    BarkingDetails
    | DamageDetails
    | ChasingDetails
    | BiteDetails
    | LitterDetails
    | AtLargeDetails
    | NeglectDetails
    | DeadAnimalDetails
    | StrayDetails
    | OtherDetails
)
DETAILS: Mapping[Nuisance, type[Details]] = MappingProxyType(
    {
        Nuisance.BARKING: BarkingDetails,
        Nuisance.DAMAGE: DamageDetails,
        Nuisance.CHASING: ChasingDetails,
        Nuisance.BITE: BiteDetails,
        Nuisance.LITTER: LitterDetails,
        Nuisance.AT_LARGE: AtLargeDetails,
        Nuisance.NEGLECT: NeglectDetails,
        Nuisance.DEAD_ANIMAL: DeadAnimalDetails,
        Nuisance.STRAY: StrayDetails,
        Nuisance.OTHER: OtherDetails,
    }
)


@dataclass(frozen=True, kw_only=True)
class EpisodeAnswers:
    """Barking that was heard. `id` is made where it was noted, so that sending it twice notes it once."""

    id: UUID
    started_at: datetime
    ended_at: datetime
    source: EpisodeSource = EpisodeSource.TYPED
    is_backdated: bool = True
    heard_from: str | None = None


@dataclass(frozen=True, kw_only=True)
class FileAnswers:
    """A file that is safe in the store and not noted down yet."""

    id: UUID
    kind: ReportFileKind
    key: str
    thumbnail_key: str | None
    original_name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class ReportAnswers:
    """What happened. A place as typed is enough; everything else may be left out."""

    kind: Nuisance
    place: str
    narrative: str = ""
    happened_at: datetime | None = None
    happened_text: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    is_outside_city: bool = False
    animal: str = ""
    whose: str = ""
    is_going_on: bool | None = None
    is_again: bool | None = None
    details: Details | None = None
    episodes: tuple[EpisodeAnswers, ...] = ()
    files: tuple[FileAnswers, ...] = ()
    is_suspicious: bool = False

    @property
    def position(self) -> tuple[float, float] | None:
        """Where the phone was; 0, 0 is what a phone says that does not know (R5)."""
        if self.latitude is None or self.longitude is None or not (self.latitude or self.longitude):
            return None
        return self.latitude, self.longitude


@dataclass(frozen=True, kw_only=True)
class Incident:
    """It happened again: what is added to a report that is there already."""

    text: str
    happened_at: datetime | None = None
    happened_text: str | None = None
    position: tuple[float, float] | None = None
    animal: str = ""
    whose: str = ""
    is_going_on: bool | None = None
    is_again: bool | None = None
    details: Details | None = None
    episodes: tuple[EpisodeAnswers, ...] = ()
    files: tuple[FileAnswers, ...] = ()

    def plain(self) -> dict[str, Any]:
        """All that was answered beside the words and the instant, as it is stored and read at the desk."""
        said = {
            "happened_text": self.happened_text,
            "where_the_phone_was": ", ".join(map(str, self.position)) if self.position else None,
            "animal": self.animal,
            "whose": self.whose,
            "going_on_then": self.is_going_on,
            "happened_before": self.is_again,
        }
        return plain_details(self.details) | {name: told for name, told in said.items() if told not in (None, "")}


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who reports, if they say so."""

    name: str
    email: str | None = None
    phone: str | None = None
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class Attestation:
    """The statement under a report: the name typed there, if any, and which words were shown (13.04)."""

    typed_name: str | None
    version: str
    notice_version: str


def plain_details(details: Details | None) -> dict[str, Any]:
    """The answers of one kind as they are stored."""
    found: dict[str, Any] = plain_values().unstructure(details) if details else {}
    return found


def details_of(kind: Nuisance, stored: Mapping[str, Any]) -> Details:
    """The answers of one kind as they were given."""
    return plain_values().structure(dict(stored), DETAILS[kind])


def plain_files(files: tuple[FileAnswers, ...]) -> list[dict[str, Any]]:
    """Files as a draft keeps them."""
    found: list[dict[str, Any]] = plain_values().unstructure(list(files))
    return found


def files_of(stored: list[dict[str, Any]]) -> tuple[FileAnswers, ...]:
    """Files as a draft kept them."""
    return tuple(plain_values().structure(stored, list[FileAnswers]))


def too_much(answers: ReportAnswers | Incident) -> list[Refusal]:
    """What is longer, or more, than anybody reads. Nothing else of a report is refused."""
    texts = {field.name: value for field in fields(answers) if isinstance(value := getattr(answers, field.name), str)}
    refusals = [
        Refusal("report", TOO_LONG.format(most=most), name)
        for name, written in texts.items()
        if len(written) > (most := LONGEST_TEXT if name in {"narrative", "text"} else LONGEST_LINE)
    ]
    said = [value for value in plain_details(answers.details).values() if isinstance(value, str)]
    if any(len(written) > LONGEST_TEXT for written in said):
        refusals.append(Refusal("report", TOO_LONG.format(most=LONGEST_TEXT), "details"))
    if len(answers.files) > MOST_FILES:
        refusals.append(Refusal("report", TOO_MANY_FILES.format(most=MOST_FILES), "files"))
    if len(answers.episodes) > MOST_EPISODES:
        refusals.append(Refusal("report", TOO_MANY_EPISODES.format(most=MOST_EPISODES), "episodes"))
    return refusals

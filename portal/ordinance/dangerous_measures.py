"""What an owner is asked to show for a requirement of 90.13(H), measure by measure; None for what was not said."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from portal.ordinance.dangerous import Requirement


class Confined(StrEnum):
    """90.13(C)(3): how a proper enclosure keeps the dog."""

    PEN = "pen"
    INDOORS = "indoors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """90.13(C)(3), measure by measure; None for what was not said. Of a dog kept indoors the pen is not asked."""

    confined: Confined
    exits_only_with_help: bool | None = None
    """Neither porch nor patio, no open window, no screen as the only barrier: the dog can't leave by itself."""
    gives_shelter: bool | None = None
    floor_square_feet: Decimal | None = None
    height_feet: Decimal | None = None
    wire_gauge: int | None = None
    opening_inches: Decimal | None = None
    post_inches: Decimal | None = None
    has_concrete_floor: bool | None = None
    buried_inches: Decimal | None = None
    cover_is_whole: bool | None = None
    cover_gauge: int | None = None
    cover_opening_inches: Decimal | None = None
    gate_is_alike: bool | None = None
    """Of the same material as the sidewalls, without wider openings."""
    gate_is_locked: bool | None = None
    """Can be locked, and is at all times while the dog is inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restraint:
    """90.13(H)(3)."""

    has_muzzle: bool | None = None
    muzzle_is_harmless: bool | None = None
    """Keeps the dog from biting, and neither injures it nor keeps it from seeing or breathing."""
    leash_feet: Decimal | None = None
    youngest_handler: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """90.13(H)(4): where signs are posted, and whether they bear the symbol that warns children."""

    at_front: bool | None = None
    at_rear: bool | None = None
    has_symbol: bool | None = None


class Cover(StrEnum):
    """90.13(H)(5): either will do."""

    BOND = "bond"
    INSURANCE = "insurance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Insurance:
    """90.13(H)(5): a surety bond or a policy."""

    cover: Cover = Cover.INSURANCE
    company: str = ""
    number: str = ""
    amount_cents: int | None = None
    first_day: date | None = None
    last_day: date | None = None
    is_authorized_in_state: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Microchip:
    """90.13(H)(8), 347.515."""

    maker: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sterilization:
    """90.13(H)(15)."""

    done_on: date | None = None
    veterinarian: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landlord:
    """90.13(H)(13): only of somebody who rents where the dog lives."""

    rents: bool | None = None
    landlord: str = ""
    told_on: date | None = None
    lease_renews_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Of the rows that an officer settles (90.13(H)(7), (10)) and of the county's: what the owner wants to say."""

    told: str = ""


Measures = Enclosure | Restraint | Signs | Insurance | Microchip | Sterilization | Landlord | Note

MEASURES_OF: Mapping[Requirement, type[Measures]] = {
    Requirement.ENCLOSURE: Enclosure,
    Requirement.RESTRAINT: Restraint,
    Requirement.SIGNS: Signs,
    Requirement.INSURANCE: Insurance,
    Requirement.TAG: Note,
    Requirement.MICROCHIP: Microchip,
    Requirement.PHOTOGRAPH: Note,
    Requirement.LANDLORD: Landlord,
    Requirement.STERILIZATION: Sterilization,
    Requirement.COUNTY: Note,
}
"""The rows that evidence may be sent for, and what is asked for each. The others are read, or begin with an event."""

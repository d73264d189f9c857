"""The rows of a registration: what each requirement of 90.13(H) asks, what proves it, and who shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Requirement, RowState


class Shown(StrEnum):
    """Who or what shows that a row is met."""

    OWNER = "owner"
    """The owner sends something; an officer decides."""
    OFFICER = "officer"
    """An officer does it or sees it; what the owner sends helps (90.13(H)(7), (10))."""
    PORTAL = "portal"
    """Read from what this portal holds: the fee, the license, the rabies certificate (90.13(H)(6), (9))."""
    EVENT = "event"
    """A duty that begins when something happens: a renewal, a move, a death, a new owner (90.13(H)(11), (12), (14))."""
    ALL = "all"
    """Met by the certificate that follows from all the others (90.13(H)(1))."""


@dataclass(frozen=True, slots=True)
class Row:
    """One requirement: its rule, what it asks in a sentence, what proves it, and who shows it."""

    requirement: Requirement
    rule: Rule
    asks: str
    proof: str
    shown: Shown = Shown.OWNER


ROWS: Mapping[Requirement, Row] = {
    row.requirement: row
    for row in (
        Row(
            Requirement.REGISTRATION,
            Rule.DANGEROUS_REGISTRATION,
            "Register the dog with animal control",
            "The certificate of registration, once an officer has accepted every other row",
            Shown.ALL,
        ),
        Row(
            Requirement.ENCLOSURE,
            Rule.DANGEROUS_ENCLOSURE,
            "Keep the dog in a proper enclosure",
            "Photos of the pen or kennel and its measures, or of how the dog is confined indoors",
        ),
        Row(
            Requirement.RESTRAINT,
            Rule.DANGEROUS_RESTRAINT,
            "Outside the enclosure: a muzzle, a chain or leash of at most six feet, and a person of 16 or older",
            "A photo of the dog with its muzzle and leash, the length of the leash, and who walks the dog",
        ),
        Row(
            Requirement.SIGNS,
            Rule.DANGEROUS_SIGNS,
            "Post clearly visible warning signs with the warning symbol, front and rear",
            "A photo of the sign at the front and one of the sign at the rear",
        ),
        Row(
            Requirement.INSURANCE,
            Rule.DANGEROUS_INSURANCE,
            "Have a surety bond or liability insurance of at least $300,000",
            "The policy, its declarations page or the bond, or what the insurer sends through its own link",
        ),
        Row(
            Requirement.FEE,
            Rule.DANGEROUS_FEE,
            "Pay the registration fee, in addition to the license fee",
            "The payment, which this portal sees by itself",
            Shown.PORTAL,
        ),
        Row(
            Requirement.TAG,
            Rule.DANGEROUS_TAG,
            "Keep the dangerous-dog tag on the dog’s collar at all times",
            "An officer hands out the tag; a photo of it on the collar helps",
            Shown.OFFICER,
        ),
        Row(
            Requirement.MICROCHIP,
            Rule.DANGEROUS_MICROCHIP,
            "Have a microchip implanted",
            "The maker of the chip and its number",
        ),
        Row(
            Requirement.LICENSE,
            Rule.DANGEROUS_LICENSE,
            "Keep the dog licensed and up to date on its rabies vaccination",
            "The license and the rabies certificate, which this portal reads by itself",
            Shown.PORTAL,
        ),
        Row(
            Requirement.PHOTOGRAPH,
            Rule.DANGEROUS_PHOTOGRAPH,
            "Make the dog available to be photographed by animal control, at a time and place that it sets",
            "The officer’s own photograph; a photo of yours helps and does not replace it",
            Shown.OFFICER,
        ),
        Row(
            Requirement.RENEWAL,
            Rule.DANGEROUS_RENEWAL,
            "Renew the registration every year for as long as the dog lives",
            "The renewal of each year, with its fee",
            Shown.EVENT,
        ),
        Row(
            Requirement.DEATH_OR_TRANSFER,
            Rule.DEATH_OR_TRANSFER,
            "Tell the city in writing of the dog’s death or of its transfer, within 30 days",
            "The notice you send here when it happens",
            Shown.EVENT,
        ),
        Row(
            Requirement.LANDLORD,
            Rule.DANGEROUS_LANDLORD,
            "If you rent: tell the property owner before you enter into the lease, and at each renewal of it",
            "What your landlord confirms through a link, a letter you gave them, or that you do not rent",
        ),
        Row(
            Requirement.NEW_OWNER,
            Rule.DANGEROUS_NEW_OWNER,
            "Tell any new owner that the city has identified the dog as dangerous, and tell animal control who it is",
            "The notice you send here when it happens",
            Shown.EVENT,
        ),
        Row(
            Requirement.STERILIZATION,
            Rule.STERILIZATION,
            "Have the dog sterilized",
            "The veterinarian’s certificate or bill",
        ),
        Row(
            Requirement.COUNTY,
            Rule.DANGEROUS_REGISTRATION,
            "The county may ask for a registration of its own",
            "Ask the police department whether the county wants it, and send what the county gave you",
        ),
    )
}

# 347.515 asks for the chip of a potentially dangerous dog too; 90.13(G) asks nothing of its owner but to be told.
OF_POTENTIALLY_DANGEROUS = (Requirement.MICROCHIP,)

# 90.13(E)(3)(a)(vi) names (2) and (12) while a hearing is waited for; 347.52(a) adds the muzzle of (3).
DURING_APPEAL = (Requirement.ENCLOSURE, Requirement.RESTRAINT, Requirement.DEATH_OR_TRANSFER)

SETTLED = frozenset({RowState.ACCEPTED, RowState.WAIVED, RowState.NOT_APPLICABLE})

# What shows these holds to a day of its own, and the next is shown after it.
HOLDS_TO_ITS_DAY = frozenset({Requirement.INSURANCE, Requirement.LANDLORD})


def rows_of(kind: Designated) -> tuple[Row, ...]:
    """90.13(H), 347.515: the rows of a dangerous dog, all required unless staff decide otherwise, or of the other."""
    if kind is Designated.POTENTIALLY_DANGEROUS:
        return tuple(ROWS[requirement] for requirement in OF_POTENTIALLY_DANGEROUS)
    return tuple(ROWS.values())


def first_state(row: Row, *, is_renewal: bool) -> RowState:
    """90.13(H)(11), (12), (14): a duty that waits for something to happen is not applicable until it does.

    A renewal is itself what (11) asks for, and is met with the certificate.
    """
    if row.shown is not Shown.EVENT or (is_renewal and row.requirement is Requirement.RENEWAL):
        return RowState.NOT_YET
    return RowState.NOT_APPLICABLE


def state_on(requirement: Requirement, stored: RowState, last_day: date | None, *, on: date) -> RowState:
    """90.13(H)(5), 347.51 subd. 2: what was accepted counts through its last day; then the row is open again.

    (13): so it is with a landlord, who is told at each renewal of the lease.
    """
    ran_out = requirement in HOLDS_TO_ITS_DAY and last_day is not None and last_day < on
    return RowState.NOT_YET if stored is RowState.ACCEPTED and ran_out else stored


def still_open(states: Mapping[Requirement, RowState]) -> tuple[Requirement, ...]:
    """90.13(H)(1): what keeps the certificate from being issued, in the order of the ordinance."""
    certified_with_it = {Requirement.REGISTRATION, Requirement.RENEWAL}
    return tuple(
        requirement
        for requirement in Requirement
        if requirement in states and requirement not in certified_with_it and states[requirement] not in SETTLED
    )

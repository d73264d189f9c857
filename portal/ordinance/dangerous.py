"""Dangerous dogs: what is designated, on which grounds, and the requirements that follow (90.13(C), (H)).

The breed of a dog plays no part in any of it (347.51 subd. 8).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from portal.ordinance.citation import Rule


class Designated(StrEnum):
    """90.13(C)(1), (2): what animal control designates a dog as."""

    DANGEROUS = "dangerous"
    POTENTIALLY_DANGEROUS = "potentially_dangerous"


class Ground(StrEnum):
    """90.13(C)(1)(a)-(c), (C)(2)(a)-(c): on what a designation rests; or that another place declared it (H)(11)."""

    HARMED_PERSON = "harmed_person"
    KILLED_ANIMAL = "killed_animal"
    AGAIN_AFTER_NOTICE = "again_after_notice"
    BIT = "bit"
    APPROACHED_AS_IF_TO_ATTACK = "approached_as_if_to_attack"
    KNOWN_TO_ATTACK = "known_to_attack"
    DECLARED_ELSEWHERE = "declared_elsewhere"


GROUNDS = {
    Designated.DANGEROUS: (
        Ground.HARMED_PERSON,
        Ground.KILLED_ANIMAL,
        Ground.AGAIN_AFTER_NOTICE,
        Ground.DECLARED_ELSEWHERE,
    ),
    Designated.POTENTIALLY_DANGEROUS: (
        Ground.BIT,
        Ground.APPROACHED_AS_IF_TO_ATTACK,
        Ground.KNOWN_TO_ATTACK,
        Ground.DECLARED_ELSEWHERE,
    ),
}


@dataclass(frozen=True, slots=True)
class GroundTold:
    """A ground as a page says it, and the rule that names it."""

    rule: Rule
    sentence: str


GROUNDS_TOLD: Mapping[Ground, GroundTold] = {
    Ground.HARMED_PERSON: GroundTold(
        Rule.DANGEROUS_DOG, "Without provocation, the dog inflicted substantial bodily harm on a person"
    ),
    Ground.KILLED_ANIMAL: GroundTold(
        Rule.DANGEROUS_DOG, "Without provocation, the dog killed a domestic animal while off its owner’s property"
    ),
    Ground.AGAIN_AFTER_NOTICE: GroundTold(
        Rule.DANGEROUS_DOG,
        "After its owner had notice that it was potentially dangerous, "
        "the dog aggressively bit, attacked or endangered the safety of people or domestic animals",
    ),
    Ground.BIT: GroundTold(
        Rule.POTENTIALLY_DANGEROUS_DOG, "When unprovoked, the dog bit a person or a domestic animal"
    ),
    Ground.APPROACHED_AS_IF_TO_ATTACK: GroundTold(
        Rule.POTENTIALLY_DANGEROUS_DOG,
        "When unprovoked and off its owner’s property, "
        "the dog chased or approached a person in an apparent attitude of attack",
    ),
    Ground.KNOWN_TO_ATTACK: GroundTold(
        Rule.POTENTIALLY_DANGEROUS_DOG,
        "The dog has a known propensity, tendency or disposition to attack unprovoked, "
        "causing injury or otherwise threatening the safety of people or domestic animals",
    ),
    Ground.DECLARED_ELSEWHERE: GroundTold(Rule.DANGEROUS_RENEWAL, "Another place declared the dog dangerous"),
}


class Requirement(StrEnum):
    """90.13(H)(1)-(15), each a row of the registration, and the county's registration that (1) and (11) name."""

    REGISTRATION = "registration"
    ENCLOSURE = "enclosure"
    RESTRAINT = "restraint"
    SIGNS = "signs"
    INSURANCE = "insurance"
    FEE = "fee"
    TAG = "tag"
    MICROCHIP = "microchip"
    LICENSE = "license"
    PHOTOGRAPH = "photograph"
    RENEWAL = "renewal"
    DEATH_OR_TRANSFER = "death_or_transfer"
    LANDLORD = "landlord"
    NEW_OWNER = "new_owner"
    STERILIZATION = "sterilization"
    COUNTY = "county"


class RowState(StrEnum):
    """Where a row stands. Only an officer, or what the portal reads by itself, moves it past `sent`."""

    NOT_YET = "not_yet"
    SENT = "sent"
    ACCEPTED = "accepted"
    SENT_BACK = "sent_back"
    WAIVED = "waived"
    NOT_APPLICABLE = "not_applicable"


class RestsOn(StrEnum):
    """90.13(H)(5), (9): what a certificate of registration rests on that ends by itself, besides its year."""

    INSURANCE = "insurance"
    RABIES_CERTIFICATE = "rabies_certificate"


class Change(StrEnum):
    """90.13(P): what may have changed a dog's behavior, as the section lists it."""

    AGE = "age"
    NEUTERING = "neutering"
    ENVIRONMENT = "environment"
    TRAINING = "training"
    """Obedience training that includes modification of aggressive behavior."""
    OTHER = "other"


def fits(kind: Designated, grounds: Collection[Ground]) -> bool:
    """90.13(C): whether these are grounds of this designation, and at least one."""
    return bool(grounds) and set(grounds) <= set(GROUNDS[kind])

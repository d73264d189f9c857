"""The figures of 90.13(C)(3) and (H), and what lies below them in what an owner sent.

Nothing is refused: what lies below a figure, or was not said, is told with its rule and stays for an officer to see.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_measures import (
    Confined,
    Enclosure,
    Insurance,
    Landlord,
    Measures,
    Microchip,
    Note,
    Restraint,
    Signs,
    Sterilization,
)
from portal.ordinance.days import spoken
from portal.ordinance.fees import dollars
from portal.ordinance.finding import Finding

# 90.13(C)(3)(a)-(d). A higher gauge is a thinner wire.
LEAST_FLOOR_SQUARE_FEET = 32
LEAST_HEIGHT_FEET = 5
THINNEST_GAUGE = 11
WIDEST_OPENING_INCHES = 2
LEAST_POST_INCHES = Decimal("1.25")
LEAST_BURIED_INCHES = 18
# 90.13(H)(3).
LONGEST_LEASH_FEET = 6
YOUNGEST_HANDLER = 16
# 90.13(H)(5), 347.51 subd. 2.
LEAST_INSURED_CENTS = 300_000_00


def findings_about(requirement: Requirement, measures: Measures, *, on: date) -> tuple[Finding, ...]:
    """90.13(H): what lies below its figure (unmet), and what was not said and so is for an officer to look at."""
    match measures:
        case Enclosure():
            found = _of_enclosure(measures)
        case Restraint():
            found = _of_restraint(measures)
        case Signs():
            found = _of_signs(measures)
        case Insurance():
            found = _of_insurance(measures, on)
        case Microchip():
            found = _of_microchip(measures)
        case Sterilization():
            found = _of_sterilization(measures, on)
        case Landlord():
            found = _of_landlord(measures)
        case Note():
            found = _of_note(requirement)
    return tuple(found)


def is_unmet(findings: tuple[Finding, ...]) -> bool:
    """90.13(H): whether something lies below a figure. What was only not said is not unmet."""
    return any(not finding.needs_review for finding in findings)


def _below(rule: Rule, sentence: str, field: str) -> Finding:
    return Finding(rule, sentence, field)


def _unsaid(rule: Rule, sentence: str, field: str) -> Finding:
    return Finding(rule, sentence, field, needs_review=True)


def _of_enclosure(told: Enclosure) -> Iterator[Finding]:
    rule = Rule.PROPER_ENCLOSURE
    yield from _yes_or_no(
        rule,
        told.exits_only_with_help,
        "The dog must not be able to leave by itself: a porch, an open window or a screen alone is not enough",
        "exits_only_with_help",
    )
    if told.confined is Confined.INDOORS:
        return
    yield from _yes_or_no(rule, told.gives_shelter, "The pen has to protect the dog from the weather", "gives_shelter")
    yield from _at_least(
        rule, told.floor_square_feet, LEAST_FLOOR_SQUARE_FEET, "square feet of floor", "floor_square_feet"
    )
    yield from _at_least(rule, told.height_feet, LEAST_HEIGHT_FEET, "feet of height at the sides", "height_feet")
    yield from _gauge(rule, told.wire_gauge, "The sides need", "wire_gauge")
    yield from _at_most(
        rule, told.opening_inches, WIDEST_OPENING_INCHES, "inches for openings in the sides", "opening_inches"
    )
    yield from _at_least(rule, told.post_inches, LEAST_POST_INCHES, "inches for the steel posts", "post_inches")
    if told.has_concrete_floor is not True:
        yield from _at_least(
            rule,
            told.buried_inches,
            LEAST_BURIED_INCHES,
            "inches of post in the ground, where the floor is not concrete",
            "buried_inches",
        )
    yield from _yes_or_no(rule, told.cover_is_whole, "A cover over the whole pen is needed", "cover_is_whole")
    yield from _gauge(rule, told.cover_gauge, "The cover needs", "cover_gauge")
    yield from _at_most(
        rule,
        told.cover_opening_inches,
        WIDEST_OPENING_INCHES,
        "inches for openings in the cover",
        "cover_opening_inches",
    )
    yield from _yes_or_no(
        rule, told.gate_is_alike, "The gate has to be of the same material as the sides", "gate_is_alike"
    )
    yield from _yes_or_no(
        rule, told.gate_is_locked, "The gate has to be locked whenever the dog is inside", "gate_is_locked"
    )


def _of_restraint(told: Restraint) -> Iterator[Finding]:
    rule = Rule.DANGEROUS_RESTRAINT
    yield from _yes_or_no(rule, told.has_muzzle, "The dog needs a muzzle outside its enclosure", "has_muzzle")
    if told.has_muzzle:
        yield from _yes_or_no(
            rule,
            told.muzzle_is_harmless,
            "The muzzle has to keep the dog from biting, and must not injure it or keep it from seeing or breathing",
            "muzzle_is_harmless",
        )
    yield from _at_most(rule, told.leash_feet, LONGEST_LEASH_FEET, "feet for the chain or leash", "leash_feet")
    if told.youngest_handler is None:
        yield _unsaid(rule, "How old is the youngest person who walks the dog?", "youngest_handler")
    elif told.youngest_handler < YOUNGEST_HANDLER:
        sentence = f"Whoever walks the dog has to be {YOUNGEST_HANDLER} or older; this says {told.youngest_handler}"
        yield _below(rule, sentence, "youngest_handler")


def _of_signs(told: Signs) -> Iterator[Finding]:
    rule = Rule.DANGEROUS_SIGNS
    yield from _yes_or_no(rule, told.at_front, "A sign is needed at the front", "at_front")
    yield from _yes_or_no(rule, told.at_rear, "A sign is needed at the rear", "at_rear")
    yield from _yes_or_no(rule, told.has_symbol, "The signs need the symbol that warns children", "has_symbol")


def _of_insurance(told: Insurance, on: date) -> Iterator[Finding]:
    rule = Rule.DANGEROUS_INSURANCE
    if told.amount_cents is None:
        yield _unsaid(rule, "How much does it cover?", "amount_cents")
    elif told.amount_cents < LEAST_INSURED_CENTS:
        sentence = f"At least {dollars(LEAST_INSURED_CENTS)} is needed; this says {dollars(told.amount_cents)}"
        yield _below(rule, sentence, "amount_cents")
    if not told.company:
        yield _unsaid(rule, "Which company issued it?", "company")
    if not told.number:
        yield _unsaid(rule, "What is its number?", "number")
    yield from _yes_or_no(
        rule,
        told.is_authorized_in_state,
        "The company has to be authorized to do business in the state",
        "is_authorized_in_state",
    )
    if told.last_day is None:
        yield _unsaid(rule, "To which day does it run?", "last_day")
    elif told.last_day < on:
        yield _below(rule, f"It ended on {spoken(told.last_day)}", "last_day")
    if told.first_day and told.first_day > on:
        yield _below(rule, f"It begins on {spoken(told.first_day)}", "first_day")


def _of_microchip(told: Microchip) -> Iterator[Finding]:
    if not told.maker:
        yield _unsaid(Rule.DANGEROUS_MICROCHIP, "Who makes the chip?", "maker")
    if not told.number:
        yield _below(Rule.DANGEROUS_MICROCHIP, "The number of the chip is needed", "number")


def _of_sterilization(told: Sterilization, on: date) -> Iterator[Finding]:
    if told.done_on is None:
        yield _below(Rule.STERILIZATION, "The day it was done is needed", "done_on")
    elif told.done_on > on:
        yield _below(Rule.STERILIZATION, f"{spoken(told.done_on)} is still to come", "done_on")


def _of_landlord(told: Landlord) -> Iterator[Finding]:
    rule = Rule.DANGEROUS_LANDLORD
    if told.rents is None:
        yield _unsaid(rule, "Do you rent where the dog lives?", "rents")
    if told.rents and told.told_on is None:
        yield _below(rule, "The property owner has to be told", "told_on")


def _of_note(requirement: Requirement) -> Iterator[Finding]:
    """What the owner sends helps, and an officer settles it (90.13(H)(7), (10)): it is kept and does not do alone."""
    if requirement is Requirement.PHOTOGRAPH:
        sentence = "Your photo helps. Animal control still has to photograph the dog itself"
        yield _unsaid(Rule.DANGEROUS_PHOTOGRAPH, sentence, "document")
    elif requirement is Requirement.TAG:
        sentence = "An officer hands out the tag, and sees it on the collar"
        yield _unsaid(Rule.DANGEROUS_TAG, sentence, "document")


def _yes_or_no(rule: Rule, told: bool | None, needed: str, field: str) -> Iterator[Finding]:
    if told is None:
        yield _unsaid(rule, f"Not said yet. {needed}", field)
    elif not told:
        yield _below(rule, needed, field)


def _at_least(rule: Rule, told: Decimal | None, least: Decimal | int, what: str, field: str) -> Iterator[Finding]:
    if told is None:
        yield _unsaid(rule, f"Not measured yet. At least {least} {what}", field)
    elif told < least:
        yield _below(rule, f"At least {least} {what}; this says {told.normalize():f}", field)


def _at_most(rule: Rule, told: Decimal | None, most: int, what: str, field: str) -> Iterator[Finding]:
    if told is None:
        yield _unsaid(rule, f"Not measured yet. At most {most} {what}", field)
    elif told > most:
        yield _below(rule, f"At most {most} {what}; this says {told.normalize():f}", field)


def _gauge(rule: Rule, told: int | None, what: str, field: str) -> Iterator[Finding]:
    if told is None:
        yield _unsaid(rule, f"Not measured yet. {what} wire of {THINNEST_GAUGE} gauge or heavier", field)
    elif told > THINNEST_GAUGE:
        yield _below(rule, f"{what} wire of {THINNEST_GAUGE} gauge or heavier; {told} gauge is thinner", field)

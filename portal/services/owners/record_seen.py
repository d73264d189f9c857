"""What a person saw of their record before they changed it: nothing that they did not see is overwritten unsaid.

The owner says what is true of them (90.04(B)(2)), and the city may have corrected it since they looked.
"""

from collections.abc import Iterator

from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.people import PersonKind
from portal.services.draft_answers import HomeAnswers, OwnerAnswers
from portal.services.secrets import token_hash

Held = OwnerAnswers | HomeAnswers

KINDS_TOLD = {PersonKind.PERSON: "A person", PersonKind.ORGANIZATION: "An organization"}

OWNER_FIELDS = {
    "kind": "kind",
    "name": "owner_name",
    "phone": "phone",
    "guardian_name": "guardian_name",
    "guardian_contact": "guardian_contact",
}
HOME_FIELDS = {name: name for name in ("line1", "unit", "city", "state", "postal_code", "mailing_address")}
SAYS = "Your record says “{now}” now. Press Save again to put your answer in its place"
SAYS_NOTHING = "Your record says nothing here now. Press Save again to put your answer there"


def mark_of(held: Held) -> str:
    """A mark of what is shown; another one once anything of it has changed."""
    return token_hash(repr(held))


def differences(held: Held, answers: Held) -> Iterator[tuple[str, str | None]]:
    """What the record says otherwise than the answers: the field, and what is on record, in words for a person."""
    for name, field in (OWNER_FIELDS if isinstance(held, OwnerAnswers) else HOME_FIELDS).items():
        if (now := getattr(held, name)) != getattr(answers, name):
            yield field, KINDS_TOLD[now] if isinstance(now, PersonKind) else now


def overwritten(held: Held, answers: Held, *, seen: str | None) -> list[Refusal]:
    """What would be overwritten that the person with the mark `seen` has not seen; None is for who holds the row."""
    if seen is None or seen == mark_of(held):
        return []
    return [
        Refusal(Rule.APPLICATION, SAYS.format(now=now) if now else SAYS_NOTHING, field)
        for field, now in differences(held, answers)
    ]

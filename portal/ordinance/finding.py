"""What the law has to say about somebody's answers: a finding explains, a refusal stops.

The portal refuses only what is impossible. Everything else is explained with its rule, the person may go on, and a
human decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule applied to one answer: an explanation, never a verdict."""

    rule: str
    """The rule id, for example `90.04(B)(1)`; the city file turns it into a label."""
    sentence: str
    """Plain words for a person; the section is not repeated in it."""
    field: str | None = None
    """The answer it is about, when it is about one."""
    needs_review: bool = False
    """A person at the city should look before the matter goes on."""
    is_for_staff: bool = False
    """Never shown to the resident."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be so, such as a vaccination in the future: the form stops here until it is put right."""

    rule: str
    sentence: str
    field: str | None = None


def for_the_person(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings a resident is shown (chapter 13 of the state's law keeps the others with staff)."""
    return tuple(finding for finding in findings if not finding.is_for_staff)

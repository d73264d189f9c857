"""How a service says no: every reason at once, as values."""

from collections.abc import Sequence

from portal.ordinance.finding import Refusal


class Refused(Exception):
    """The deed can't be done as asked; each refusal says why and, where it can, about which answer."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(refusal.sentence for refusal in refusals))
        self.refusals = tuple(refusals)


class NotTheirs(LookupError):
    """What was asked for does not exist for this person."""


class ChangedMeanwhile(Exception):
    """Somebody else changed the row since the person last saw it: both sides look again, and nothing is lost."""

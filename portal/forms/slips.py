"""A form that notices what looks like a slip: said once beside its answer, and taken when it is sent again as it is."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from wtforms import HiddenField

from portal.forms.base import PortalForm
from portal.forms.fields import CivilDateField, TextField
from portal.ordinance.conflicts import DUE_BEFORE_GIVEN
from portal.services.folding import chip

Slip = tuple[str, str]
"""The field it is about, and the sentence."""

NO_CHIPS: Mapping[str, str] = MappingProxyType({})
LIKE_A_CHIP = re.compile(r"[0-9]{15}|[0-9]{9}|[0-9A-Z]{10}")
UNLIKE_A_CHIP = "The number of a microchip has 15 digits, of an older one 9 or 10. Check it"
IF_IT_IS_RIGHT = "If it is right, press the button again"


class NoticingForm(PortalForm):
    """Its page remembers which slips it told, so that others are told too and none of them twice."""

    noticed = HiddenField()

    def slips(self) -> Iterator[Slip]:
        """What to look at again, once every answer can be read. Nothing of it is refused."""
        yield from ()

    def has_noticed(self, sentence: str) -> bool:
        """Whether this was told beside its answer."""
        return any(sentence == told for _, told in self.slips())

    def validate(self, *args: Any, **kwargs: Any) -> bool:
        """False too for a slip that was not told yet."""
        if not super().validate(*args, **kwargs):
            return False
        found = {_mark(slip): slip for slip in self.slips()}
        told = set((self.noticed.data or "").split())
        for mark in found.keys() - told:
            name, sentence = found[mark]
            self.refuse(name, f"{sentence}. {IF_IT_IS_RIGHT}")
        self.noticed.data = " ".join(sorted(found))
        return found.keys() <= told


def due_before_given(given_on: CivilDateField, due_on: CivilDateField) -> Iterator[Slip]:
    """90.04(D)(2): the next shot is due after this one. A paper may be misprinted: it is asked about, not refused."""
    given, due = given_on.data, due_on.data
    if given is not None and due is not None and due < given:
        yield due_on.short_name, DUE_BEFORE_GIVEN


def number_of_another(microchip: TextField, others: Mapping[str, str]) -> Iterator[Slip]:
    """Each animal has its own. `others`: the numbers of their other animals, folded, with the animals' names."""
    number = chip(microchip.data)
    if number is not None and number in others:
        yield microchip.short_name, f"{others[number]} has this number too, and each microchip has its own. Check it"


def unlike_a_chip(microchip: TextField) -> Iterator[Slip]:
    """ISO 11784: fifteen digits; chips from before that have nine digits, or ten digits and letters."""
    number = chip(microchip.data)
    if number is not None and not LIKE_A_CHIP.fullmatch(number):
        yield microchip.short_name, UNLIKE_A_CHIP


def _mark(slip: Slip) -> str:
    return hashlib.sha256("\n".join(slip).encode()).hexdigest()[:16]

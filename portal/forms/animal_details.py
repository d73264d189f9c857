"""What is corrected of an animal by who keeps it."""

from typing import Any

from wtforms import HiddenField

from portal.forms.fields import CivilDateField, NotInFuture, SaysWhen
from portal.forms.register import AnimalForm
from portal.schema.animals import Sex
from portal.services.animals.change_animal import AnimalFacts, with_chip

ALTERED = {"yes": True, "no": False, "unknown": None}
SAID = {answer: word for word, answer in ALTERED.items()}


class AnimalDetailsForm(AnimalForm):
    born_on = CivilDateField("Birth date, if you know it", [SaysWhen(), NotInFuture()])
    seen = HiddenField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.is_declared_dangerous_elsewhere  # stated on a page of its own

    def facts(self) -> AnimalFacts:
        """The answers."""
        facts = AnimalFacts(
            name=self.animal_name.data,
            breed=self.breed.data,
            color=self.color.data,
            sex=Sex(self.sex.data),
            is_altered=ALTERED[self.is_altered.data],
            born_on=self.born_on.data,
            microchip=None,
        )
        return with_chip(facts, self.microchip.data)


def stored_of(facts: AnimalFacts) -> dict[str, Any]:
    """What is on record, as the form shows it."""
    return {**vars(facts), "animal_name": facts.name, "is_altered": SAID[facts.is_altered]}

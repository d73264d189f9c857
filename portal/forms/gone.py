"""The questions when an animal is not kept here any more."""

from portal.forms.base import PortalForm
from portal.forms.fields import ChoiceField, CivilDateField, LongTextField, Needed, NotInFuture, choice


class GoneForm(PortalForm):
    kind = ChoiceField(
        "What happened?",
        [Needed("Choose what happened")],
        choices=[
            choice("died", "It died"),
            choice("left_city", "It moved away from Benson with us"),
            choice("given_away", "It has a new home"),
        ],
    )
    happened_on = CivilDateField("When", [NotInFuture()])
    note = LongTextField("Anything you want to add", max_length=2_000)


class GoneAtCounterForm(PortalForm):
    """The same, as staff write it down."""

    told_by = ChoiceField("Who tells it?", [Needed("Choose who tells it")], choices=[])
    kind = ChoiceField(
        "What happened?",
        [Needed("Choose what happened")],
        choices=[
            choice("died", "It died"),
            choice("left_city", "It moved away from the city with them"),
            choice("given_away", "It has a new home"),
        ],
    )
    happened_on = CivilDateField("When", [NotInFuture()])
    note = LongTextField("Anything they add", max_length=2_000)

"""The questions of renewing: which dogs, which year, how the tags come."""

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import ChoiceField, ChoicesField, Needed, choice


class RenewForm(SubmittedOnce, PortalForm):
    animals = ChoicesField("Which dogs?", [Needed("Choose at least one dog")], choices=[])
    license_year = ChoiceField("Which license year?", [Needed("Choose a license year")], choices=[])
    delivery = ChoiceField(
        "How would you like to get the tags?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "I’ll pick them up")],
        default="mail",
    )


class RenewAtCounterForm(SubmittedOnce, PortalForm):
    """The same questions, as staff ask them."""

    animals = ChoicesField("Which dogs?", [Needed("Choose at least one dog")], choices=[])
    license_year = ChoiceField("Which license year?", [Needed("Choose a license year")], choices=[])
    delivery = ChoiceField(
        "How do the tags reach them?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "They pick them up")],
        default="mail",
    )

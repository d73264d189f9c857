"""The questions about a lost tag."""

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import ChoiceField, ConfirmField, Needed, TextField, choice


class DuplicateTagForm(PortalForm):
    license_year = ChoiceField("Which tag?", [Needed("Choose which year’s tag")], choices=[])
    loss = ChoiceField(
        "What became of the tag?",
        [Needed("Choose lost or broken")],
        choices=[choice("lost", "It is lost"), choice("destroyed", "It is broken or worn out")],
    )
    told = TextField("How did it happen?", max_length=300)
    delivery = ChoiceField(
        "How would you like to get the new one?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "I’ll pick it up")],
        default="mail",
    )
    insists = ConfirmField("I want another all the same")


class DuplicateTagAtCounterForm(SubmittedOnce, PortalForm):
    """The same questions, as staff ask them."""

    asked_by = ChoiceField("Who asks for it?", [Needed("Choose who asks for it")], choices=[])
    license_year = ChoiceField("Which tag?", [Needed("Choose which year’s tag")], choices=[])
    loss = ChoiceField(
        "What became of the tag?",
        [Needed("Choose lost or broken")],
        choices=[choice("lost", "It is lost"), choice("destroyed", "It is broken or worn out")],
    )
    told = TextField("How did it happen?", max_length=300)
    delivery = ChoiceField(
        "How does the new one reach them?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "They pick it up")],
        default="pick_up",
    )
    insists = ConfirmField("They want another all the same")

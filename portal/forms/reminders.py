"""The questions about reminders: whether at all, and whether by text too."""

from portal.forms.base import PortalForm
from portal.forms.fields import ConfirmField, Needed, PhoneField, YesNoField


class RemindersForm(PortalForm):
    wants_reminders = YesNoField(
        "Do you want reminders?",
        [Needed("Choose whether you want reminders")],
        yes="Yes, remind me",
        no="No reminders",
    )
    wants_texts = ConfirmField("")
    phone = PhoneField("Phone number for texts")

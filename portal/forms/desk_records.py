"""What is asked before confidential data is read."""

from portal.forms.base import PortalForm
from portal.forms.fields import Needed, TextField
from portal.services.say_why import BEFORE_READING


class ReasonForm(PortalForm):
    why = TextField(
        "Why do you read this?",
        [Needed(BEFORE_READING)],
        max_length=500,
        hint="Your name, the time and this sentence are kept.",
        autocomplete="off",
    )

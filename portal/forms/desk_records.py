"""What is asked before confidential data is read."""

from portal.forms.base import PortalForm
from portal.forms.fields import Needed, TextField


class ReasonForm(PortalForm):
    why = TextField(
        "Why do you read this?",
        [Needed("Say why you read it: it is written down with your name")],
        max_length=500,
        hint="Your name, the time and this sentence are kept.",
        autocomplete="off",
    )

"""The question about a fee that looks wrong (90.18)."""

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import DropdownField, LongTextField, Needed, TextField, choice
from portal.services.orders.ask_about_fee import NAMES_OF_FEES


class FeeQuestionForm(PortalForm, SubmittedOnce, SpamTrapped):
    fee = DropdownField(
        "Which fee?",
        [Needed("Choose the fee")],
        choices=[choice("", "Choose one"), *(choice(key, name) for key, name in NAMES_OF_FEES.items())],
        coerce=str,
    )
    text = LongTextField(
        "What looks wrong?",
        [Needed("Write what looks wrong")],
        hint="What you were asked to pay, and what you think it should be.",
        max_length=4_000,
    )
    contact = TextField(
        "How can the city answer you?",
        hint="An e‑mail address or a phone number.",
        max_length=254,
        autocomplete="email",
    )

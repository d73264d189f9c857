"""What staff correct on a resident's record, for them."""

from wtforms import HiddenField

from portal.forms.animal_details import AnimalDetailsForm
from portal.forms.desk import DecisionForm
from portal.forms.fields import EmailField, Needed
from portal.forms.register import HomeForm, OwnerForm
from portal.forms.sign_in import LONGEST_ADDRESS


class RecordForm(OwnerForm, HomeForm, DecisionForm):
    """Name, phone, guardian, home and mail."""


class AnimalRecordForm(AnimalDetailsForm, DecisionForm):
    """What its people said of an animal."""


class JoinForm(DecisionForm):
    """Whose record it is joined to: first looked up, then joined."""

    mailbox = EmailField(
        "The e‑mail address they sign in with",
        [Needed("Enter the e-mail address they sign in with")],
        max_length=LONGEST_ADDRESS,
        autocomplete="off",
    )
    person = HiddenField()


class MailboxForm(DecisionForm):
    """The mailbox somebody names at the counter or on the phone."""

    new_email = EmailField(
        "Their new e‑mail address",
        [Needed("Enter the new e-mail address, like name@example.com")],
        max_length=LONGEST_ADDRESS,
        hint="A link goes there. It counts once they have opened it and pressed its button.",
        autocomplete="off",
    )

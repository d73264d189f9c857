"""The questions about one's own record that registering does not ask already."""

from portal.forms.base import PortalForm
from portal.forms.fields import EmailField, Needed
from portal.forms.sign_in import LONGEST_ADDRESS


class NewEmailForm(PortalForm):
    new_email = EmailField(
        "Your new e‑mail address",
        [Needed("Enter your new e-mail address, like name@example.com")],
        max_length=LONGEST_ADDRESS,
        enterkeyhint="send",
    )

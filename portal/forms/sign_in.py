"""The questions of signing in."""

from portal.forms.base import PortalForm
from portal.forms.fields import CodeField, EmailField, Needed

LONGEST_ADDRESS = 254


class EmailForm(PortalForm):
    email = EmailField(
        "What is your e‑mail address?",
        [Needed("Enter your e-mail address, like name@example.com")],
        hint="We send you a code. There is no password.",
        max_length=LONGEST_ADDRESS,
        enterkeyhint="send",
    )


class CodeForm(PortalForm):
    code = CodeField("The six digits", [Needed("Type the six digits from the message")], enterkeyhint="done")


class ButtonForm(PortalForm):
    """A button that does something, and nothing to fill in."""

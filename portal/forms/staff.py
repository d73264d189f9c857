"""The questions of signing in at the desk."""

from wtforms import HiddenField

from portal.forms.base import PortalForm
from portal.forms.fields import CodeField, EmailField, Needed, TextField
from portal.forms.sign_in import LONGEST_ADDRESS


class StaffEmailForm(PortalForm):
    email = EmailField(
        "Sign in to the desk",
        [Needed("Enter your work e-mail address, like name@example.com")],
        hint="Your work e-mail address. We send you a code.",
        max_length=LONGEST_ADDRESS,
        enterkeyhint="send",
    )


class StaffCodeForm(PortalForm):
    code = CodeField("The six digits", [Needed("Type the six digits from the message")], enterkeyhint="done")


class SecondFactorForm(PortalForm):
    code = TextField(
        "Code of your app, or a recovery code",
        [Needed("Type the six digits your app shows, or one of your recovery codes")],
        max_length=40,
        autocomplete="one-time-code",
        spellcheck="false",
        width="medium",
        enterkeyhint="done",
    )


class PasskeyForm(PortalForm):
    """What a passkey answered: filled in by the script."""

    answer = HiddenField()


class NewPasskeyForm(PasskeyForm):
    name = TextField("What do you call it?", hint="Like “my phone” or “desk PC”.", max_length=60, width="medium")


class AppCodeForm(PortalForm):
    code = CodeField("The six digits your app shows", [Needed("Type the six digits your app shows")])

"""The questions on a report that was sent: what happened next, an answer, a file, a reason, a name."""

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    ConfirmField,
    EmailField,
    LongTextField,
    Needed,
    PhoneField,
    PhotoField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.services.reports.answers import LONGEST_LINE, Identity, Incident

PHOTO_SOUND_OR_FILM = "image/*,.heic,.heif,application/pdf,audio/*,video/*"
NOW, EARLIER = "now", "earlier"


class IncidentForm(PortalForm, SubmittedOnce):
    """Ten seconds: a few words, and when."""

    text = LongTextField("What happened?", [Needed("Write a few words about what happened")])
    moment = ChoiceField(
        "When?",
        [Needed("Choose just now or earlier")],
        choices=[choice(NOW, "Just now"), choice(EARLIER, "Earlier")],
        default=NOW,
    )
    earlier = TextField(
        "If earlier: when was it?",
        [SaysWhen()],
        hint="Like: yesterday about 11 at night.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )

    def validate_earlier(self, field: TextField) -> None:
        """Only where it was earlier."""
        if self.moment.data == EARLIER and field.is_blank:
            raise ValidationError("Enter about when it was, like yesterday about 11 at night")

    @property
    def is_now(self) -> bool:
        """Whether it happened as it is told."""
        return bool(self.moment.data == NOW)

    @property
    def happened_text(self) -> str | None:
        """When it was, as typed."""
        return None if self.is_now else self.earlier.data


class AnswerForm(PortalForm, SubmittedOnce):
    answer = LongTextField("Your answer", [Needed("Write your answer")])
    file = PhotoField("A photo, a sound, a film or a PDF", accept=PHOTO_SOUND_OR_FILM)


class FileForm(PortalForm, SubmittedOnce):
    file = PhotoField(
        "A photo, a sound, a film or a PDF",
        [Needed("Choose a file")],
        hint="We take out where and when a photo was taken. A sound or a film is kept as it came.",
        accept=PHOTO_SOUND_OR_FILM,
    )


class WithdrawForm(PortalForm):
    why = LongTextField("Why do you take it back?", max_length=2_000)


class ReopenForm(PortalForm, SubmittedOnce):
    why = LongTextField(
        "Why should it be opened again?", [Needed("Write why it should be opened again")], max_length=2_000
    )


class IdentityForm(PortalForm, SubmittedOnce):
    """A report without a name gets one (90.11(A)(1))."""

    name = TextField("Your name", [Needed("Enter your name")], autocomplete="name")
    phone = PhoneField("Your phone number")
    email = EmailField("Your e‑mail address", max_length=LONGEST_ADDRESS)
    address = TextField("Your address", max_length=LONGEST_LINE, autocomplete="address-line1")
    asks_not_public = ConfirmField("I ask the police not to identify me publicly", [SaysWhen()])
    attested_name = TextField(
        "Signature: type your name",
        [Needed("Type your name as your signature")],
        hint="You state that what you told is true as far as you know.",
        autocomplete="off",
    )

    @property
    def identity(self) -> Identity:
        """Who reports."""
        return Identity(
            name=self.name.data,
            email=self.email.data or None,
            phone=self.phone.data or None,
            address=self.address.data or None,
        )


class JoinForm(PortalForm):
    report = ChoiceField("Which of your reports joins it?", [Needed("Choose one of your reports")])
    code = TextField(
        "The code you were given",
        [Needed("Type the code, like ABCD-EFGH-JKMN-PQRS")],
        hint="Like ABCD-EFGH-JKMN-PQRS. Capitals and dashes don’t matter.",
        max_length=60,
        autocomplete="off",
        autocapitalize="characters",
        spellcheck="false",
    )


def incident_of(form: IncidentForm) -> Incident:
    """What happened next, as typed."""
    return Incident(text=form.text.data, happened_text=form.happened_text)

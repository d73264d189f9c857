"""The questions to a clinic about itself: its account, its staff, its software."""

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import EmailField, LongTextField, Needed, PhoneField, TextField
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.services.clinics.ask_as_clinic import ClinicAsking


class AskToJoinForm(PortalForm, SpamTrapped):
    clinic_name = TextField(
        "Clinic’s name", [Needed("Enter the clinic’s name")], max_length=200, autocomplete="organization"
    )
    address = TextField("Address", [Needed("Enter the clinic’s address")], max_length=300, autocomplete="address-line1")
    phone = PhoneField(
        "Phone", [Needed("Enter the clinic’s phone number")], hint="We call this number before we approve."
    )
    email = EmailField(
        "The clinic’s own e-mail address",
        [Needed("Enter the clinic’s e-mail address, like desk@clinic.example")],
        hint="Owners’ requests for a certificate go here.",
        max_length=LONGEST_ADDRESS,
        autocomplete="off",
    )
    asked_by = TextField("Your name", [Needed("Enter your name")], max_length=200, autocomplete="name")
    asker_email = EmailField(
        "Your e-mail address at work",
        [Needed("Enter your e-mail address, like name@example.com")],
        hint="You sign in with it. You can add others later. It may be the clinic’s own.",
        max_length=LONGEST_ADDRESS,
    )

    def asking(self) -> ClinicAsking:
        """The answers."""
        return ClinicAsking(
            name=self.clinic_name.data,
            address=self.address.data,
            phone=self.phone.data,
            email=self.email.data,
            asked_by=self.asked_by.data,
            asker_email=self.asker_email.data,
            is_suspicious=self.is_suspicious,
        )


class NewMemberForm(PortalForm):
    email = EmailField(
        "E-mail address",
        [Needed("Enter the e-mail address, like name@example.com")],
        hint="They sign in with a code sent to it. There is no password.",
        max_length=LONGEST_ADDRESS,
        autocomplete="off",
    )


class NewTokenForm(PortalForm, SubmittedOnce):
    name = TextField(
        "What is it for?",
        [Needed("Enter a name, like Front desk software")],
        hint="A name that tells you later which software has it.",
        max_length=100,
        autocomplete="off",
    )


class SuspectedRabiesForm(PortalForm, SubmittedOnce):
    """90.08(C): after the call, the same in writing."""

    called = TextField(
        "Who did you talk to on the phone?",
        hint="A name or “nobody answered”.",
        max_length=200,
        autocomplete="off",
    )
    animal = TextField(
        "Which animal?",
        [Needed("Enter the kind of animal, its name and what it looks like")],
        hint="Kind, name, breed and color.",
        max_length=400,
        autocomplete="off",
    )
    where = TextField("Where is it now?", [Needed("Enter where the animal is now")], max_length=400, autocomplete="off")
    owner = TextField("Owner, if known", hint="Name, address and phone.", max_length=400, autocomplete="off")
    what = LongTextField(
        "What did you see?",
        [Needed("Enter what you saw, and whether a person or an animal was bitten")],
        hint="Signs, bites, and who may have been exposed.",
        max_length=5_000,
    )
    phone = PhoneField("Your phone number", [Needed("Enter a phone number where an officer reaches you")])

    def validate_what(self, field: LongTextField) -> None:
        """A word or two help nobody."""
        if len(field.data.split()) < 2:
            raise ValidationError("Say in a few words what you saw")

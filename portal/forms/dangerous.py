"""What the owner of a designated dog says and asks: a claim by code, a hearing, a review (90.13(E), (H)(11), (P))."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    ChoicesField,
    CivilDateField,
    ConfirmField,
    EmailField,
    LongTextField,
    Needed,
    PhoneField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.hidden import KeptFileField
from portal.forms.pages_field import PagesField
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.signature import signature
from portal.ordinance.dangerous import Change, Designated
from portal.schema.dangerous import NoticeDelivery
from portal.schema.drafts import Upload
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.dangerous.request_hearing import HearingAsked
from portal.services.dangerous.request_review import ReviewAsked

DELIVERIES = (
    (NoticeDelivery.HAND, "Somebody gave it to me"),
    (NoticeDelivery.MAIL, "By mail"),
    (NoticeDelivery.POSTED, "It was posted where the dog is kept"),
    (NoticeDelivery.RESIDENT, "Somebody who lives there got it"),
)
CHANGES = (
    (Change.AGE, "Its age"),
    (Change.NEUTERING, "It was neutered"),
    (Change.ENVIRONMENT, "Where and how it lives"),
    (Change.TRAINING, "It finished obedience training that includes changing aggressive behavior"),
    (Change.OTHER, "Something else"),
)


class AboutADog(PortalForm, SubmittedOnce):
    """A question that begins with which of the resident's dogs it is about."""

    animal_id = ChoiceField("Which dog is it about?", [Needed("Choose the dog")])

    def __init__(self, *args: Any, dogs: Iterable[AnimalKept], **kwargs: Any) -> None:
        """`dogs` are the resident's own; where there is one, it is chosen."""
        super().__init__(*args, **kwargs)
        self.animal_id.choices = [choice(str(dog.id), dog.name, f"{dog.breed}, {dog.color}") for dog in dogs]
        if len(self.animal_id.choices) == 1 and not self.is_submitted():
            self.animal_id.data = self.animal_id.choices[0].value

    @property
    def dog_id(self) -> UUID:
        """The dog that was chosen."""
        return UUID(self.animal_id.data)


class ClaimForm(AboutADog):
    """Whoever has the notice has its code."""

    code = TextField(
        "The code on the notice",
        [Needed("Type the code on the notice")],
        hint="Capitals, blanks and dashes don’t matter.",
        max_length=60,
        autocomplete="off",
        autocapitalize="characters",
        spellcheck="false",
    )


class ElsewhereForm(AboutADog):
    """A dog that another place has declared dangerous."""

    declared_by = TextField(
        "Which place declared it?",
        [Needed("Enter the city or county that declared it")],
        hint="Like Willmar, Minnesota.",
        max_length=200,
        autocomplete="off",
    )


class HearingForm(PortalForm, SubmittedOnce, SpamTrapped):
    """A request is taken with whatever it says: a name and a dog are enough."""

    code = TextField(
        "The code on the notice",
        hint="It ties your request to the notice. Without it we look for it.",
        max_length=60,
        autocomplete="off",
        autocapitalize="characters",
        spellcheck="false",
    )
    kind = ChoiceField(
        "What does the notice call the dog?",
        [Needed("Choose dangerous or potentially dangerous")],
        choices=[
            choice(Designated.DANGEROUS, "Dangerous"),
            choice(Designated.POTENTIALLY_DANGEROUS, "Potentially dangerous"),
        ],
    )
    about_earlier = ConfirmField("Also about an earlier “potentially dangerous” declaration for this dog", [SaysWhen()])
    dog = TextField("Which dog?", [Needed("Enter the dog’s name")], hint="Name, breed, color.", max_length=400)
    noticed_on = CivilDateField("The date on the notice", hint="It stands at the top.")
    received_on = CivilDateField("When did you get it?")
    delivery = ChoiceField("How did you get it?", choices=[choice(kind, words) for kind, words in DELIVERIES])
    grounds = LongTextField("Why do you disagree?", hint="As much or as little as you want.", max_length=10_000)
    interpreter = TextField(
        "Do you need an interpreter? For which language?", hint="It costs you nothing.", max_length=200
    )
    access_needs = TextField(
        "Do you need anything else to take part?", hint="Like a place without steps, or a hearing loop.", max_length=400
    )
    name = TextField("Your name", [Needed("Enter your name")], max_length=200, autocomplete="name")
    address = LongTextField("Your address", hint="The decision comes by hand or by registered mail.", max_length=600)
    phone = PhoneField("Your phone number")
    email = EmailField("Your e‑mail address, for the receipt", max_length=LONGEST_ADDRESS)
    signed_name = signature()

    def asked(self) -> HearingAsked:
        """What was written."""
        return HearingAsked(
            key=self.key,
            kind=Designated(self.kind.data),
            dog=self.dog.data,
            name=self.name.data,
            signed_name=self.signed_name.data,
            noticed_on=self.noticed_on.data,
            received_on=self.received_on.data,
            delivery=NoticeDelivery(self.delivery.data) if self.delivery.data else None,
            grounds=self.grounds.data or None,
            about_earlier=bool(self.about_earlier.data),
            interpreter=self.interpreter.data or None,
            access_needs=self.access_needs.data or None,
            email=self.email.data or None,
            phone=self.phone.data or None,
            address=self.address.data or None,
        )


class ReviewForm(PortalForm, SubmittedOnce):
    changes = ChoicesField(
        "What has changed the dog’s behavior?",
        [Needed("Choose at least one")],
        choices=[choice(value, words) for value, words in CHANGES],
    )
    told = LongTextField("How has it changed?", [Needed("Write how the dog’s behavior has changed")], max_length=10_000)
    files = PagesField("What shows it", hint="A certificate of training, a letter from a vet. Photos or a PDF.")
    signed_name = signature()
    upload_id = KeptFileField()

    def asked(self, file: Upload | None) -> ReviewAsked:
        """What was written, with the file that came with it."""
        return ReviewAsked(
            key=self.key,
            changes=tuple(Change(changed) for changed in self.changes.data),
            told=self.told.data,
            signed_name=self.signed_name.data,
            file=file,
        )

"""The questions of registering a dog, a page each, in the order they are asked."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import (
    AgeField,
    ChoiceField,
    CivilDateField,
    ConfirmField,
    LongTextField,
    Needed,
    NotInFuture,
    PhoneField,
    PhotoField,
    SaysWhen,
    TextField,
    YesNoField,
    choice,
)
from portal.forms.slips import NO_CHIPS, NoticingForm, Slip, number_of_another, unlike_a_chip
from portal.forms.us_addresses import StateField, ZipCodeField
from portal.ordinance.licensing import MovedFrom, Situation
from portal.schema.people import PersonKind, PremisesKind
from portal.services.draft_answers import HomeAnswers, OtherDogsAnswers, OwnerAnswers
from portal.services.owners.record_seen import KINDS_TOLD

PO_BOX = re.compile(r"\bp\.?\s*o\.?\s*box\s*#?\s*\d+|^\s*box\s+#?\d+\s*$", re.IGNORECASE)
NOT_A_PLACE = (
    "Enter the street or rural address where the dog lives. A PO box can go under “Mail goes to another address”"
)
ALSO_DOWN = "no"
MOST_DOGS = 100


class SituationForm(PortalForm):
    situation = ChoiceField(
        "Which of these fits?",
        [Needed("Choose the answer that fits")],
        choices=[
            choice(Situation.RESIDENT_DOG, "The dog lives in Benson"),
            choice(Situation.VISITING, "The dog is visiting for a while", "Its owner lives somewhere else."),
            choice(Situation.DOG_SHOW, "The dog is here for a dog show"),
            choice(
                Situation.ASSISTANCE_DOG,
                "It is an assistance dog",
                "For a person who is blind, deaf or physically disabled.",
            ),
            choice(
                Situation.OTHER_SERVICE_DOG, "It is another kind of service dog", "Psychiatric service, for example."
            ),
            choice(Situation.POLICE_DOG, "It is a police dog"),
            choice(Situation.CAT, "It is a cat"),
        ],
    )


class AgeForm(PortalForm):
    born_on = CivilDateField("Birth date, if you know it", [SaysWhen(), NotInFuture()])
    age = AgeField("Or about how old", [SaysWhen()], hint="A guess is fine.")
    moved_from = ChoiceField(
        "Did it move here from somewhere else lately?",
        [SaysWhen()],
        choices=[
            choice(ALSO_DOWN, "No"),
            choice(MovedFrom.MINNESOTA, "Yes, from another place in Minnesota"),
            choice(MovedFrom.ANOTHER_STATE, "Yes, from another state or country"),
        ],
        default=ALSO_DOWN,
    )

    def validate_age(self, field: AgeField) -> None:
        """One of the two is enough."""
        if field.is_blank and self.born_on.is_blank:
            raise ValidationError("Enter the birth date, or about how old it is")
        if self.born_on.data and self.today and (age := field.contradicts(self.born_on.data, on=self.today)):
            raise ValidationError(
                f"By the birth date it is {age} old. Correct one of the two answers, or leave one of them empty"
            )

    @property
    def moved(self) -> MovedFrom | None:
        """Where it came from, if it moved."""
        return None if self.moved_from.data in (None, "", ALSO_DOWN) else MovedFrom(self.moved_from.data)


class OwnerForm(PortalForm, SpamTrapped):
    kind = ChoiceField(
        "Who owns the dog?",
        [Needed("Choose a person or an organization")],
        choices=[
            choice(PersonKind.PERSON, KINDS_TOLD[PersonKind.PERSON]),
            choice(PersonKind.ORGANIZATION, KINDS_TOLD[PersonKind.ORGANIZATION], "A rescue, for example."),
        ],
        default=PersonKind.PERSON.value,
    )
    owner_name = TextField("Owner’s name", [Needed("Enter the owner’s name")], autocomplete="name", max_length=200)
    phone = PhoneField("Phone", hint="So that an officer can reach you if the dog is found.")
    is_adult = YesNoField(
        "Is the owner 18 or older?",
        [Needed("Choose whether the owner is 18 or older")],
        yes="Yes, or it is an organization",
        no="No",
    )
    guardian_name = TextField("Parent or guardian, if the owner is under 18", [SaysWhen()], max_length=200)
    guardian_contact = TextField("The guardian’s phone or e-mail", [SaysWhen()], max_length=200)

    def validate_guardian_name(self, field: TextField) -> None:
        """90.04(A): parents and guardians answer for a keeper under 18."""
        if self.is_adult.data is False and not field.data:
            raise ValidationError("Enter the name of a parent or guardian")

    def owner(self) -> OwnerAnswers:
        """The answers."""
        number = self.phone.number
        return OwnerAnswers(
            kind=PersonKind(self.kind.data),
            name=self.owner_name.data,
            phone=self.phone.data or None,
            phone_e164=number.e164 if number else None,
            phone_extension=number.extension if number else None,
            is_minor=self.is_adult.data is False,
            guardian_name=self.guardian_name.data or None,
            guardian_contact=self.guardian_contact.data or None,
        )


class HomeForm(PortalForm):
    line1 = TextField(
        "Street or rural address",
        [Needed("Enter the address where the dog lives")],
        autocomplete="address-line1",
        max_length=200,
    )
    unit = TextField("Apartment, lot or unit", autocomplete="address-line2", max_length=100, width="medium")
    city = TextField("City", [Needed("Enter the city")], autocomplete="address-level2", max_length=100)
    state = StateField(
        "State", [Needed("Enter the state")], autocomplete="address-level1", max_length=40, width="short"
    )
    postal_code = ZipCodeField(
        "ZIP code",
        [Needed("Enter the ZIP code")],
        autocomplete="postal-code",
        max_length=20,
        width="short",
        inputmode="numeric",
    )
    is_safe_at_home = ConfirmField(
        "This is a Safe at Home address", hint="Use the address the program gave you. We never ask where you live."
    )
    mailing_address = LongTextField(
        "Mail goes to another address", hint="Only if mail should go somewhere else. A PO box is fine.", max_length=400
    )

    def validate_line1(self, field: TextField) -> None:
        """A dog does not live in a PO box; a Safe at Home address may be one."""
        if not self.is_safe_at_home.data and PO_BOX.search(field.data):
            raise ValidationError(NOT_A_PLACE)

    def home(self) -> HomeAnswers:
        """The answers."""
        return HomeAnswers(
            kind=PremisesKind.SAFE_AT_HOME if self.is_safe_at_home.data else PremisesKind.STREET,
            line1=self.line1.data,
            unit=self.unit.data or None,
            city=self.city.data,
            state=self.state.data,
            postal_code=self.postal_code.data,
            mailing_address=self.mailing_address.data or None,
        )


class AnimalForm(NoticingForm):
    other_chips: Mapping[str, str]
    """The microchips of their other animals, folded, each with the name of its animal."""

    def __init__(self, *args: Any, other_chips: Mapping[str, str] = NO_CHIPS, **kwargs: Any) -> None:
        self.other_chips = other_chips
        super().__init__(*args, **kwargs)

    animal_name = TextField("Name", [Needed("Enter its name")], autocomplete="off", max_length=100)
    breed = TextField("Breed", [Needed("Enter the breed. “Mixed” is fine")], autocomplete="off", max_length=300)
    color = TextField("Color", [Needed("Enter the color")], autocomplete="off", max_length=200)
    sex = ChoiceField(
        "Sex", [Needed("Choose female or male")], choices=[choice("female", "Female"), choice("male", "Male")]
    )
    is_altered = ChoiceField(
        "Spayed or neutered?",
        [Needed("Choose whether it is spayed or neutered")],
        choices=[choice("yes", "Yes"), choice("no", "No"), choice("unknown", "I’m not sure")],
    )
    microchip = TextField(
        "Microchip number",
        autocomplete="off",
        max_length=60,
        width="medium",
        hint="If it has one. It helps to bring it home.",
    )
    is_declared_dangerous_elsewhere = ConfirmField("Another city or state has declared it dangerous")

    def slips(self) -> Iterator[Slip]:
        """A number that is none, or one in two of their animals."""
        yield from super().slips()
        yield from unlike_a_chip(self.microchip)
        yield from number_of_another(self.microchip, self.other_chips)


class LicenseForm(PortalForm):
    license_year = ChoiceField("Which license year?", [Needed("Choose a license year")], choices=[])
    delivery = ChoiceField(
        "How would you like to get the tag?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "I’ll pick it up")],
        default="mail",
    )


class PhotoForm(PortalForm):
    file = PhotoField(
        "A picture of it",
        [Needed("Choose a picture, or press “Skip this”")],
        hint="If it gets lost, a picture helps people know it.",
        accept="image/*,.heic,.heif",
    )


class AnotherForm(PortalForm):
    another = YesNoField(
        "Do you want to register another animal?",
        [Needed("Choose yes or no")],
        hint="You can pay for several dogs at once.",
        yes="Yes, another one",
        no="No, that’s all",
    )


class OtherDogsForm(PortalForm):
    are_there = YesNoField(
        "Are other dogs kept at this address?", [Needed("Choose whether other dogs are kept at this address")]
    )
    count = TextField(
        "If yes, how many?",
        [SaysWhen()],
        inputmode="numeric",
        width="short",
        max_length=4,
        hint="Without a litter of pups.",
    )
    description = LongTextField("Name, breed, color and sex of each", hint="One dog on each line.", max_length=5_000)
    litter_born_on = CivilDateField("If there is a litter of pups, when was it born?", [SaysWhen(), NotInFuture()])

    def validate_count(self, field: TextField) -> None:
        """A whole number, once there are others; none besides a litter of pups is an answer."""
        if not self.are_there.data:
            return
        if not (field.data.isascii() and field.data.isdecimal() and int(field.data) <= MOST_DOGS):
            raise ValidationError("Enter the number of other dogs as digits, like 1")
        if not int(field.data) and self.litter_born_on.is_blank:
            raise ValidationError("Enter how many other dogs there are. If there are none, choose “No” above")

    def others(self) -> OtherDogsAnswers:
        """The answers; none means none, and a litter of pups is told of beside either answer (90.09(A))."""
        litter: date | None = self.litter_born_on.data
        if not (self.are_there.data or litter):
            return OtherDogsAnswers(count=0)
        return OtherDogsAnswers(
            count=int(self.count.data) if self.are_there.data else 0,
            description=self.description.data or None,
            litter_born_on=litter,
        )


class SendForm(PortalForm, SubmittedOnce, SpamTrapped):
    is_true = ConfirmField(
        "What I have written here is true, as far as I know", [Needed("Tick the box to say that your answers are true")]
    )

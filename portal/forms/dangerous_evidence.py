"""What shows that a requirement for a dangerous dog is met, asked one by one (90.13(C)(3), (H)(2)-(15)).

Nothing here has to be answered and no measure is too small: what is missing stays open on the list, and an officer
decides. The questions are named like the measures they fill in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from wtforms import Field

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    LongTextField,
    SaysWhen,
    TextField,
    YesNoField,
    choice,
)
from portal.forms.hidden import KeptFileField, SeenField
from portal.forms.numbers import MeasureField
from portal.forms.pages_field import PagesField
from portal.forms.slips import NO_CHIPS, NoticingForm, Slip, number_of_another, unlike_a_chip
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_measures import MEASURES_OF, Confined, Cover, Measures

SEVERAL = "Choose several at once if you like."
NOTHING_TO_SEND = "Add a photo or a PDF, or answer one of the questions"
LONGEST_NUMBER = 100


class EvidenceForm(PortalForm, SubmittedOnce):
    """Files and measures for one row. The page says once that every one of them may be left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self:
            field.flags.needed = True  # no "(optional)" beside each of fifteen questions

    files = PagesField("Photos or a PDF", hint=SEVERAL)
    upload_id = KeptFileField()
    seen = SeenField()

    def measures(self, requirement: Requirement) -> Measures:
        """What was answered."""
        kind = MEASURES_OF[requirement]
        given = {asked.name: _value(self[asked.name]) for asked in fields(kind)}
        # What nobody touched is left at what the measure takes for not said.
        return kind(**{name: value for name, value in given.items() if value not in (None, "")})

    def has_something(self) -> bool:
        """Whether there is a file or an answer to send."""
        return bool(self.files.data or self.upload_id.data or any(_is_answered(asked) for asked in self.questions()))

    @property
    def asks(self) -> frozenset[str]:
        """The names of the questions besides the files."""
        return frozenset(field.name for field in self) - OURS

    def questions(self) -> list[Field]:
        """The questions besides the files, in their order."""
        return [field for field in self if field.name in self.asks]


OURS = frozenset({"csrf_token", "submission_key", "noticed", "files", "rear", "upload_id", "seen", "attested_name"})


class EnclosureForm(EvidenceForm):
    files = PagesField("Photos of the enclosure", hint="From each side, the top, the floor and the gate with its lock.")
    confined = ChoiceField(
        "Where is the dog kept?",
        [SaysWhen()],
        choices=[choice(Confined.PEN, "In a pen or kennel outside"), choice(Confined.INDOORS, "Indoors")],
        default=Confined.PEN.value,
    )
    exits_only_with_help = YesNoField(
        "Does the dog need a person’s help to get out?",
        hint="A porch, a patio, a garage it can leave by itself, an open window or a screen alone is not enough.",
    )
    gives_shelter = YesNoField("Does it protect the dog from the weather?")
    floor_square_feet = MeasureField(
        "Floor, in square feet", unit="square feet", example="32", hint="Length times width: 4 by 8 feet are 32."
    )
    height_feet = MeasureField("Height of the sides, in feet", unit="feet", example="5")
    wire_gauge = MeasureField(
        "Gauge of the wire at the sides", unit="gauge", example="11", hint="A smaller gauge is a thicker wire."
    )
    opening_inches = MeasureField("Widest opening in the sides, in inches", unit="inches", example="2")
    post_inches = MeasureField("Width of the steel posts, in inches", unit="inches", example="1 1/4")
    has_concrete_floor = YesNoField("Does it have a concrete floor?")
    buried_inches = MeasureField("If not: how deep are the posts in the ground, in inches", unit="inches", example="18")
    cover_is_whole = YesNoField("Does a cover close all of the top?")
    cover_gauge = MeasureField("Gauge of the wire of the cover", unit="gauge", example="11")
    cover_opening_inches = MeasureField("Widest opening in the cover, in inches", unit="inches", example="2")
    gate_is_alike = YesNoField("Is the gate made of the same material as the sides?")
    gate_is_locked = YesNoField("Is the gate locked whenever the dog is inside?")


class RestraintForm(EvidenceForm):
    files = PagesField("Photos of the dog with its muzzle and leash", hint=SEVERAL)
    has_muzzle = YesNoField("Does the dog wear a muzzle outside its enclosure?")
    muzzle_is_harmless = YesNoField(
        "Does the muzzle keep it from biting, without hurting it or keeping it from seeing and breathing?"
    )
    leash_feet = MeasureField("Length of the chain or leash, in feet", unit="feet", example="6")
    youngest_handler = MeasureField("How old is the youngest person who walks the dog?", unit="years", example="16")


class SignsForm(EvidenceForm):
    files = PagesField("A photo of the sign at the front", hint="So that it can be read.")
    rear = PagesField("A photo of the sign at the rear", hint="So that it can be read.")
    at_front = YesNoField("Is a sign posted at the front?")
    at_rear = YesNoField("Is a sign posted at the rear?")
    has_symbol = YesNoField("Do both show the symbol that warns children?")


class InsuranceForm(EvidenceForm):
    files = PagesField("The policy or the bond", hint="The page with the amount and the dates.")
    cover = ChoiceField(
        "What is it?",
        [SaysWhen()],
        choices=[choice(Cover.INSURANCE, "Liability insurance"), choice(Cover.BOND, "A surety bond")],
        default=Cover.INSURANCE.value,
    )
    company = TextField("Company", max_length=200)
    is_authorized_in_state = YesNoField("May the company do business in Minnesota?")
    number = TextField(
        "Policy or bond number", max_length=LONGEST_NUMBER, width="medium", spellcheck="false", autocomplete="off"
    )
    amount_cents = MeasureField(
        "Amount for injuries by the dog, in dollars", unit="dollars", example="300,000", width="medium"
    )
    first_day = CivilDateField("First day")
    last_day = CivilDateField("Last day")


class TagForm(EvidenceForm):
    files = PagesField("A photo of the tag on the collar")
    told = LongTextField("Anything the officer should know", max_length=2_000)


class MicrochipForm(NoticingForm, EvidenceForm):
    other_chips: Mapping[str, str]
    """The microchips of their other animals, folded, each with the name of its animal."""

    def __init__(self, *args: Any, other_chips: Mapping[str, str] = NO_CHIPS, **kwargs: Any) -> None:
        self.other_chips = other_chips
        super().__init__(*args, **kwargs)

    files = PagesField("The vet’s paper about the chip", hint="Not needed when you fill in the boxes.")
    maker = TextField("Maker of the chip", max_length=200)
    number = TextField(
        "Number of the chip", max_length=LONGEST_NUMBER, width="medium", spellcheck="false", autocomplete="off"
    )

    def slips(self) -> Iterator[Slip]:
        """A number that is none, or that of another of their animals (90.13(H)(8))."""
        yield from super().slips()
        yield from unlike_a_chip(self.number)
        yield from number_of_another(self.number, self.other_chips)


class PhotographForm(EvidenceForm):
    files = PagesField("A photo of your own", hint="It helps. The officer’s own photograph is still needed.")
    told = LongTextField("When can you come, and where can we call you?", max_length=2_000)


class LandlordForm(EvidenceForm):
    files = PagesField("What you gave your landlord, or their answer", hint="A letter or a message.")
    rents = YesNoField("Do you rent the home where the dog lives?")
    landlord = TextField("If so: the landlord’s name", [SaysWhen()], max_length=200, autocomplete="off")
    told_on = CivilDateField("The day you told them", [SaysWhen()])
    lease_renews_on = CivilDateField("The day the lease is next renewed", [SaysWhen()])


class SterilizationForm(EvidenceForm):
    files = PagesField("The vet’s certificate or bill")
    done_on = CivilDateField("Date of the operation")
    veterinarian = TextField("Veterinarian or clinic", max_length=200)


class CountyForm(EvidenceForm):
    files = PagesField("What the county gave you")
    told = LongTextField("What the county said", max_length=2_000)


_FORMS: dict[Requirement, type[EvidenceForm]] = {
    Requirement.ENCLOSURE: EnclosureForm,
    Requirement.RESTRAINT: RestraintForm,
    Requirement.SIGNS: SignsForm,
    Requirement.INSURANCE: InsuranceForm,
    Requirement.TAG: TagForm,
    Requirement.MICROCHIP: MicrochipForm,
    Requirement.PHOTOGRAPH: PhotographForm,
    Requirement.LANDLORD: LandlordForm,
    Requirement.STERILIZATION: SterilizationForm,
    Requirement.COUNTY: CountyForm,
}
EVIDENCE_FORMS: Mapping[Requirement, type[EvidenceForm]] = MappingProxyType(_FORMS)


def _is_answered(field: Field) -> bool:
    """What was chosen beforehand is no answer yet."""
    return _value(field) not in (None, "", field.default)


def _value(field: Field) -> Any:
    """An answer as the measures take it."""
    return field.value if isinstance(field, MeasureField) else field.data

"""What an officer writes down: demands, stays at the pound, designations."""

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.desk import DecisionForm
from portal.forms.fields import (
    ChoiceField,
    ChoicesField,
    CivilDateField,
    DropdownField,
    LongTextField,
    Needed,
    NotInFuture,
    PhotoField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.numbers import MeasureField
from portal.ordinance.dangerous import GROUNDS_TOLD, Designated
from portal.schema.animals import Sex
from portal.schema.dangerous import NoticeDelivery
from portal.schema.impoundments import ImpoundBasis, ImpoundOutcome, OwnerTold
from portal.schema.notices import Size
from portal.services.payments.give_back import SAY_WHY

NOT_SAID = ""
DELIVERIES = [
    choice(NOT_SAID, "Not yet"),
    choice(NoticeDelivery.HAND, "By hand"),
    choice(NoticeDelivery.MAIL, "By mail"),
    choice(NoticeDelivery.POSTED, "Posted where the dog is kept"),
    choice(NoticeDelivery.RESIDENT, "To somebody who lives there"),
]


class DemandForm(PortalForm, SubmittedOnce):
    demanded_on = CivilDateField("Day of the demand, if it was not today", [SaysWhen(), NotInFuture()])


class ShownForm(DecisionForm):
    shown_on = CivilDateField("Day it was shown, if it was not today", [SaysWhen(), NotInFuture()])


class ImpoundForm(PortalForm, SubmittedOnce):
    basis = ChoiceField(
        "Why is it there?",
        [Needed("Choose why it is there")],
        choices=[
            choice(ImpoundBasis.AT_LARGE, "It ran at large"),
            choice(ImpoundBasis.NO_TAG, "It wore no tag"),
            choice(ImpoundBasis.QUARANTINE, "Quarantine", "Not shown on the public pages."),
            choice(ImpoundBasis.SEIZED, "Seized", "Not shown on the public pages."),
        ],
        default=ImpoundBasis.AT_LARGE.value,
    )
    seized_on = CivilDateField("Day it came, if it was not today", [SaysWhen(), NotInFuture()])
    species = TextField("Species", [Needed("Enter dog, cat, or what it is in a word")], max_length=60, width="medium")
    breed = TextField("Breed", max_length=200)
    color = TextField("Color", max_length=200)
    sex = DropdownField("Sex", choices=[choice(NOT_SAID, "Not known"), *(choice(one, one.capitalize()) for one in Sex)])
    size = DropdownField(
        "Size", choices=[choice(NOT_SAID, "Not known"), *(choice(one, one.capitalize()) for one in Size)]
    )
    age_text = TextField("About how old", max_length=100, width="medium")
    marks = TextField("Other marks, collar", max_length=400)
    place = TextField("Where it was seized, exactly", [Needed("Enter where it was seized")], max_length=400)
    area = TextField("The same as everyone may read it", hint="A block or a park.", max_length=200)
    microchip = TextField("Microchip number", max_length=60, width="medium", spellcheck="false")
    tag_text = TextField("Number on its tag", max_length=60, width="medium")
    from_name = TextField("Who brought it", hint="Never shown by the portal.", max_length=200)
    from_address = TextField("Their address", max_length=400)
    file = PhotoField("A picture of it", accept="image/*,.heic,.heif")


class IdentifyForm(DecisionForm):
    animal = TextField(
        "Its tag, its microchip, or its name with that of its keeper",
        [Needed("Enter its tag, its microchip or its name")],
        max_length=200,
        autocomplete="off",
    )


class ToldForm(DecisionForm):
    how = ChoiceField(
        "How was the owner told?",
        [Needed("Choose how the owner was told")],
        choices=[choice(OwnerTold.PERSONALLY, "Personally"), choice(OwnerTold.MAIL, "By US mail")],
    )
    on = CivilDateField("Day, if it was not today", [SaysWhen(), NotInFuture()])


class ReleaseForm(DecisionForm):
    outcome = ChoiceField(
        "How did it leave?",
        [Needed("Choose how it left")],
        choices=[
            choice(ImpoundOutcome.RECLAIMED, "Its owner took it home"),
            choice(ImpoundOutcome.TRANSFERRED, "Somebody else took it over"),
            choice(ImpoundOutcome.DIED, "It died"),
            choice(ImpoundOutcome.DESTROYED, "It was put down"),
        ],
    )
    on = CivilDateField("Day, if it was not today", [SaysWhen(), NotInFuture()])
    to_name = TextField("Who took it, if it was transferred", [SaysWhen()], max_length=200)
    to_address = TextField("Their address", [SaysWhen()], max_length=400)


class DesignateForm(PortalForm, SubmittedOnce):
    designated = ChoiceField(
        "As what?",
        [Needed("Choose one of the two")],
        choices=[
            choice(Designated.DANGEROUS, "Dangerous"),
            choice(Designated.POTENTIALLY_DANGEROUS, "Potentially dangerous"),
        ],
    )
    grounds = ChoicesField(
        "On what grounds?",
        [Needed("Choose at least one ground")],
        choices=[choice(ground, told.sentence) for ground, told in GROUNDS_TOLD.items()],
    )
    dog = TextField("The dog as the notice describes it", [Needed("Describe the dog")], max_length=400)
    circumstances = LongTextField(
        "Time, place and circumstances, as the notice tells them", hint="Never who was bitten.", max_length=5_000
    )
    noticed_on = CivilDateField("Date on the notice", [Needed("Enter the date on the notice"), NotInFuture()])
    sent_on = CivilDateField("Day it was sent", [SaysWhen(), NotInFuture()])
    received_on = CivilDateField("Day it was received", [SaysWhen(), NotInFuture()])
    delivery = DropdownField("How it was given", choices=DELIVERIES)


class GiveBackForm(DecisionForm):
    amount = MeasureField("How much?", [Needed("Enter the amount, like 10")], unit="dollars", example="10")
    account = ChoiceField(
        "Of which fee?", [SaysWhen()], choices=[], hint="Not needed for all of it, or for more than any one fee."
    )
    why = TextField("Why?", [Needed(SAY_WHY)], max_length=500)

"""What an officer writes down of designated dogs: the days of a notice, another place's word, a seizure."""

from datetime import date

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.desk import DecisionForm
from portal.forms.desk_officer import DELIVERIES, NOT_SAID
from portal.forms.fields import (
    CivilDateField,
    DropdownField,
    Needed,
    NotInFuture,
    PhoneField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.numbers import MeasureField
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.services.refusal import Refused


class StatementForm(DecisionForm):
    """Whether what an owner told of another place is so; then the days count from the city's own notice."""

    noticed_on = CivilDateField("Date on the city’s own notice", [SaysWhen(), NotInFuture()])

    def needed_day(self) -> date:
        """The date on the notice; raises Refused for none."""
        found: date | None = self.noticed_on.data
        if found is None:
            raise Refused([Refusal(Rule.DESIGNATION_NOTICE, "Enter the date on the notice", "noticed_on")])
        return found


class NoticeDatesForm(DecisionForm):
    sent_on = CivilDateField("Day it was sent", [SaysWhen(), NotInFuture()])
    received_on = CivilDateField("Day it was received", [SaysWhen(), NotInFuture()])
    delivery = DropdownField("How it was given", [SaysWhen()], choices=[choice(NOT_SAID, "As it was"), *DELIVERIES[1:]])
    final_on = CivilDateField(
        "Day of the final determination", [SaysWhen(), NotInFuture()], hint="Sterilizing counts from it."
    )


class SeizeForm(PortalForm, SubmittedOnce):
    seized_on = CivilDateField("Day of the seizure", [Needed("Enter the day of the seizure"), NotInFuture()])
    kept_at = TextField("Where is the dog kept?", [Needed("Enter where the dog is kept")], max_length=400)
    contact_name = TextField("Whom to ask there", [Needed("Enter whom to ask there")], max_length=200)
    contact_phone = PhoneField("Their telephone number", [Needed("Enter their telephone number")])
    amount = MeasureField(
        "Security asked, once it is known", [SaysWhen()], unit="dollars", example="200", hint="In dollars."
    )


class SeizureForm(DecisionForm):
    amount = MeasureField("Security asked", [SaysWhen()], unit="dollars", example="200", hint="In dollars.")
    posted_on = CivilDateField("Day it was posted", [SaysWhen(), NotInFuture()])
    reclaim_told_on = CivilDateField("Day the owner heard that they may reclaim it", [SaysWhen(), NotInFuture()])
    released_on = CivilDateField("Day the dog went home", [SaysWhen(), NotInFuture()])

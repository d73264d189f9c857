"""Links for an insurer or a landlord: whom to ask, and what they answer without an account (90.13(H)(5), (H)(13))."""

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.dangerous_evidence import InsuranceForm
from portal.forms.fields import CivilDateField, EmailField, Needed, SaysWhen, TextField, YesNoField
from portal.forms.pages_field import PagesField
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.signature import signature
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_measures import Landlord


class AskLinkForm(PortalForm, SubmittedOnce):
    """A name, and a mailbox if the portal is to send the link."""

    addressee = TextField("Their name", [Needed("Enter a name")], max_length=200, autocomplete="off")
    email = EmailField(
        "Their e‑mail address",
        hint="We send them the link. Without it we show the link, for you to pass on.",
        autocomplete="off",
        max_length=LONGEST_ADDRESS,
    )


class InsurerForm(InsuranceForm):
    """The same questions as the owner's, signed."""

    attested_name = signature()


class CancellationForm(PortalForm, SubmittedOnce):
    """An insurer ends what it has confirmed; the row opens again at once."""

    ends_on = CivilDateField("From which day is there no more cover?", [Needed("Enter the day the cover ends")])


class LandlordAnswerForm(PortalForm, SubmittedOnce):
    """Whether the owner of the property was told."""

    was_told = YesNoField(
        "Were you told that a dog declared dangerous will live on your property?", [Needed("Choose yes or no")]
    )
    told_on = CivilDateField("If so: when?", [SaysWhen()])
    lease_renews_on = CivilDateField("When is the lease next renewed?")
    files = PagesField("A letter, if there is one")
    attested_name = signature()

    def validate_told_on(self, field: CivilDateField) -> None:
        """Only for a yes."""
        if self.was_told.data and field.is_blank:
            raise ValidationError("Enter the day you were told, or about when")

    def measures(self, requirement: Requirement) -> Landlord:
        """What was answered. Whoever says that they were not told names no day, and the row stays unmet."""
        return Landlord(
            rents=True,
            landlord=self.attested_name.data,
            told_on=self.told_on.data if self.was_told.data else None,
            lease_renews_on=self.lease_renews_on.data,
        )

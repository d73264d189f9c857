"""The questions of keeping an animal together, and of answering an invitation to."""

from wtforms import HiddenField

from portal.forms.base import PortalForm
from portal.forms.fields import ChoicesField, ConfirmField, EmailField, Needed
from portal.forms.register import HomeForm, OwnerForm
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.services.households.accept_invitation import NewKeeper


class InviteForm(PortalForm):
    email = EmailField(
        "Their e‑mail address",
        [Needed("Enter the other person’s e-mail address, like name@example.com")],
        max_length=LONGEST_ADDRESS,
        autocomplete="off",
        enterkeyhint="send",
    )


class ShareForm(PortalForm):
    is_shared = ConfirmField("Let them see my name, phone and e‑mail address")


class ChangesRecord:
    """A mixin for what is changed on one's record: what was seen of it before."""

    seen = HiddenField()


class DetailsForm(OwnerForm, ChangesRecord):
    pass


class MoveForm(HomeForm, ChangesRecord):
    animals = ChoicesField("Which animals live with you at this address?", choices=[])


class NewKeeperForm(HomeForm, OwnerForm):
    """Who somebody is that the city does not know yet, and where the animal lives with them."""

    def new_keeper(self) -> NewKeeper:
        """The answers."""
        return NewKeeper(self.owner(), self.home(), is_suspicious=self.is_suspicious)

"""The questions of renewing: which dogs, which year, how the tags come."""

from uuid import UUID

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import ChoiceField, ChoicesField, Needed, choice
from portal.schema.licenses import LicenseBasis

NO_CLAIM = "no"


class RenewForm(SubmittedOnce, PortalForm):
    animals = ChoicesField("Which dogs?", [Needed("Choose at least one dog")], choices=[])
    license_year = ChoiceField("Which license year?", [Needed("Choose a license year")], choices=[])
    delivery = ChoiceField(
        "How would you like to get the tags?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "I’ll pick them up")],
        default="mail",
    )


class RenewAtCounterForm(SubmittedOnce, PortalForm):
    """The same questions, as staff ask them."""

    animals = ChoicesField("Which dogs?", [Needed("Choose at least one dog")], choices=[])
    license_year = ChoiceField("Which license year?", [Needed("Choose a license year")], choices=[])
    delivery = ChoiceField(
        "How do the tags reach them?",
        [Needed("Choose mail or pick-up")],
        choices=[choice("mail", "By mail"), choice("pick_up", "They pick them up")],
        default="mail",
    )
    claimed_as = ChoiceField(
        "Is one of them an assistance or police dog now?",
        choices=[
            choice(NO_CLAIM, "No"),
            choice(
                LicenseBasis.ASSISTANCE_DOG,
                "An assistance dog",
                "It assists somebody who is blind, deaf or physically disabled. No proof is asked for.",
            ),
            choice(LicenseBasis.OTHER_SERVICE_DOG, "Another kind of service dog"),
            choice(LicenseBasis.POLICE_DOG, "A police dog"),
        ],
        default=NO_CLAIM,
        hint="Then no fee is asked for, and an officer looks at it.",
    )
    claimed = ChoicesField("If so, which of them?", choices=[])

    def validate_claimed(self, field: ChoicesField) -> None:
        """What is claimed is claimed for a dog that is renewed; a tick alone claims nothing that could be written."""
        if not self.claims_something:
            if field.data:
                raise ValidationError("Choose above what kind of dog it is, or take the tick away")
            return
        renewed = self.animals.data or []
        if field.is_blank and len(renewed) > 1:
            raise ValidationError("Choose which dog it is")
        if not set(field.data or []) <= set(renewed):
            raise ValidationError("Choose it among the dogs to renew too")

    @property
    def claims_something(self) -> bool:
        return self.claimed_as.data not in (None, "", NO_CLAIM)

    def claims(self) -> dict[UUID, LicenseBasis]:
        """The dogs for which a waiver is claimed; where only one is renewed, that one."""
        if not self.claims_something:
            return {}
        which = (self.claimed and self.claimed.data) or self.animals.data
        return {UUID(chosen): LicenseBasis(self.claimed_as.data) for chosen in which}

"""The one question of checking a license."""

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm
from portal.forms.fields import Needed, TextField
from portal.services.licensing.check_proof import read_proof_code

WHOLE_CODE = "Type all 16 letters and digits of the code, like 7KM2-9XPR-4TQD-H3WN"


class ProofForm(PortalForm):
    """A code may be looked up by anyone, so it travels in the address and the form needs no session."""

    class Meta(PortalForm.Meta):
        csrf = False

    code = TextField(
        "The code on the proof",
        [Needed(WHOLE_CODE)],
        hint="It stands beside the square code, in four groups.",
        max_length=100,
        autocomplete="off",
        autocapitalize="characters",
        spellcheck="false",
        enterkeyhint="search",
    )

    def validate_code(self, field: TextField) -> None:
        """Capitals, dashes and blanks don't count; the number of characters does."""
        if read_proof_code(field.data) is None:
            raise ValidationError(WHOLE_CODE)

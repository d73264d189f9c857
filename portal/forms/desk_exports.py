"""Which file somebody takes away, for which year, and for whom it is written."""

from datetime import date

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm
from portal.forms.fields import ChoiceField, Needed, TextField, choice

FIRST_YEAR = 2000


class YearForm(PortalForm):
    """A year to look at. It travels in the address."""

    class Meta(PortalForm.Meta):
        csrf = False

    year = TextField("Year", [Needed("Enter the year, like 2026")], max_length=4, width="short", inputmode="numeric")

    def validate_year(self, field: TextField) -> None:
        """Four digits, and not before there was a portal."""
        last = (self.today or date.today()).year + 1  # noqa: DTZ011 - every view gives the city's day
        if not (field.data.isascii() and field.data.isdecimal() and FIRST_YEAR <= int(field.data) <= last):
            raise ValidationError("Enter the year with four digits, like 2026")


class ExportForm(YearForm):
    """The feed notes who took it, so the form is posted."""

    class Meta(PortalForm.Meta):
        csrf = True

    what = ChoiceField("Which file?", [Needed("Choose a file")], choices=[])
    shape = ChoiceField(
        "For what?",
        [Needed("Choose for what")],
        choices=[
            choice("spreadsheet", "For a spreadsheet", "Numbers keep their zeros, and no cell can run a formula."),
            choice("machines", "For other software", "Exactly what the database holds."),
        ],
        default="spreadsheet",
    )

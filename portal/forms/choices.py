"""Questions answered by choosing."""

from typing import Any

from wtforms import BooleanField, RadioField, SelectChoice, SelectField, SelectMultipleField
from wtforms.validators import StopValidation
from wtforms.widgets import CheckboxInput, ListWidget

from portal.forms.asking import Asking

ONE_OF_THESE = "Choose one of the answers"


def choice(value: str, label: str, hint: str = "") -> SelectChoice:
    """One answer, with a line that explains it where the label cannot."""
    return SelectChoice(value, label, render_kw={"data-hint": hint} if hint else {})


class ChoiceField(Asking, RadioField):
    """One of a few, as big radio buttons; `choices` is a list of choice(...)."""

    shape = "radios"

    @property
    def first_control_id(self) -> str:
        """The first radio button."""
        return f"{self.id}-0"

    def pre_validate(self, form: Any) -> None:
        """Not answered is for Needed to say; an answer we never offered is asked for again."""
        _refuse_unoffered(self, [self.data])


class DropdownField(Asking, SelectField):
    """One of many, as the browser's own list."""

    shape = "select"

    def pre_validate(self, form: Any) -> None:
        """As for radio buttons."""
        _refuse_unoffered(self, [self.data])


class ChoicesField(Asking, SelectMultipleField):
    """Any of a few, as big check boxes; `data` is a list."""

    shape = "checkboxes"
    widget = ListWidget(prefix_label=False)
    option_widget = CheckboxInput()

    @property
    def is_blank(self) -> bool:
        """Nothing is ticked."""
        return not self.data

    @property
    def first_control_id(self) -> str:
        """The first check box."""
        return f"{self.id}-0"

    def process_formdata(self, valuelist: list[str]) -> None:
        """A blank among them is no answer; browsers send none."""
        super().process_formdata([value for value in valuelist if value])

    def pre_validate(self, form: Any) -> None:
        """As for radio buttons, each of them."""
        _refuse_unoffered(self, self.data or [])


class YesNoField(ChoiceField):
    """Yes or no; `data` is True, False or None. Give `yes` and `no` where bare words could be misread."""

    def __init__(self, *args: Any, yes: str = "Yes", no: str = "No", **kwargs: Any) -> None:
        super().__init__(*args, choices=[choice("yes", yes), choice("no", no)], coerce=_yes_or_no, **kwargs)

    @property
    def has_short_answers(self) -> bool:
        """Whether both fit beside each other on a phone."""
        return all(len(option.label) <= 12 for option in self.choices)

    def pre_validate(self, form: Any) -> None:
        """Anything but the two words reads as not answered."""
        Asking.pre_validate(self, form)


class ConfirmField(Asking, BooleanField):
    """One check box with a statement beside it."""

    shape = "confirm"

    @property
    def is_blank(self) -> bool:
        """Not ticked."""
        return not self.data


def _yes_or_no(value: object) -> bool | None:
    if value in ("yes", True):
        return True
    return False if value in ("no", False) else None


def _refuse_unoffered(field: Any, answers: list[Any]) -> None:
    offered = {field.coerce(option.value) for option in field.iter_choices()}
    if field.process_errors or any(answer not in (None, "") and answer not in offered for answer in answers):
        field.process_errors = []
        field.errors = []
        raise StopValidation(ONE_OF_THESE)

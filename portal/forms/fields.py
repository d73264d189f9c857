"""The controls of the portal's forms. Each says in its error what to do."""

from typing import Any
from uuid import UUID, uuid4

from flask_wtf.file import FileField as WerkzeugFileField
from wtforms import HiddenField, StringField
from wtforms.validators import StopValidation
from wtforms.widgets import EmailInput, TelInput, TextArea, TextInput

from portal.forms.ages import AgeField
from portal.forms.asking import Asking, Needed, NotInFuture, SaysWhen
from portal.forms.choices import ChoiceField, ChoicesField, ConfirmField, DropdownField, YesNoField, choice
from portal.forms.date_field import CivilDateField
from portal.forms.emails import UnreadableEmail, check_email
from portal.forms.phones import PhoneNumber, UnreadablePhone, read_phone
from portal.forms.text import many_lines, one_line

__all__ = [
    "AgeField",
    "ChoiceField",
    "ChoicesField",
    "CivilDateField",
    "CodeField",
    "ConfirmField",
    "DropdownField",
    "EmailField",
    "HoneypotField",
    "LongTextField",
    "Needed",
    "NotInFuture",
    "PhoneField",
    "PhotoField",
    "SaysWhen",
    "SubmissionKeyField",
    "TextField",
    "YesNoField",
    "choice",
]

# What a phone's picker offers; the file's own bytes decide later what it is.
PHOTO_OR_PDF = "image/*,.heic,.heif,application/pdf"


class TextField(Asking, StringField):
    """One line. `data` is always a string, trimmed; limits are generous, since names are."""

    widget = TextInput()

    def __init__(self, *args: Any, max_length: int = 400, **kwargs: Any) -> None:
        self.max_length = max_length
        super().__init__(*args, **kwargs)

    def process_data(self, value: str | None) -> None:
        """Nothing stored shows as an empty box."""
        self.data = value or ""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Keep what a person typed."""
        if valuelist:
            self.data = one_line(str(valuelist[0]))

    def pre_validate(self, form: Any) -> None:
        """Too long is told with both numbers, never cut silently."""
        super().pre_validate(form)
        if len(self.data) > self.max_length:
            raise StopValidation(f"Use {self.max_length:,} characters or fewer. You have {len(self.data):,}.")


class LongTextField(TextField):
    """Several lines."""

    shape = "area"
    widget = TextArea()

    def __init__(self, *args: Any, max_length: int = 20_000, **kwargs: Any) -> None:
        super().__init__(*args, max_length=max_length, **kwargs)

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Keep the line breaks."""
        if valuelist:
            self.data = many_lines(str(valuelist[0]))


class EmailField(TextField):
    """An address, kept as typed: which addresses are one account is not decided here."""

    widget = EmailInput()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        keyboard = {"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false", "inputmode": "email"}
        super().__init__(*args, **{**keyboard, **kwargs})

    def pre_validate(self, form: Any) -> None:
        """Check the shape of an address."""
        super().pre_validate(form)
        try:
            if self.data:
                check_email(self.data)
        except UnreadableEmail as failure:
            raise StopValidation(str(failure)) from failure


class PhoneField(TextField):
    """A number, kept as typed in `data`; `number` has it ready to dial, with its extension."""

    widget = TelInput()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.number: PhoneNumber | None = None
        super().__init__(*args, **{"autocomplete": "tel", "inputmode": "tel", "width": "medium", **kwargs})

    def pre_validate(self, form: Any) -> None:
        """Read the number, or say how to write one."""
        super().pre_validate(form)
        try:
            self.number = read_phone(self.data) if self.data else None
        except UnreadablePhone as failure:
            raise StopValidation(str(failure)) from failure


class CodeField(TextField):
    """The digits of a message, typed or pasted with any blanks and dashes; `data` is the digits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        keyboard = {"autocomplete": "one-time-code", "inputmode": "numeric", "width": "short", "spellcheck": "false"}
        super().__init__(*args, **{**keyboard, **kwargs})

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Drop what people put between digits."""
        super().process_formdata(valuelist)
        self.data = self.data.replace(" ", "").replace("-", "")


class PhotoField(Asking, WerkzeugFileField):
    """A photo or PDF; `data` is the upload or None. `max_bytes` is only told to the page."""

    shape = "file"

    def __init__(self, *args: Any, accept: str = PHOTO_OR_PDF, max_bytes: int | None = None, **kwargs: Any) -> None:
        self.accept, self.max_bytes = accept, max_bytes
        super().__init__(*args, **kwargs)


class SubmissionKeyField(HiddenField):
    """A key made when the page is first drawn and kept while it is corrected; `data` is a UUID."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"default": uuid4, **kwargs})

    def process_formdata(self, valuelist: list[Any]) -> None:
        """A key that is missing or not ours is replaced: nobody loses a form over it."""
        try:
            self.data = UUID(str(valuelist[0])) if valuelist else uuid4()
        except ValueError:
            self.data = uuid4()

    def _value(self) -> str:
        return str(self.data)


class HoneypotField(StringField):
    """A box that people do not see; filled, it marks the form for review and nothing else."""

    shape = "trap"

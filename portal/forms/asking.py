"""What all our controls share: a question, a hint, what to do when it is not answered."""

from typing import Any

from wtforms.fields import Field
from wtforms.validators import StopValidation, ValidationError


class Needed:
    """The question has to be answered. Blanks are no answer; 0 and "no" are."""

    field_flags = {"needed": True}  # noqa: RUF012 - WTForms reads it from the class

    def __init__(self, sentence: str) -> None:
        """`sentence` says what to do, like "Enter your pet’s name"."""
        self.sentence = sentence

    def __call__(self, form: Any, field: Any) -> None:
        """Stop at an empty answer with the sentence."""
        if field.is_blank:
            raise StopValidation(self.sentence)


class SaysWhen:
    """The question's own words say when to answer it: "(optional)" beside them would mislead."""

    field_flags = {"needed": True}  # noqa: RUF012 - WTForms reads it from the class

    def __call__(self, form: Any, field: Any) -> None:
        """Whether it was needed is the form's own affair."""


class Asking(Field):
    """A mixin before a WTForms field: hint and keyboard by name, and links for the error summary."""

    shape = "text"
    width = ""

    def __init__(
        self,
        label: str | None = None,
        validators: Any = None,
        *,
        hint: str = "",
        width: str = "",
        render_kw: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """`width` is "", "medium" or "short"; autocomplete, inputmode and the like become attributes."""
        attributes = {name: kwargs.pop(name) for name in KEYBOARD & kwargs.keys()}
        self.width = width or self.width
        super().__init__(label, validators, description=hint, render_kw={**attributes, **(render_kw or {})}, **kwargs)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was answered."""
        return self.data is None or self.data == ""

    @property
    def first_control_id(self) -> str:
        """Where a link from the error summary lands."""
        return str(self.id)

    def error_links(self) -> list[tuple[str, str]]:
        """Pairs of control id and sentence."""
        return [(self.first_control_id, sentence) for sentence in self.errors]

    def pre_validate(self, form: Any) -> None:
        """What could not be read has said so already; nothing else is asked of it."""
        if self.process_errors:
            raise StopValidation


KEYBOARD = frozenset({"autocomplete", "inputmode", "enterkeyhint", "autocapitalize", "spellcheck", "autocorrect"})


class NotInFuture:
    """A date that has been: "January 4, 2030 is still to come". The form has to know `today`."""

    def __call__(self, form: Any, field: Any) -> None:
        """Compare with the city's date, given to the form."""
        if form.today is None:
            raise LookupError(f"{type(form).__name__} compares with today: create it with today=clock.today()")
        if field.data is not None and field.data > form.today:
            day = field.data
            raise ValidationError(f"{day:%B} {day.day}, {day.year} is still to come. Check the month and the year")

"""What every form of the portal shares: kind failures, one list of problems, a key that makes twice once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from flask import current_app, g, request
from flask_wtf import FlaskForm
from flask_wtf.csrf import _FlaskFormCSRF, validate_csrf
from flask_wtf.form import _Auto
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Field, FieldList, FormField
from wtforms.validators import ValidationError

from portal.forms.fields import HoneypotField, SubmissionKeyField
from portal.services.refusal import Refused

PAGE_TOO_OLD = "This page was open a long time. Nothing is lost: check it and press the button again."


@dataclass(frozen=True)
class Problem:
    """One sentence of the error summary and the id of the control it leads to, if there is one."""

    sentence: str
    control_id: str | None


class SessionToken(_FlaskFormCSRF):
    """The token that ties a page to its reader's session; an old one is no reason to scold anybody."""

    def validate_csrf_token(self, form: FlaskForm, field: Field) -> None:
        """Refuse a missing or foreign token with a sentence that says what to do."""
        if not any(self._is_signed(field.data, key) for key in _keys()):
            raise ValidationError(PAGE_TOO_OLD)
        g.sender_is_known = True  # what lets a POST open a transaction

    def _is_signed(self, token: str | None, key: str) -> bool:
        """Tied to this reader's session by one of the portal's keys: the page may be older than the newest."""
        try:
            validate_csrf(token, key, self.meta.csrf_time_limit, self.meta.csrf_field_name)
        except ValidationError:
            return False
        return True


def _keys() -> tuple[str, ...]:
    return (current_app.config["SECRET_KEY"], *(current_app.config["SECRET_KEY_FALLBACKS"] or ()))


class PortalForm(FlaskForm):
    """A form whose every failure is a sentence beside the control it is about."""

    asked_first: tuple[str, ...] = ()
    """What the page asks before the fields of the forms it is made from, which are declared earlier."""

    class Meta(FlaskForm.Meta):
        """Tokens last as long as the session does: people are called away from long forms."""

        csrf_class = SessionToken
        csrf_time_limit = None

        def wrap_formdata(self, form: FlaskForm, formdata: Any) -> Any:
            """What was posted; at the desk, what was typed before a lost sign-in, and the files that came with it.

            Never JSON, which Flask-WTF would read too: no page sends any, and it need not be names and values.
            """
            if formdata is not _Auto:
                return super().wrap_formdata(form, formdata)
            posted = None if request.is_json else super().wrap_formdata(form, formdata)
            if posted is None:
                return g.get("kept_fields")
            files = g.get("kept_files")
            return CombinedMultiDict([request.files, files, request.form]) if files else posted

    def __init__(self, *args: Any, today: date | None = None, **kwargs: Any) -> None:
        """`today` is the city's date, for the validators that compare with it."""
        self.today = today
        self.form_errors: list[str] = []
        super().__init__(*args, **kwargs)

    def refuse(self, field_name: str | None, sentence: str) -> None:
        """Put a service's refusal beside its control, or above the form when it is about no single one."""
        field = self._fields.get(field_name) if field_name else None
        if field is None:
            self.form_errors = [*self.form_errors, sentence]
            return
        field.errors = [*field.errors, sentence]

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Around a service: what it refuses stands beside the answers it is about, all of it at once."""
        try:
            yield
        except Refused as refused:
            for refusal in refused.refusals:
                self.refuse(refusal.field, refusal.sentence)

    @property
    def problems(self) -> list[Problem]:
        """Everything wrong in the page's order, what concerns the whole form first; the rest leads to its control."""
        found = [Problem(sentence, None) for sentence in self.form_errors]
        found += [problem for field in sorted(self, key=self._place) for problem in _problems_of(field)]
        return sorted(found, key=lambda problem: problem.control_id is not None)

    def _place(self, field: Field) -> int:
        """Those that are asked first in their order; the others stay as they are."""
        name = field.short_name
        return self.asked_first.index(name) if name in self.asked_first else len(self.asked_first)

    @property
    def is_suspicious(self) -> bool:
        """True when something that fills every box filled this one: for review, never a refusal."""
        return any(isinstance(field, HoneypotField) and field.data for field in self)


class SubmittedOnce:
    """A mixin for forms that create something: the same key a second time gets the first answer again."""

    submission_key = SubmissionKeyField()

    @property
    def key(self) -> UUID:
        """The submission's own key."""
        key: UUID = self.submission_key.data
        return key


class SpamTrapped:
    """A mixin for forms that anybody may send: one box that no person sees."""

    second_subject = HoneypotField("Leave this box empty")


def _problems_of(field: Field) -> Iterator[Problem]:
    if isinstance(field, FormField):
        for inner in field.form:
            yield from _problems_of(inner)
    elif isinstance(field, FieldList):
        for entry in field.entries:
            yield from _problems_of(entry)
    elif hasattr(field, "error_links"):
        yield from (Problem(sentence, control_id) for control_id, sentence in field.error_links())
    else:
        yield from (Problem(sentence, None) for sentence in field.errors)

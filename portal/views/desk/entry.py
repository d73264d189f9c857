"""What a page of something that staff write down says around its questions (desk/entry.html)."""

from dataclasses import dataclass

from flask import render_template
from flask.typing import ResponseReturnValue

from portal.forms.base import PortalForm
from portal.services.desk.seen import Happened

AS_IT_WAS = "What is left empty stays as it was."


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Heading, what it is about, the section it is done under, and what the button says."""

    heading: str
    back: str
    back_label: str
    button: str
    rule: str | None = None
    rules_too: tuple[str, ...] = ()
    """Other sections that the notes are about."""
    rows: tuple[dict[str, object], ...] = ()
    notes: tuple[str, ...] = ()
    has_file: bool = False
    stopped: tuple[str, ...] = ()
    """Why it can't be done, whatever is answered: then nothing is asked."""
    happened: Happened | None = None
    """What somebody else did, for the second of two."""


def entry_page(form: PortalForm, entry: Entry) -> ResponseReturnValue:
    """The page; 409 for the second of two, 422 with mistakes."""
    has_changed = getattr(form, "has_changed", False)
    status = 409 if has_changed else 422 if form.is_submitted() and form.problems else 200
    return render_template("desk/entry.html", form=form, entry=entry, is_error=status == 409), status

"""Filling in the forms of a page quickly: the load shares two cores with the portal, so there is no real parser."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
CONTROL = re.compile(r"<(input|textarea|select|button)\b([^>]*)>([^<]*)", re.DOTALL)
ATTRIBUTE = re.compile(r"([\w-]+)(?:=\"([^\"]*)\"|='([^']*)')?")
TICKED = ("radio", "checkbox")
UNSENT = ("file", "submit", "button")
FIRST = "the first that is offered"

Upload = tuple[str, bytes]  # the sender's name for it, and the content


@dataclass
class Form:
    """Where a form leads and what stands in it."""

    action: str
    is_multipart: bool
    offered: dict[str, list[str]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)

    def asks(self, name: str) -> bool:
        return name in self.offered or f"{name}-month" in self.offered

    def filled(self, answers: Mapping[str, object], button: str) -> list[tuple[str, str | Upload]]:
        """What a browser would send."""
        sent: dict[str, str | Upload] = dict(self.values)
        for name, answer in answers.items():
            if isinstance(answer, date):
                sent |= {f"{name}-{part}": str(getattr(answer, part)) for part in ("month", "day", "year")}
            elif answer == FIRST:
                sent[name] = self.offered[name][0]
            else:
                sent[name] = answer if isinstance(answer, tuple) else str(answer)
        name, value = self.buttons.get(button, ("", ""))
        return [*sent.items(), (name, value)] if name else list(sent.items())


def forms_of(page: str) -> list[Form]:
    """Every form of a page."""
    return [_form(_attributes(found[1]), found[2]) for found in FORM.finditer(page)]


def chosen(forms: list[Form], names: Mapping[str, object], button: str) -> Form | None:
    """The form that has the button and asks all of it."""
    fitting = [form for form in forms if not button or button in form.buttons]
    return next((form for form in fitting if all(form.asks(name) for name in names)), None)


def _form(own: dict[str, str], inside: str) -> Form:
    form = Form(own.get("action", ""), own.get("enctype") == "multipart/form-data")
    for kind, written, after in CONTROL.findall(inside):
        attributes = _attributes(written)
        name, value = attributes.get("name", ""), attributes.get("value", "")
        type_ = attributes.get("type", "text")
        if kind == "button":
            form.buttons[html.unescape(" ".join(after.split()))] = (name, value)
        elif name:
            form.offered.setdefault(name, []).append(value)
            is_ticked = "checked" in attributes
            if kind == "textarea":
                form.values[name] = html.unescape(after.removeprefix("\n"))
            elif kind == "input" and (is_ticked if type_ in TICKED else type_ not in UNSENT):
                form.values[name] = value
    return form


def _attributes(written: str) -> dict[str, str]:
    return {name: html.unescape(double or single) for name, double, single in ATTRIBUTE.findall(written)}

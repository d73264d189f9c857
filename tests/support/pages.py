"""A page as a person meets it: title, heading, sentences, links, and forms to be filled in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, cast
from xml.etree.ElementTree import Element

import html5lib

Upload = tuple[bytes, str]  # content and the sender's name for it
TICKED = ("radio", "checkbox")
NOT_SENT_BY_THEMSELVES = ("file", "submit", "image", "button", "reset")
SILENT = ("script", "style", "template", "title")


@dataclass(frozen=True)
class Parsed:
    """A document as a browser reads it, and what it had to guess about."""

    document: Element
    mistakes: list[str]


def parsed(html: str) -> Parsed:
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    document = cast(Element, parser.parse(html))
    mistakes = [f"{code} {details or ''} at line {place[0]}" for place, code, details in parser.errors]
    return Parsed(document, mistakes)


def words(element: Element | None) -> str:
    """The text of an element, its blanks made single."""
    return " ".join(" ".join(_texts(element)).split()) if element is not None else ""


def joined(element: Element | None) -> str:
    """The same without a blank between neighbors: `<strong>Pep</strong>per` is one word."""
    return " ".join("".join(_texts(element)).split()) if element is not None else ""


def _texts(element: Element) -> Iterable[str]:
    if isinstance(element.tag, str) and element.tag not in SILENT:
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield child.tail or ""


@dataclass
class Form:
    """A form of a page, with what stands in it."""

    element: Element
    controls: dict[str, list[Element]] = field(init=False)

    def __post_init__(self) -> None:
        self.controls = {}
        for control in self.element.iter():
            if control.tag in ("input", "select", "textarea", "button") and control.get("name"):
                self.controls.setdefault(control.attrib["name"], []).append(control)

    @property
    def action(self) -> str:
        return self.element.get("action", "")

    @property
    def is_posted(self) -> bool:
        return self.element.get("method", "get").lower() == "post"

    @property
    def is_multipart(self) -> bool:
        return self.element.get("enctype") == "multipart/form-data"

    @property
    def buttons(self) -> dict[str, Element]:
        """The buttons by what they say."""
        return {words(button): button for button in self.element.iter("button") if button.get("type") != "button"}

    @property
    def values(self) -> dict[str, list[str]]:
        """What a browser would send if nobody touched the form."""
        found = {name: _untouched(controls) for name, controls in self.controls.items()}
        return {name: values for name, values in found.items() if values}

    def filled(self, answers: Mapping[str, Any], *, button: str | None) -> dict[str, list[str | Upload]]:
        """What is sent with these answers; an answer to a question that is not on the form is a mistake of the test."""
        sent: dict[str, list[str | Upload]] = {name: list(values) for name, values in self.values.items()}
        for name, answer in answers.items():
            for part, value in self._parts(name, answer):
                sent[part] = self._answered(part, value)
        pressed = self.buttons[button] if button else next(iter(self.buttons.values()), None)
        if pressed is not None and pressed.get("name"):
            sent[pressed.attrib["name"]] = [pressed.get("value", "")]
        return sent

    def _parts(self, name: str, answer: Any) -> list[tuple[str, Any]]:
        """A date fills three boxes."""
        if isinstance(answer, date) and name not in self.controls:
            return [(f"{name}-{part}", getattr(answer, part)) for part in ("month", "day", "year")]
        return [(name, answer)]

    def _answered(self, name: str, answer: Any) -> list[str | Upload]:
        assert name in self.controls, f"there is no “{name}” on the page, only {sorted(self.controls)}"
        controls = self.controls[name]
        kind = controls[0].get("type")
        if kind == "file":
            chosen = answer if isinstance(answer, list) else [answer]
            return [(one.read_bytes(), one.name) if isinstance(one, Path) else one for one in chosen]
        if isinstance(answer, bool) and kind == "checkbox":
            return [controls[0].get("value", "on")] if answer else []
        values = [str(value) for value in (answer if isinstance(answer, list | tuple) else [answer])]
        if offered := _offered(controls):
            assert set(values) <= offered, f"“{name}” offers {sorted(offered)}, not {values}"
        return list(values)


def _offered(controls: list[Element]) -> set[str]:
    """The values one can choose; nothing when one types."""
    if controls[0].tag == "select":
        return {option.get("value", words(option)) for option in controls[0].iter("option")}
    if controls[0].get("type") in TICKED:
        return {control.get("value", "on") for control in controls}
    return set()


def _untouched(controls: list[Element]) -> list[str]:
    values = []
    for control in controls:
        kind = control.get("type", "text")
        if control.tag == "textarea":
            values.append((control.text or "").removeprefix("\n"))
        elif control.tag == "select":
            options = list(control.iter("option"))
            chosen = [option for option in options if option.get("selected") is not None] or options[:1]
            values += [option.get("value", words(option)) for option in chosen]
        elif kind in TICKED and control.get("checked") is not None:
            values.append(control.get("value", "on"))
        elif control.tag == "input" and kind not in (*TICKED, *NOT_SENT_BY_THEMSELVES):
            values.append(control.get("value", ""))
    return values


@dataclass
class Page:
    """An answer of the portal, read as a page."""

    path: str
    status: int
    html: str
    headers: Mapping[str, str]

    @cached_property
    def parsed(self) -> Parsed:
        return parsed(self.html)

    @property
    def document(self) -> Element:
        return self.parsed.document

    @property
    def title(self) -> str:
        title = next(self.document.iter("title"), None)
        return " ".join((title.text or "").split()) if title is not None else ""

    @property
    def h1(self) -> str:
        return joined(self.document.find(".//h1"))

    @property
    def text(self) -> str:
        """Everything in the page's main part, on one line."""
        return joined(self.main)

    @property
    def main(self) -> Element:
        found = self.document.find(".//main")
        return found if found is not None else self.document

    @property
    def errors(self) -> list[str]:
        """The sentences of the error summary."""
        summary = next(iter(self.by_class("error-summary")), None)
        return [joined(item) for item in summary.iter("li")] if summary is not None else []

    @property
    def links(self) -> dict[str, str]:
        """Where the links of the page's main part lead, by what they say."""
        return {joined(link): link.attrib["href"] for link in self.main.iter("a") if link.get("href")}

    @property
    def forms(self) -> list[Form]:
        return [Form(element) for element in self.document.iter("form")]

    @property
    def values(self) -> dict[str, list[str]]:
        """What stands in the page's forms."""
        return {name: values for form in self.forms for name, values in form.values.items()}

    def form(self, *, button: str | None, names: Iterable[str] = ()) -> Form:
        """The form with that button, else the first one that asks what is to be answered."""
        inside = [Form(element) for element in self.main.iter("form")] or self.forms
        if button:
            inside = [form for form in inside if button in form.buttons]
        wanted = [form for form in inside if all(_asks(form, name) for name in names)] or inside
        assert wanted, f"no form to send on {self.path} “{self.h1}”" + (f" with a button “{button}”" if button else "")
        return wanted[0]

    def by_class(self, name: str) -> list[Element]:
        return [one for one in self.document.iter() if name in one.get("class", "").split()]


def _asks(form: Form, name: str) -> bool:
    return name in form.controls or f"{name}-month" in form.controls

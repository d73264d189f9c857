"""What every page must keep to. Each page that any test looks at, in whatever way, is checked."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import pytest
from flask import Flask, Response, request

from tests.support.html_validation import HtmlValidator, html_validator
from tests.support.pages import Page, joined

ENDS_WITH = " - City of Benson Animals"
ERROR = "Error: "
NO_PAGE = (204, 301, 302, 303, 304, 307, 308)
CONTROLS = ("input", "select", "textarea")
NO_LABEL_NEEDED = ("hidden", "submit", "button", "image", "reset")
POINTERS = ("for", "aria-describedby", "aria-labelledby", "aria-controls", "aria-owns", "list")
REQUESTS = ("hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete")


@dataclass
class PageChecker:
    """Checks pages one by one, and those that an application gave to anybody else all at once."""

    validator: HtmlValidator
    unchecked: list[Page] = field(default_factory=list)

    def watch(self, app: Flask) -> Flask:
        """Note every page the application answers with."""
        app.after_request(self._note)
        return app

    def check(self, page: Page) -> None:
        """Fail with everything that is wrong with the page."""
        self.unchecked = [other for other in self.unchecked if other.html != page.html]
        faults = [*faults_of(page), *self.validator.faults(page.html)]
        assert not faults, f"the page {page.path} “{page.h1}” ({page.status}): " + "; ".join(faults)

    def check_rest(self) -> None:
        """Check what was noted and not looked at yet."""
        while self.unchecked:
            self.check(self.unchecked[-1])

    def _note(self, response: Response) -> Response:
        if response.mimetype == "text/html" and response.status_code not in NO_PAGE:
            html = response.get_data(as_text=True)
            self.unchecked.append(Page(request.full_path.rstrip("?"), response.status_code, html, response.headers))
        return response


def faults_of(page: Page) -> list[str]:
    """Everything that is wrong with a page."""
    checks = (_grammar, _heading, _references, _labels, _scripts, _doors)
    return [fault for check in checks for fault in check(page)]


@pytest.fixture(scope="session")
def page_checker() -> Iterator[PageChecker]:
    """Checks a page: `page_checker.check(page)`."""
    with html_validator() as validator:
        yield PageChecker(validator)


def _grammar(page: Page) -> Iterator[str]:
    """No mistake that a browser would have to guess about."""
    yield from (f"HTML: {mistake}" for mistake in page.parsed.mistakes)
    if not page.document.get("lang"):
        yield "it does not say its language"


def _heading(page: Page) -> Iterator[str]:
    """One heading of the first rank; the title begins with it, so that tabs and screen readers tell pages apart."""
    headings = [joined(heading) for heading in page.document.iter("h1")]
    if len(headings) != 1:
        yield f"it has {len(headings)} h1: {headings}"
        return
    title = re.sub(r" \(optional\)$", "", headings[0])
    has_failed = page.status >= 400
    if page.title != f"{ERROR if has_failed else ''}{title}{ENDS_WITH}":
        yield f"its title is “{page.title}”, its heading “{title}”"


def _references(page: Page) -> Iterator[str]:
    """Ids are there once, and whatever is pointed at is there."""
    ids = Counter(one.attrib["id"] for one in page.document.iter() if one.get("id") is not None)
    yield from (f"the id “{name}” is there {times} times" for name, times in ids.items() if times > 1)
    for one in page.document.iter():
        targets = [name for pointer in POINTERS for name in one.get(pointer, "").split()]
        if (href := one.get("href", "")).startswith("#"):
            targets.append(href[1:])
        yield from (f"<{one.tag}> points at #{name}, which is not there" for name in targets if name not in ids)


def _labels(page: Page) -> Iterator[str]:
    """Every control has a visible name of its own."""
    labelled = {label.get("for") for label in page.document.iter("label") if joined(label)}
    inside = {id(one) for label in page.document.iter("label") for one in label.iter()}
    for control in page.document.iter():
        if control.tag not in CONTROLS or control.get("type") in NO_LABEL_NEEDED:
            continue
        if control.get("id") not in labelled and id(control) not in inside and not control.get("aria-label"):
            yield f"{_named(control)} has no label"


def _scripts(page: Page) -> Iterator[str]:
    """Nothing in the page runs or is styled in place: the policy would block it."""
    for one in page.document.iter():
        if one.tag == "style" or (one.tag == "script" and not one.get("src")):
            yield f"there is a <{one.tag}> in the page"
        for name, value in one.attrib.items():
            if name.startswith(("on", "hx-on")) or name == "style" or value.strip().lower().startswith("javascript:"):
                yield f"{_named(one)} has {name}=“{value}”"


def _doors(page: Page) -> Iterator[str]:
    """Whatever htmx does works without it."""
    parents = {child: parent for parent in page.document.iter() for child in parent}
    for one in page.document.iter():
        if not any(name in one.attrib or f"data-{name}" in one.attrib for name in REQUESTS):
            continue
        if one.tag == "a" and one.get("href"):
            continue
        if not _is_in_form(one, parents):
            yield f"{_named(one)} works with htmx alone"


def _is_in_form(element: Element | None, parents: dict[Element, Element]) -> bool:
    while element is not None:
        if element.tag == "form":
            return True
        element = parents.get(element)
    return False


def _named(element: Element) -> str:
    return f"<{element.tag} name={element.get('name')} id={element.get('id')}>"

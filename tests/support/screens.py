"""A person at a real browser: answers are given, buttons pressed, and whatever the browser complains about is kept."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.support.outbox import Outbox

ANSWERED_BADLY = "Failed to load resource: the server responded with a status of "
NO_NETWORK = "Failed to load resource: net::ERR_"
SECONDS = 100  # a browser that has to share two slow cores
MOST_TABS = 120
WHERE_THE_FOCUS_IS = """() => {
  const { id, name, value, innerText } = document.activeElement;
  const shown = document.activeElement.closest(".choice") ?? document.activeElement;
  const edges = [document.activeElement, shown].map((one) => getComputedStyle(one));
  const isSeen = edges.some((edge) => edge.outlineStyle !== "none" && parseFloat(edge.outlineWidth) > 0);
  return { tag: document.activeElement.tagName, id, name, value, words: innerText, isSeen };
}"""
LEFT = "data-left"
LEAVE = f"(headings) => headings.forEach((one) => one.setAttribute('{LEFT}', ''))"
THE_SCRIPT_IS_HERE = "() => document.documentElement.dataset.script !== 'coming'"


@dataclass
class Screen:
    """A browser of its own, used with a finger or a mouse."""

    page: Page
    origin: str
    outbox: Outbox
    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(SECONDS * 1000)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{self.path}: {error}"))

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.origin)

    @property
    def focused(self) -> Locator:
        return self.page.locator(":focus")

    def visit(self, path: str) -> "Screen":
        self.page.goto(self.origin + path)
        return self.settle()

    def answer(self, answers: dict[str, Any] | None = None, **more: Any) -> "Screen":
        """Fill in what the page asks: text, date, choice, tick or file."""
        for name, value in {**(answers or {}), **more}.items():
            if isinstance(value, date):
                for part in ("month", "day", "year"):
                    self.type(self.control(f"{name}-{part}"), str(getattr(value, part)))
            else:
                self._answer_one(name, value)
        return self

    def press(self, button: str, *, leads_to: str | re.Pattern[str] | None = None) -> "Screen":
        """Press a button; then wait for the page whose heading is `leads_to`, even if it is the heading of this one."""
        target = self.page.get_by_role("button", name=button, exact=True)
        if leads_to is None:
            self.use(target)
            return self
        return self._leave_by(target, leads_to)

    def follow(self, link: str, *, leads_to: str | re.Pattern[str]) -> "Screen":
        """Follow a link by its words."""
        return self._leave_by(self.page.locator("main").get_by_role("link", name=link, exact=True).first, leads_to)

    def arrive(self, heading: str | re.Pattern[str]) -> "Screen":
        """Wait until the page with this heading is there."""
        expect(self.page.locator("h1")).to_have_text(heading)
        return self.settle()

    def _leave_by(self, target: Locator, leads_to: str | re.Pattern[str]) -> "Screen":
        """The heading that is here now does not count: the next page may have the same."""
        target.wait_for()
        self.page.locator("h1").evaluate_all(LEAVE)
        self.use(target)
        expect(self.page.locator(f"h1:not([{LEFT}])")).to_have_text(leads_to)
        return self.settle()

    def settle(self) -> "Screen":
        """Wait until the page is whole, and its script too where script runs."""
        self.page.wait_for_load_state("load")
        self.page.wait_for_function(THE_SCRIPT_IS_HERE)
        return self

    def is_told(self, *sentences: str) -> "Screen":
        """Wait for the error summary with these sentences; with none, for any."""
        problems = self.page.locator(".error-summary li")
        if sentences:
            expect(problems).to_have_text(list(sentences))
        else:
            expect(problems.first).to_be_visible()
        return self

    def value(self, name: str) -> str:
        return self.control(name).input_value()

    def control(self, name: str, value: str | None = None) -> Locator:
        chosen = f'[value="{value}"]' if value is not None else ""
        return self.page.locator(f'main [name="{name}"]{chosen}')

    @contextmanager
    def complaining(self, *starts: str) -> Iterator[None]:
        """The browser is right to say this meanwhile."""
        self.expected = [*self.expected, *starts]
        yield
        self.expected = self.expected[: -len(starts)]

    def use(self, target: Locator) -> None:
        target.click()

    def type(self, control: Locator, words: str) -> None:
        control.fill(words)

    def choose(self, option: Locator) -> None:
        """The whole box around it takes the finger."""
        if not option.is_checked():
            option.locator("xpath=..").click()
        expect(option).to_be_checked()

    def choose_file(self, control: Locator, file: Path) -> None:
        control.set_input_files(file)

    def _answer_one(self, name: str, value: Any) -> None:
        control = self.control(name)
        tag, kind = control.first.evaluate("(one) => [one.tagName, one.type]")
        if kind == "file":
            self.choose_file(control, value)
        elif kind == "radio":
            self.choose(self.control(name, str(value)))
        elif kind == "checkbox":
            self.choose(control)
        elif tag == "SELECT":
            control.select_option(str(value))
        else:
            self.type(control, str(value))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if message.text.startswith(tuple(self.expected)):
            return
        if (status := message.text.removeprefix(ANSWERED_BADLY)) != message.text and status.startswith("422"):
            return
        self.complaints.append(f"{self.path}: {message.text} ({message.location.get('url')})")


@dataclass
class Keyboard(Screen):
    """The same without a mouse: Tab, arrows, Space and Enter, and the focus can be seen all the way."""

    def __post_init__(self) -> None:
        super().__post_init__()
        # Playwright asks for the browser's file dialog when somebody first listens for it, and does not wait until it
        # has it: a key that is pressed at once can open the dialog for nobody.
        self.page.on("filechooser", lambda _chooser: None)

    def use(self, target: Locator) -> None:
        self._tab_to(target)
        self.page.keyboard.press("Enter")

    def type(self, control: Locator, words: str) -> None:
        self._tab_to(control)
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.type(words)

    def choose(self, option: Locator) -> None:
        """Tab reaches one of a group of radio buttons; the arrows reach the others."""
        self._tab_to(option, to_its_group=True)
        for _ in range(20):
            if option.evaluate("(one) => one === document.activeElement"):
                break
            self.page.keyboard.press("ArrowDown")
        if not option.is_checked():
            self.page.keyboard.press("Space")
        expect(option).to_be_checked()

    def choose_file(self, control: Locator, file: Path) -> None:
        self._tab_to(control)
        with self.page.expect_file_chooser() as chooser:
            self.page.keyboard.press("Enter")
        chooser.value.set_files(file)

    def _tab_to(self, target: Locator, *, to_its_group: bool = False) -> None:
        is_there = "(one) => one === document.activeElement"
        if to_its_group:
            is_there = "(one) => one.name === document.activeElement.name && one.form === document.activeElement.form"
        target.wait_for()
        for _ in range(MOST_TABS):
            if target.evaluate(is_there):
                return
            self.page.keyboard.press("Tab")
            found = self.page.evaluate(WHERE_THE_FOCUS_IS)
            if found["tag"] != "BODY" and not found["isSeen"]:
                self.complaints.append(f"{self.path}: the focus can't be seen on {found}")
        raise AssertionError(f"Tab does not reach {target} on {self.path}")


def keys(screen: Screen, *pressed: str) -> Screen:
    """Somebody presses these keys, one after the other."""
    for key in pressed:
        screen.page.keyboard.press(key)
    return screen

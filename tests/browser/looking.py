"""Looking closely at a page: axe-core's rules for WCAG 2.2 AA, and nothing wider than the narrowest screen.

With PORTAL_SCREENSHOTS set to a folder, each page looked at is also drawn there, at 390 and at 1280 pixels.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, expect

from portal.cli.operations.assets import PORTAL
from tests.support.screens import Screen

AXE = (PORTAL / "static/node_modules/axe-core/axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ASK_AXE = """async (rules) => {
  const found = await axe.run(document, { runOnly: { type: "tag", values: rules }, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary.replace(/\\s+/g, " ")}`));
}"""
# 1280 pixels at 400 % are 320 wide and 256 high (WCAG 1.4.10); a small phone is as wide.
NARROW = {"width": 320, "height": 256}
WHAT_STICKS_OUT = """() => {
  const edge = document.documentElement.clientWidth;
  const { scrollWidth } = document.scrollingElement;
  const found = scrollWidth > edge ? [`scrolls to ${scrollWidth}`] : [];
  for (const one of document.querySelectorAll("body *")) {
    if (one.closest(".unseen, .trap, .usa-skipnav, script, option, svg, table")) continue;
    const { left, right, width } = one.getBoundingClientRect();
    const isBox = getComputedStyle(one).overflowX !== "visible" && !one.matches("input, textarea, select");
    const isCut = isBox && one.scrollWidth > one.clientWidth + 1;
    if (width && (right > edge + 1 || left < -1 || isCut)) found.push(one.outerHTML.slice(0, 120));
  }
  return found;
}"""
# What a screen reader says of the control that has the focus, its group included.
WHERE_A_LINK_LANDED = """() => {
  const one = document.activeElement;
  const group = one.closest("fieldset");
  const ids = [one, group].flatMap((part) => (part?.getAttribute("aria-describedby") ?? "").split(" "));
  const said = ids.map((id) => document.getElementById(id)?.innerText ?? "").join(" ");
  const controls = [...(group ?? one.closest(".field"))?.querySelectorAll("input, select, textarea") ?? []];
  const wrong = controls.filter((control) => control.getAttribute("aria-invalid"));
  const { top, bottom } = one.getBoundingClientRect();
  const isInView = top >= 0 && bottom <= innerHeight;
  return { id: one.id, said, isFirst: (wrong[0] ?? controls[0]) === one, isInView };
}"""
WIDE = {"width": 1280, "height": 800}


@dataclass
class Gallery:
    """The pages looked at, and what was wrong with each."""

    folder: Path | None = field(default_factory=lambda: _folder())
    looks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def look(self, screen: Screen, name: str) -> Screen:
        """Look at the page on the screen as it is now."""
        page = screen.page
        screen.settle()
        self.looks.append(name)
        self.faults += [f"{name} ({screen.path}): {fault}" for fault in _axe(page)]
        phone = page.viewport_size
        assert phone is not None
        if self.folder:
            self._draw(page, name, phone)
        page.set_viewport_size(NARROW)
        self.faults += [f"{name} ({screen.path}) at 320 px: {fault}" for fault in page.evaluate(WHAT_STICKS_OUT)]
        page.set_viewport_size(phone)
        return screen

    def look_at_mistakes(self, screen: Screen, name: str, *, button: str = "Continue") -> Screen:
        """Send the page with nothing in it, and look at what comes back (X1)."""
        clear_boxes(screen)
        screen.press(button).is_told()
        self.faults += [f"{name} ({screen.path}) with mistakes: {fault}" for fault in _summary_faults(screen)]
        return self.look(screen, f"{name}-with-mistakes")

    def _draw(self, page: Page, name: str, phone: dict[str, int]) -> None:
        assert self.folder is not None
        for size in (phone, WIDE):
            page.set_viewport_size(size)
            page.screenshot(path=self.folder / f"{name}-{size['width']}.png", full_page=True)


def _axe(page: Page) -> list[str]:
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE)
    return page.evaluate(ASK_AXE, RULES)


def clear_boxes(screen: Screen) -> None:
    """Take out what stands in the boxes beforehand."""
    for box in screen.page.locator("main input[type=text]:visible, main input[type=email]:visible").all():
        box.fill("")


def _summary_faults(screen: Screen) -> Iterator[str]:
    """Title, focus, and each link of the summary to a control that is marked as wrong."""
    page = screen.page
    expect(page).to_have_title(re.compile("^Error: "))
    expect(page.locator(".error-summary")).to_be_focused()
    for link in page.locator(".error-summary a").all():
        sentence = link.inner_text()
        link.click()
        landed = page.evaluate(WHERE_A_LINK_LANDED)
        if landed["id"] != (link.get_attribute("href") or "").removeprefix("#"):
            yield f"the link “{sentence}” leads to {landed}"
        if sentence not in landed["said"]:
            yield f"“{sentence}” is not tied to its control, which says “{landed['said']}”"
        if not landed["isFirst"]:
            yield f"“{sentence}” leads past the first control of its question"
        if not landed["isInView"]:
            yield f"“{sentence}” leads to a control that is out of sight"


def _folder() -> Path | None:
    named = os.environ.get("PORTAL_SCREENSHOTS")
    if not named:
        return None
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

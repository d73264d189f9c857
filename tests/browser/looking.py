"""Looking closely at a page: axe-core's rules for WCAG 2.2 AA, and nothing wider than the narrowest screen.

With PORTAL_SCREENSHOTS set to a folder, each page looked at is also drawn there, at 390 and at 1280 pixels.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from portal.cli.assets import PORTAL
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
  const found = document.scrollingElement.scrollWidth > edge ? [`scrolls to ${document.scrollingElement.scrollWidth}`] : [];
  for (const one of document.querySelectorAll("body *")) {
    if (one.closest(".unseen, .trap, .usa-skipnav, script, option, svg, table")) continue;
    const { left, right, width } = one.getBoundingClientRect();
    const { overflowX } = getComputedStyle(one);
    const isCut = overflowX !== "visible" && !one.matches("input, textarea, select") && one.scrollWidth > one.clientWidth + 1;
    if (width && (right > edge + 1 || left < -1 || isCut)) found.push(one.outerHTML.slice(0, 120));
  }
  return found;
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
        page.wait_for_load_state("load")
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

    def _draw(self, page: Page, name: str, phone: dict[str, int]) -> None:
        assert self.folder is not None
        for size in (phone, WIDE):
            page.set_viewport_size(size)
            page.screenshot(path=self.folder / f"{name}-{size['width']}.png", full_page=True)


def _axe(page: Page) -> list[str]:
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE)
    return page.evaluate(ASK_AXE, RULES)


def _folder() -> Path | None:
    named = os.environ.get("PORTAL_SCREENSHOTS")
    if not named:
        return None
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

"""A person at a browser without scripts, over HTTP: what `tests.support.people.Person` is inside one process."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests

from tests.support.pages import Page


@dataclass
class Walker:
    """Visits pages and sends their forms; `url` is the process that answers."""

    url: str
    browser: requests.Session = field(default_factory=requests.Session)
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.browser.trust_env = False

    @property
    def path(self) -> str:
        return self.page.path

    def visit(self, path: str) -> "Walker":
        return self._arrived(self.browser.get(self.url + path, timeout=30))

    def submit(self, answers: dict[str, Any] | None = None, *, button: str | None = None, **more: Any) -> "Walker":
        """Fill in the page's form and press its button: the first, or the one that says `button`."""
        answers = {**(answers or {}), **more}
        form = self.page.form(button=button, names=answers)
        sent, address = form.filled(answers, button=button), self.url + (form.action or self.page.path)
        if not form.is_posted:
            return self._arrived(self.browser.get(address, params=sent, timeout=30))
        files = {name: (one[1], one[0]) for name, (one, *_) in sent.items() if isinstance(one, tuple)}
        values = {name: found for name, found in sent.items() if name not in files}
        headers = {"Origin": self.url, "Referer": self.url + self.page.path}
        return self._arrived(self.browser.post(address, data=values, files=files or None, headers=headers, timeout=60))

    def _arrived(self, answer: requests.Response) -> "Walker":
        parts = urlsplit(answer.url)
        self.page = Page(f"{parts.path}?{parts.query}".rstrip("?"), answer.status_code, answer.text, answer.headers)
        said = f"{answer.status_code} at {answer.url}: {self.page.h1} {self.page.errors}"
        assert answer.status_code == 200, said
        return self

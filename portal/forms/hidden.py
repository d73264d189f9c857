"""What a page carries along unseen: a file that came before, and what the page was drawn from."""

from typing import Any
from uuid import UUID

from wtforms import HiddenField


class KeptFileField(HiddenField):
    """The id of a file that is safe already and waits for the rest of the answers; `data` is a UUID or None."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Anything else is no file of ours."""
        try:
            self.data = UUID(str(valuelist[0])) if valuelist and valuelist[0] else None
        except ValueError:
            self.data = None

    def _value(self) -> str:
        return str(self.data or "")


class SeenField(HiddenField):
    """The version of the row that the page showed; `data` is a number or None."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Anything else was seen by nobody."""
        typed = str(valuelist[0]) if valuelist else ""
        self.data = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else None

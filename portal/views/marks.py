"""Every route says who may reach it: the word is kept on the view, and read before each request and at the start."""

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from flask import Flask
from flask.typing import ResponseReturnValue

View = TypeVar("View", bound=Callable[..., ResponseReturnValue])
Caller = TypeVar("Caller", bound=StrEnum)


def marked(access: StrEnum) -> Callable[[View], View]:
    """Put the word on a view."""

    def mark(view: View) -> View:
        view.access = access  # type: ignore[attr-defined]
        return view

    return mark


def mark_of(app: Flask, endpoint: str, callers: type[Caller]) -> Caller:
    """The word of an endpoint; raises LookupError when it says none of these."""
    access = getattr(app.view_functions[endpoint], "access", None)
    if not isinstance(access, callers):
        raise LookupError(f"{endpoint} does not say who may reach it")
    return access

"""What an officer types after a command: which one, a day, a moment, one of some words, and who decides."""

import getpass
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
Word = TypeVar("Word", bound=StrEnum)

WRITTEN = click.DateTime(["%Y-%m-%d"])


class Day(click.ParamType[date]):
    """A civil date. Its name is what the help shows."""

    name = "YYYY-MM-DD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        return WRITTEN.convert(value, param, ctx).date()


class OneOf(click.Choice[Word]):
    """A word of the portal's own, typed as the database spells it."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice)


DAY = Day()

beginning_argument = click.argument("beginning", metavar="ID")
at_option = click.option(
    "--at",
    "at",
    type=click.DateTime(["%Y-%m-%d %H:%M"]),
    required=True,
    metavar='"YYYY-MM-DD HH:MM"',
    help="When, local time.",
)


def officer_option(command: Command) -> Command:
    """Who decides: written down with the decision."""
    return click.option(
        "--officer",
        metavar="EMAIL",
        default=getpass.getuser,
        show_default="the name you are logged in with",
        help="Who decides.",
    )(command)

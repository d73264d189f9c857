"""The console of the portal: one command a module, loaded when it is asked for.

Each process of the portal is one of these commands and needs little of what the others do.
"""

import os
from importlib import import_module

import click

from portal.lifeline import hold_lifeline

# What starts and keeps the portal, what the desk does, and what other software asks for.
MODULES = {
    "run": "run",
    "web": "web",
    "worker": "worker",
    "practice": "practice",
    "check": "check",
    "migrate": "migrate",
    "login": "logins",
    "backup": "backup",
    "backup-key": "backup",
    "restore": "backup",
    "storage": "storage",
    "assets": "assets",
    "demo": "demo",
    "certificate": "certificates",
    "clinic": "clinics",
    "filing": "filings",
    "demand": "demands",
    "waiver": "waivers",
    "order": "orders",
    "fee": "fees",
    "rabies": "rabies",
    "keeper": "keepers",
    "lookalike": "lookalikes",
    "kennel": "looking",
    "application": "looking",
    "report": "reports",
    "notice": "notices",
    "open311": "open311",
    "pound": "pound",
    "staff": "staff",
    "dangerous": "dangerous",
    "events": "events",
    "schema": "schema",
}


class Commands(click.Group):
    """A command is a function of its name, in its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return None
        module = import_module(f"portal.cli.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


@click.group(cls=Commands)
def main() -> None:
    """The animal portal of the city. Each command reads its settings from the environment."""
    hold_lifeline(os.environ)

"""The console of the portal: one command a module, loaded when it is asked for.

Each process of the portal is one of these commands and needs little of what the others do.

    officer         what the city's officer does: looks, decides, takes money
    operations      what whoever runs the portal does beside running it, and what other software asks for
    (no package)    the processes (`run`, `web` with `receiving` beside it, `worker`, `practice`), and the `environment`
                    that all need first
"""

import os
from importlib import import_module

import click

from portal.lifeline import hold_lifeline

# What starts and keeps the portal, what the desk does, and what other software asks for.
MODULES = {
    "run": "run",
    "web": "web",
    "receive": "receiving",
    "worker": "worker",
    "practice": "practice",
    "check": "operations.check",
    "migrate": "operations.migrate",
    "login": "operations.logins",
    "backup": "operations.backup",
    "backup-key": "operations.backup",
    "restore": "operations.backup",
    "storage": "operations.storage",
    "assets": "operations.assets",
    "demo": "operations.demo",
    "certificate": "officer.certificates",
    "clinic": "officer.clinics",
    "filing": "officer.filings",
    "demand": "officer.demands",
    "waiver": "officer.waivers",
    "order": "officer.orders",
    "fee": "officer.fees",
    "rabies": "officer.rabies",
    "keeper": "officer.keepers",
    "lookalike": "officer.lookalikes",
    "kennel": "officer.looking",
    "application": "officer.looking",
    "report": "officer.reports",
    "notice": "officer.notices",
    "open311": "officer.open311",
    "pound": "officer.pound",
    "staff": "officer.staff",
    "dangerous": "officer.dangerous.designations",
    "events": "operations.events",
    "schema": "operations.schema",
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

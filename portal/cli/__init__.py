"""The console of the portal: one command a module."""

import os

import click

from portal.cli.assets import assets
from portal.cli.migrate import migrate
from portal.cli.practice import practice
from portal.cli.run import run
from portal.cli.web import web
from portal.lifeline import hold_lifeline


@click.group()
def main() -> None:
    """The animal portal of the city. Each command reads its settings from the environment."""
    hold_lifeline(os.environ)


for command in (run, web, practice, migrate, assets):
    main.add_command(command)

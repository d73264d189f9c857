"""The console of the portal: one command a module."""

import os

import click

from portal.cli.assets import assets
from portal.cli.backup import backup, backup_key, restore_command
from portal.cli.certificates import certificate
from portal.cli.check import check
from portal.cli.clinics import clinic
from portal.cli.dangerous import dangerous
from portal.cli.demands import demand
from portal.cli.demo import demo
from portal.cli.events import events
from portal.cli.fees import fee
from portal.cli.filings import filing
from portal.cli.keepers import keeper
from portal.cli.logins import login
from portal.cli.lookalikes import lookalike
from portal.cli.migrate import migrate
from portal.cli.notices import notice
from portal.cli.open311 import open311
from portal.cli.orders import order
from portal.cli.pound import pound
from portal.cli.practice import practice
from portal.cli.rabies import rabies
from portal.cli.reports import report
from portal.cli.run import run
from portal.cli.schema import schema
from portal.cli.staff import staff
from portal.cli.storage import storage
from portal.cli.waivers import waiver
from portal.cli.web import web
from portal.cli.worker import worker
from portal.lifeline import hold_lifeline


@click.group()
def main() -> None:
    """The animal portal of the city. Each command reads its settings from the environment."""
    hold_lifeline(os.environ)


DESK = (
    certificate,
    clinic,
    filing,
    demand,
    waiver,
    order,
    fee,
    rabies,
    keeper,
    lookalike,
    report,
    notice,
    open311,
    pound,
    staff,
    dangerous,
)
OPERATIONS = (check, migrate, login, backup, backup_key, restore_command, storage)
for command in (run, web, worker, practice, *OPERATIONS, assets, demo, *DESK, events, schema):
    main.add_command(command)

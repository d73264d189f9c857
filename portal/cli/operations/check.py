"""`portal check`: is everything as it should be, and if not, what is to be done."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict

import click

from portal.cli.environment import ready_database
from portal.operations.check import look_at_everything
from portal.operations.findings import Finding, Installation, Weight, well, wrong
from portal.settings import Settings, SettingsError


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For software.")
def check(as_json: bool) -> None:
    """Look at settings, database, rights, clock, files, mail, payments and disks; change and send nothing.

    Ends with 1 when something is wrong. What is only advice does not count.
    """
    found = []
    for finding in _findings():
        found.append(finding)
        if not as_json:
            click.echo(_line(finding))
    is_well = all(finding.weight is not Weight.WRONG for finding in found)
    if as_json:
        click.echo(json.dumps({"ok": is_well, "findings": [asdict(finding) for finding in found]}, indent=1))
    else:
        click.echo("Nothing is wrong." if is_well else "Something is wrong: see above.")
    raise SystemExit(0 if is_well else 1)


def _findings() -> Iterator[Finding]:
    try:
        settings = Settings.from_environment(os.environ)
    except SettingsError as failure:
        yield wrong("settings", str(failure), "Set what is named, in the environment of the portal's services.")
        return
    yield well("settings", f"They can be used; people use {settings.base_url}")
    try:
        with ready_database(settings) as database:
            yield from look_at_everything(Installation(database.settings, database.url))
    except click.ClickException as failure:
        yield wrong("database", failure.message, "Put that right, and check again.")
        yield from look_at_everything(Installation(settings, None))


def _line(finding: Finding) -> str:
    lines = [f"{finding.weight:<7} {finding.about:<10} {finding.said}."]
    if finding.fix:
        lines.append(f"{'':18} {finding.fix}")
    return "\n".join(lines)

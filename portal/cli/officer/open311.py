"""`portal open311 key`: whose software may send reports (Open311 GeoReport v2)."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows
from portal.cli.officer.typed import officer_option
from portal.schema.open311 import Open311Key
from portal.services.reports.open311_keys import add_key, keys, revoke_key

name_argument = click.argument("name")


@click.group()
def open311() -> None:
    """Reports that other software sends (/open311/v2)."""


@open311.group()
def key() -> None:
    """Keys that the city gave out. A key is needed to send reports, not to read what everybody may."""


@key.command("add")
@name_argument
@officer_option
def add(name: str, officer: str) -> None:
    """Make a key for NAME and show it, this once."""
    with at_the_desk() as desk:
        made = add_key(desk.session, name=name, officer=officer)
    click.echo(made)


@key.command("list")
def list_keys() -> None:
    """List the keys, newest first. The keys themselves are not kept."""
    with at_the_desk() as desk:
        rows = [
            [plain(one.name), plain(one.created_at), plain(one.created_by), plain(one.last_used_at), _stands(one)]
            for one in keys(desk.session)
        ]
    print_rows(["name", "given", "by", "last used", ""], rows, none="No key was given out.")


@key.command()
@name_argument
def revoke(name: str) -> None:
    """Take back the key of NAME."""
    with at_the_desk() as desk:
        revoke_key(desk.session, name=name, clock=desk.clock)
    click.echo(f"The key of {plain(name)} is taken back.")


def _stands(one: Open311Key) -> str:
    return f"taken back {plain(one.revoked_at)}" if one.revoked_at else ""

"""`portal schema`: the contract that other software relies on."""

import click

from portal.schema.contract import contract


@click.command()
def schema() -> None:
    """Print the shared schema: tables, columns, checks and rights."""
    click.echo(contract(), nl=False)

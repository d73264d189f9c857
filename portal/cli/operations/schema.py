"""`portal schema`: the contract that other software relies on."""

import click

from portal.schema.contract import contract
from portal.schema.contract_json import contract_json
from portal.schema.contract_sql import contract_sql
from portal.schema.contract_svg import contract_svg

WAYS = {"page": contract, "json": contract_json, "sql": contract_sql, "svg": contract_svg}


@click.command()
@click.option(
    "--as",
    "way",
    type=click.Choice(list(WAYS)),
    default="page",
    show_default=True,
    help="For people, for software, to make the tables, or as a picture.",
)
def schema(way: str) -> None:
    """Print the shared schema: tables, columns, checks and rights."""
    click.echo(WAYS[way](), nl=False)

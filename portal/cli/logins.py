"""`portal login`: a login of the database for one kind of process, for use behind a pooler."""

import secrets

import click
from sqlalchemy import create_engine

from portal.cli.environment import read_settings, ready_database
from portal.gateways.database import TIME_OUTS
from portal.schema.logins import give_login
from portal.schema.roles import DESK, WEB, WORKER

ROLE_OF = {"web": WEB, "worker": WORKER, "desk": DESK}


@click.command()
@click.argument("name")
@click.option("--for", "process", type=click.Choice(list(ROLE_OF)), required=True, help="The process that logs in.")
def login(name: str, process: str) -> None:
    """Make a login that may do what one kind of process does, or give it a new password, and print that, this once.

    Its time-outs are kept with it: repeat the command after an upgrade whose notes say so.
    """
    role, password = ROLE_OF[process], secrets.token_urlsafe(24)
    with ready_database(read_settings()) as database:
        engine = create_engine(database.url)
        with engine.begin() as connection:
            give_login(connection, name, role=role, password=password, settings=TIME_OUTS[role].settings())
        engine.dispose()
    click.echo(f"{name} acts as {role} from the moment it connects. Its password, which is kept nowhere else:")
    click.echo(password)

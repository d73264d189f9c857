"""`portal login`: a login of the database for one kind of process, for use behind a pooler."""

import secrets

import click
from sqlalchemy import create_engine

from portal.cli.environment import read_settings, ready_database
from portal.gateways.database.connections import TIME_OUTS
from portal.schema.logins import give_login, has_login
from portal.schema.roles import DESK, WEB, WORKER

ROLE_OF = {"web": WEB, "worker": WORKER, "desk": DESK}


@click.command()
@click.argument("name")
@click.option("--for", "process", type=click.Choice(list(ROLE_OF)), required=True, help="The process that logs in.")
@click.option("--new-password", is_flag=True, help="Give a login that is there another password; the old one ends.")
def login(name: str, process: str, new_password: bool) -> None:
    """Make a login that may do what one kind of process does, and print its password, this once.

    One that is there already keeps its password, and gets the role and time-outs of this release: repeat the command
    at each upgrade.
    """
    role = ROLE_OF[process]
    with ready_database(read_settings()) as database:
        engine = create_engine(database.url)
        with engine.begin() as connection:
            keeps_password = has_login(connection, name) and not new_password
            password = None if keeps_password else secrets.token_urlsafe(24)
            give_login(connection, name, role=role, password=password, settings=TIME_OUTS[role].settings())
        engine.dispose()
    click.echo(f"{name} acts as {role} from the moment it connects.")
    if password is None:
        click.echo("It was there already and keeps its password. Say --new-password to give it another.")
        return
    click.echo("Its password, which is kept nowhere else:")
    click.echo(password)

"""`portal staff`: who may sign in at the city's desk, and as what."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows
from portal.cli.officer.typed import OneOf, officer_option
from portal.gateways.sealing import Sealing
from portal.schema.staff import StaffRole
from portal.services.staff.members import SET_UP_LASTS, add_staff, remove_staff, reseal_apps, reset_staff, staff_now


@click.group()
def staff() -> None:
    """The city's staff at the desk. An officer may do everything, a clerk what is not about reports and dogs' fates."""


@staff.command("list")
def list_staff() -> None:
    """List who may sign in."""
    with at_the_desk() as desk:
        rows = [
            [one.email, one.role.value, plain(one.created_at), plain(one.added_by)] for one in staff_now(desk.session)
        ]
    print_rows(["e-mail", "role", "since", "added by"], rows, none="Nobody works at the desk yet.")


@staff.command()
@click.argument("email")
@click.option("--role", type=OneOf(StaffRole), required=True, help="What they may do.")
@officer_option
def add(email: str, role: StaffRole, officer: str) -> None:
    """Let somebody in, or give them another role."""
    with at_the_desk() as desk:
        added = add_staff(desk.session, email=email, role=role, by=officer, clock=desk.clock)
    click.echo(f"{plain(added.email)} is {role}. They set up a second step at /desk within {SET_UP_LASTS.days} days.")


@staff.command()
@click.argument("email")
@officer_option
def remove(email: str, officer: str) -> None:
    """Somebody left: nothing of theirs opens the desk from now on."""
    with at_the_desk() as desk:
        removed = remove_staff(desk.session, email=email, by=officer, clock=desk.clock)
    click.echo(f"{plain(removed.email)} is signed out and removed.")


@staff.command()
@click.argument("email")
@officer_option
def reset(email: str, officer: str) -> None:
    """Somebody lost phone and recovery codes: they set up a new second step. Make sure that it is them."""
    with at_the_desk() as desk:
        found = reset_staff(desk.session, email=email, by=officer, clock=desk.clock)
    click.echo(f"{plain(found.email)} may set up a new second step within {SET_UP_LASTS.days} days.")


@staff.command()
def reseal() -> None:
    """After SECRET_KEY got a new first key: seal the secrets of authenticator apps under it."""
    with at_the_desk() as desk:
        done, broken = reseal_apps(desk.session, sealing=Sealing(desk.settings.secret_keys))
    click.echo(f"{done} apps are sealed under the newest key.")
    for email in broken:
        click.echo(f"{plain(email)}: sealed under a key that is gone. Use: portal staff reset {plain(email)}")

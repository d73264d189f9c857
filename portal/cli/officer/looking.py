"""`portal kennel` and `portal application`: what somebody only has to look at (90.09, 90.04(B)(2))."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.people import Person, Premises
from portal.services.desk.asked_to_look import (
    FINE,
    TALKED,
    applications_waiting,
    kennels_waiting,
    look_at_application,
    look_at_kennel,
)

talked_option = click.option("--talked", is_flag=True, help="It took a talk with them; without it, nothing was to do.")


@click.group()
def kennel() -> None:
    """Homes where three or more dogs may be kept. An id may be given by its unique beginning."""


@kennel.command("list")
def list_kennels() -> None:
    """List the homes that wait, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [short(home.id), plain(since), plain(home.line1), plain(home.unit), str(dogs)]
            for home, since, dogs in kennels_waiting(desk.session)
        ]
    print_rows(["id", "since", "address", "unit", "dogs registered"], rows, none="No home waits.")


@kennel.command("looked-at")
@beginning_argument
@talked_option
@officer_option
def kennel_looked_at(beginning: str, talked: bool, officer: str) -> None:
    """Say that you have looked. It comes back when another dog is registered there."""
    with at_the_desk() as desk:
        key = desk.key(Premises.id, beginning)
        look_at_kennel(desk.session, premises_id=key, outcome=TALKED if talked else FINE, officer=officer)
    click.echo("Looked at.")


@click.group()
def application() -> None:
    """Applications that a machine may have sent. An id may be given by its unique beginning."""


@application.command("list")
def list_applications() -> None:
    """List the people whose applications wait, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [short(person.id), plain(since), plain(person.name), plain(person.phone)]
            for person, since in applications_waiting(desk.session)
        ]
    print_rows(["id", "since", "name", "phone"], rows, none="No application waits.")


@application.command("looked-at")
@beginning_argument
@talked_option
@officer_option
def application_looked_at(beginning: str, talked: bool, officer: str) -> None:
    """Say that you have looked."""
    with at_the_desk() as desk:
        key = desk.key(Person.id, beginning)
        look_at_application(desk.session, person_id=key, outcome=TALKED if talked else FINE, officer=officer)
    click.echo("Looked at.")
